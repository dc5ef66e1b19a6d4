import AuditAccounts
import AuditHTTP
import AuditModel
import AuditReview
import AuditServerTesting
import EventModel
import Foundation
import SQLiteStore
import Testing

@Suite("Views, reviews and alerts in a browser", .enabled(if: Browser.isInstalled, Browser.skipped), .serialized)
struct ReviewConsoleTests {
    private static let hostile = "<img src=x onerror=window.hacked=1>"

    @Test("a reviewer saves a view, plans and signs off a review, acknowledges an alert, and all of it is in the trail")
    func path() async throws {
        let rule = AlertRule("named \(Self.hostile)", .namedRecords([NamedRecord(objectClass: "Patient", key: "p1")]))
        let server = try await ConsoleServer(
            ServerConfiguration(alerts: AlertSettings(rules: [rule], personColumn: "userId"))
        )
        var device = SampleDevice()
        let metadata = try EventMetadata(["userId": Self.hostile])
        let data = #"{"type":"Patient","value":[{"_id":"p1"}]}"#
        device.record(device.event("Open chart", data: data, metadata: metadata))
        let upload = try EventUpload(
            device.stretch(1...1),
            owner: SampleDevice.owner,
            // The rules are in force, and the review begins, before the clock is set ahead.
            received: EventInstant(microseconds: server.clock.now().wall.microseconds + 60_000_000),
            signedBy: SampleDevice.serverKey,
            extendsSchema: true
        )
        _ = try await server.store.accept(upload)
        try await server.open(as: .reviewer) { [device] browser, _ in
            try await Self.review(browser, server)
            try await Self.answer(browser)
            try await Self.write(browser, device)
            try await browser.run("location.hash = '#/trail'")
            _ = try await browser.text(of: ".results tbody tr.audit")
            let trail = try await browser.text(of: ".results tbody")
            for activity in [
                "sign in", "save view", "plan review", "sign off review", "raise alert", "acknowledge alert",
                "write note",
            ] {
                #expect(trail.contains(activity), "\(activity)")
            }
        }
    }

    private static func review(_ browser: Browser, _ server: ConsoleServer) async throws {
        try await browser.run("location.hash = '#/search?class=Patient'")
        _ = try await browser.text(of: ".chips")
        try await browser.fill(".save form", ["view-name": "Patients \(hostile)"])
        let view = try await browser.text(of: ".card h2 a")
        #expect(view == "Patients \(hostile)")
        try await browser.takePicture("views")
        try await browser.fill(".plan form", ["who": "the ward"])
        _ = try await browser.text(of: ".card.waiting")
        server.clock.shift(by: 86_400)
        // The session that began the day before is over.
        try await browser.beginSession(with: server.tokens.issue(.reviewer, for: .access))
        try await browser.run("location.hash = '#/views'")
        _ = try await browser.text(of: ".plan")
        try await browser.run("location.hash = '#/reviews'")
        let due = try await browser.text(of: ".card.due")
        #expect(due.contains("1 event") && due.contains("the ward"))
        try await browser.takePicture("reviews")
        try await browser.fill(".sign form", ["outcome": "finding", "note": "Read at night"])
        let signed = try await browser.text(of: ".card.waiting")
        #expect(signed.contains("Signed off by the token of the data folder") && signed.contains("finding"))
    }

    @Test("a review begins at a time in the past that a reviewer chooses, and a refusal is in a reader's words")
    func beginning() async throws {
        let server = try await ConsoleServer()
        var device = SampleDevice()
        device.record(device.event("Open chart"))
        let day: Int64 = 86_400_000_000
        let now = server.clock.now().wall.microseconds
        let upload = try EventUpload(
            device.stretch(1...1),
            owner: SampleDevice.owner,
            received: EventInstant(microseconds: now - 3 * day),
            signedBy: SampleDevice.serverKey,
            extendsSchema: true
        )
        _ = try await server.store.accept(upload)
        try await server.open(as: .reviewer) { browser, _ in
            try await browser.visit("#/search?activity=Open%20chart", ".chips")
            try await browser.fill(".save form", ["view-name": "Charts"])
            _ = try await browser.text(of: ".plan")
            try await browser.fill(".plan form", ["zone": "Mars"])
            let refused = try await browser.text(of: ".card .message:not(:empty)")
            #expect(refused.hasPrefix("The server knows no such time zone; write") && !refused.contains("'"))
            let begins = "\(EventInstant(microseconds: now - 7 * day))".prefix(16)
            try await browser.fill(".plan form", ["zone": "UTC", "begins": String(begins)])
            let planned = try await browser.text(of: ".card.review")
            #expect(planned.contains("1 event") && planned.contains("Up to date"))
            try await browser.takePicture("review-past")
            try await browser.fill(".sign form", ["outcome": "finding"])
            #expect(try await browser.text(of: ".card.review") != "")
            let told = try await browser.text(of: ".sign .message:not(:empty)")
            #expect(told == "A finding needs a note that says what was found.")
            try await browser.fill(".sign form", ["outcome": "noFinding"])
            let signed = try await browser.text(of: ".card.review:has(> p.none)")
            #expect(signed.contains("no finding") && signed.contains("Nothing to sign off yet"))
        }
    }

    private static func answer(_ browser: Browser) async throws {
        let open = try await browser.text(of: "#alert-count:not([hidden])")
        #expect(open == "1")
        try await browser.run("location.hash = '#/alerts'")
        let alert = try await browser.text(of: ".card.alert.open")
        #expect(alert.contains("A named record") && alert.contains("Patient p1") && alert.contains(hostile))
        try await browser.takePicture("alerts")
        try await browser.fill(".answer", ["reason": "Her own patient"])
        let answered = try await browser.text(of: ".card.answered")
        #expect(answered.contains("Her own patient"))
        let closed = try await browser.text(of: "#alert-count[hidden]")
        #expect(closed == "")
    }

    private static func write(_ browser: Browser, _ device: SampleDevice) async throws {
        try await browser.run("location.hash = '#/event/\(device.partition.value)/1'")
        _ = try await browser.text(of: ".noted form")
        try await browser.fill(".noted form", ["note": "See \(hostile)"])
        let note = try await browser.text(of: ".notes .words")
        #expect(note == "See \(hostile)")
        try await browser.takePicture("note")
    }
}
