import AuditAccounts
import AuditHTTP
import AuditModel
import AuditServerTesting
import EventModel
import SQLiteStore
import Testing

@Suite("Keeping and erasing in a browser", .enabled(if: Browser.isInstalled, Browser.skipped))
struct KeepingConsoleTests {
    private static func server() async throws -> ConsoleServer {
        let rule = try RetentionRule(days: 3650)
        let server = try await ConsoleServer(ServerConfiguration(apps: ["ward-app": AppSettings(retention: rule)]))
        var device = SampleDevice()
        for (patient, person) in [("p1", "ada"), ("p1", "bob"), ("p2", "ada")] {
            let data = #"{"type":"Patient","value":[{"_id":"\#(patient)","name":"Anna Berg"}]}"#
            device.record(device.event("Open chart", data: data, metadata: try EventMetadata(["userId": person])))
        }
        _ = try await server.store.accept(device.upload(1...3, seal: device.seal()))
        return server
    }

    private static func count(_ browser: Browser) async throws {
        try await browser.fill(
            "form[aria-label='Look for events to erase']",
            ["erase-class": "Patient", "erase-key": "p1"]
        )
    }

    @Test("what a hold keeps is not erased; when it is lifted, the events go that were counted, and their record stays")
    func path() async throws {
        let server = try await Self.server()
        try await server.open(as: .administrator) { browser, _ in
            let start = try await browser.text(of: ".keeping")
            #expect(start.contains("3,650 days"))
            try await browser.fill(
                "form[aria-label='Place a hold']",
                ["hold-name": "Case 4711", "hold-person": "bob", "hold-reason": "A claim of 3 May"]
            )
            let placed = try await browser.text(of: ".notice.good")
            #expect(placed == "The hold “Case 4711” is in force.")
            let focused = try await browser.run("return document.activeElement.id")
            #expect(focused == "holds")
            let row = try await browser.text(of: ".partitions tbody tr")
            #expect(row.contains("person bob") && row.contains("A claim of 3 May") && row.contains("in force"))

            try await Self.count(browser)
            let blocked = try await browser.text(of: ".found .notice.bad")
            #expect(blocked.contains("the hold “Case 4711” keeps 1 event of these"))
            let offered = try await browser.run("return document.querySelectorAll('button.grave').length")
            #expect(offered == "0")
            try await browser.takePicture("keeping-held")

            try await browser.fill("form[aria-label='Lift the hold Case 4711']", ["lift-1": "Settled"])
            let lifted = try await browser.text(of: ".partitions tbody tr .tag.custom")
            #expect(lifted == "lifted")

            try await Self.count(browser)
            let counted = try await browser.text(of: ".found p:has(strong)")
            #expect(counted == "2 events would be erased: 2 of ward-app.")
            // The number is wrong, and what was written stays.
            let confirm = "form[aria-label='Erase what was counted']"
            try await browser.fill(confirm, ["erase-count": "3", "erase-reason": "Request of 3 May"])
            let wrong = try await browser.text(of: "\(confirm) .message:not(:empty)")
            #expect(wrong == "The events are kept: 2 events fit, and not 3; look at them again.")
            let reason = try await browser.run("return document.querySelector('#erase-reason').value")
            #expect(reason == "Request of 3 May")
            try await browser.takePicture("keeping-erase")
            try await browser.fill(confirm, ["erase-count": "2"])
            let done = try await browser.text(of: "section:has(#erasures) .notice.good")
            #expect(done == "Erasure 1 took 2 events. Its record stays.")
            let record = try await browser.text(of: "section:has(#erasures) tbody tr")
            #expect(record.contains("Request of 3 May") && record.contains("2 events erased"))
            #expect(record.contains("class Patient, key p1"))
            try await browser.takePicture("keeping")
        }
        let events = try await server.store.events(EventFilter(), after: nil, limit: 100, maximumBytes: 1 << 20).events
        let devices = events.filter { $0.partition.prefix == "ward" }
        #expect(devices.map { $0.erasure == nil } == [false, false, true])
    }

    @Test("a hold that comes between the count and the erasure keeps the events, and the page says which it is")
    func race() async throws {
        let server = try await Self.server()
        try await server.open(as: .administrator) { browser, _ in
            try await Self.count(browser)
            _ = try await browser.text(of: "button.grave")
            _ = try await server.store.placeHold(
                "Case 12",
                on: KeepingFilter(person: "ada"),
                LegalHold.Act(by: "somebody", at: server.clock.now().wall, reason: "a claim")
            )
            let confirm = "form[aria-label='Erase what was counted']"
            try await browser.fill(confirm, ["erase-count": "2", "erase-reason": "Request of 3 May"])
            let kept = try await browser.text(of: "\(confirm) .message:not(:empty)")
            #expect(kept == "The events are kept: the hold 'Case 12' keeps 1 of them.")
            // Another filter takes other events: what was counted counts no more.
            try await browser.run("document.querySelector('#erase-key').focus()")
            try await browser.type("7")
            _ = try await browser.text(of: ".found:empty")
        }
    }
}
