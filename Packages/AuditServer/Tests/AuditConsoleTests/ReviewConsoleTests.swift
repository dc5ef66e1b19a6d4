import AuditServer
import AuditServerTesting
import EventModel
import Foundation
import Testing

@Suite("Views, reviews and alerts in a browser", .enabled(if: Browser.isInstalled, Browser.skipped), .serialized)
struct ReviewConsoleTests {
    private static let hostile = "<img src=x onerror=window.hacked=1>"

    @Test("a reviewer saves a view, plans and signs off a review, acknowledges an alert, and all of it is in the trail")
    func path() async throws {
        let (folder, clock) = (try TemporaryFolder(), ShiftedClock())
        let store = try SQLiteEventStore(path: folder.file("db"))
        let rule = AlertRule("named \(Self.hostile)", .namedRecords([NamedRecord(objectClass: "Patient", key: "p1")]))
        let tokens = try await TokenIssuer(key: TokenIssuer.makeKey(), clock: clock)
        let service = AuditService(
            configuration: ServerConfiguration(alerts: AlertSettings(rules: [rule], personColumn: "userId")),
            store: store,
            accounts: InMemoryAccountStore(),
            tokens: tokens,
            key: try SigningKey(SigningKey.makeKey()),
            clock: clock
        )
        let token = try await tokens.issue(.reviewer, for: .access)
        var device = SampleDevice()
        let metadata = try EventMetadata(["userId": Self.hostile])
        let data = #"{"type":"Patient","value":[{"_id":"p1"}]}"#
        device.record(device.event("Open chart", data: data, metadata: metadata))
        let upload = try EventUpload(
            device.stretch(1...1),
            owner: SampleDevice.owner,
            // The rules are in force from the start of the server on, which is a moment away.
            received: EventInstant(microseconds: clock.now().wall.microseconds + 60_000_000),
            extendsSchema: true
        )
        _ = try await store.accept(upload)
        try await RunningServer.with(service) { [device] port in
            let browser = try await Browser()
            try await browser.resize(1280, 900, isDark: false)
            try await browser.open("http://127.0.0.1:\(port)/console")
            _ = try await browser.text(of: "#token")
            try await browser.run(
                "document.querySelector('#token').value = '\(token)'; document.querySelector('form').requestSubmit()"
            )
            _ = try await browser.text(of: ".results tbody tr")
            try await Self.review(browser, clock)
            try await Self.answer(browser)
            try await Self.write(browser, device)
            try await browser.run("location.hash = '#/trail'")
            _ = try await browser.text(of: ".results tbody tr.audit")
            let trail = try await browser.text(of: ".results tbody")
            for activity in [
                "save view", "plan review", "sign off review", "raise alert", "acknowledge alert", "write note",
            ] {
                #expect(trail.contains(activity), "\(activity)")
            }
            try await Self.look(browser)
            let hacked = try await browser.run("return window.hacked")
            #expect(hacked == "undefined", "what is stored is text and nothing else")
            try await browser.close()
        }
    }

    private static func fill(_ form: String, _ values: [String: String], in browser: Browser) async throws {
        let values = try String(decoding: JSONEncoder().encode(values), as: UTF8.self)
        try await browser.run(
            """
            const form = document.querySelector('\(form)')
            for (let place = form; place; place = place.parentElement) if (place.tagName === 'DETAILS') place.open = true
            for (const [id, value] of Object.entries(\(values))) form.querySelector(`[id^="${id}"]`).value = value
            form.requestSubmit()
            """
        )
    }

    private static func review(_ browser: Browser, _ clock: ShiftedClock) async throws {
        try await browser.run("location.hash = '#/search?class=Patient'")
        _ = try await browser.text(of: ".chips")
        try await fill(".save form", ["view-name": "Patients \(hostile)"], in: browser)
        let view = try await browser.text(of: ".card h2 a")
        #expect(view == "Patients \(hostile)")
        try await browser.takePicture("views")
        try await fill(".plan form", ["who": "the ward"], in: browser)
        _ = try await browser.text(of: ".card.waiting")
        clock.shift(by: 86_400)
        try await browser.run("location.hash = '#/views'")
        _ = try await browser.text(of: ".plan")
        try await browser.run("location.hash = '#/reviews'")
        let due = try await browser.text(of: ".card.due")
        #expect(due.contains("1 event") && due.contains("the ward"))
        try await browser.takePicture("reviews")
        try await fill(".sign form", ["outcome": "finding", "note": "Read at night"], in: browser)
        let signed = try await browser.text(of: ".card.waiting")
        #expect(signed.contains("Signed off by the token of the data folder") && signed.contains("finding"))
    }

    private static func answer(_ browser: Browser) async throws {
        let open = try await browser.text(of: "#alert-count:not([hidden])")
        #expect(open == "1")
        try await browser.run("location.hash = '#/alerts'")
        let alert = try await browser.text(of: ".card.alert.open")
        #expect(alert.contains("A named record") && alert.contains("Patient p1") && alert.contains(hostile))
        try await browser.takePicture("alerts")
        try await fill(".answer", ["reason": "Her own patient"], in: browser)
        let answered = try await browser.text(of: ".card.answered")
        #expect(answered.contains("Her own patient"))
        let closed = try await browser.text(of: "#alert-count[hidden]")
        #expect(closed == "")
    }

    private static func write(_ browser: Browser, _ device: SampleDevice) async throws {
        try await browser.run("location.hash = '#/event/\(device.partition.value)/1'")
        _ = try await browser.text(of: ".noted form")
        try await fill(".noted form", ["note": "See \(hostile)"], in: browser)
        let note = try await browser.text(of: ".notes .words")
        #expect(note == "See \(hostile)")
        try await browser.takePicture("note")
    }

    /// Looks at all pages in both sizes and colours.
    private static func look(_ browser: Browser) async throws {
        for (width, height) in [(1280, 900), (390, 844)] {
            for isDark in [false, true] {
                try await browser.resize(width, height, isDark: isDark)
                let pages = [("views", ".card"), ("reviews", ".card"), ("alerts?state=all", ".card.alert")]
                for (page, selector) in pages {
                    try await browser.run("location.hash = '#/\(page)'")
                    _ = try await browser.text(of: selector)
                    let wide = try await browser.run("return document.documentElement.scrollWidth")
                    #expect(wide == "\(width)", "\(page)")
                    let nameless = try await browser.run(ConsoleTests.namelessControls)
                    #expect(nameless == "", "\(page)")
                    try await browser.takePicture("\(page.prefix(6))-\(width)-\(isDark ? "dark" : "light")")
                }
            }
        }
    }
}
