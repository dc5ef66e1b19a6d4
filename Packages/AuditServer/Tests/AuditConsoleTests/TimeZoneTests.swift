import AuditAccounts
import AuditHTTP
import AuditModel
import AuditServerTesting
import EventModel
import SQLiteStore
import Testing

@Suite("One time zone on each page of the console", .enabled(if: Browser.isInstalled, Browser.skipped))
struct TimeZoneTests {
    /// Five hours behind UTC in November, and four in July.
    private static let zone = "America/New_York"

    /// Lists exact times in UTC that a page shows, beside the JSON as it was recorded.
    private static let strange = """
        for (const part of document.querySelectorAll('details:not(.raw)')) part.open = true
        const shown = [...document.querySelectorAll('#page, #bar')].map((part) => part.innerText).join(' ')
        return (shown.match(/\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d\\S*|\\(UTC\\)/g) ?? []).join()
        """

    private static func reload(_ browser: Browser, _ port: Int, _ address: String) async throws {
        try await browser.setZone(zone)
        try await browser.open("about:blank")
        try await browser.open("http://127.0.0.1:\(port)/console\(address)")
    }

    @Test("dates inside payloads, filters, tables and the auditors' trail are in the zone that the bar names")
    func zone() async throws {
        let server = try await ConsoleServer()
        var device = SampleDevice()
        let patient = """
            {"type":"Patient","value":[{"_id":"p1","admitted":"2023-07-14T22:15:00.000Z","born":"1948-03-12T00:00:00.000Z"}]}
            """
        device.record(device.event("Open chart", data: patient))
        _ = try await server.store.accept(device.upload(1...1))
        try await server.open(as: .reviewer) { [device] browser, port in
            try await Self.reload(browser, port, "#/event/\(device.partition.value)/1")
            let held = try await browser.text(of: ".held .fields")
            #expect(try await browser.text(of: "#zone") == "Times in America/New_York")
            #expect(held.contains("2023-07-14 18:15:00"))
            // A day stays the day that it was, whatever the zone.
            #expect(held.contains("1948-03-11 19:00:00") && held.contains("the day 1948-03-12"))
            let exact = try await browser.run("return document.querySelector('.held .fields time').title")
            #expect(exact == "Recorded as 2023-07-14T22:15:00.000Z (UTC)")

            try await browser.visit("#/search?since=2023-07-14T22:00:00.000Z", ".chips")
            let chip = try await browser.text(of: ".chips .chip")
            #expect(chip.contains("from 2023-07-14 18:00:00"))
            let since = try await browser.run("return document.querySelector('#filter-since').value")
            #expect(since.hasPrefix("2023-07-14T18:00"))
            _ = try await browser.text(of: ".results tbody tr.read")
            try await browser.visit("#/trail?activity=search", ".results tbody tr.audit")
            #expect(try await browser.text(of: ".results tbody").contains("from 2023-07-14 18:00:00"))
            #expect(try await browser.run(Self.strange) == "")
        }
    }

    @Test("no page shows a time of another zone, also not what is folded")
    func everywhere() async throws {
        let ward = try await WardServer()
        try await ward.open { browser in
            let port = try await browser.run("return location.port")
            try await Self.reload(browser, Int(port) ?? 0, "#/views")
            _ = try await browser.text(of: ".card")
            for page in ward.pages {
                try await browser.visit(page.address, page.selector)
                #expect(try await browser.run(Self.strange) == "", "\(page.name)")
            }
        }
    }

    @Test("a time for unmasking is given in the zone of the page")
    func unmasking() async throws {
        let mask = EventMask([try MaskedField("Patient.name")])
        let server = try await ConsoleServer(ServerConfiguration(apps: ["ward-app": AppSettings(mask: mask)]))
        var device = SampleDevice()
        let patient = #"{"type":"Patient","value":[{"_id":"p1","name":"Anna Berg"}]}"#
        device.record(device.event("Open chart", data: patient))
        let event = device.events[0]
        _ = try await server.store.accept(device.upload(1...1))
        try await server.open(as: .reviewer) { browser, port in
            try await Self.reload(browser, port, "#/object/Patient/p1")
            _ = try await browser.text(of: ".veil button.unmask")
            try await browser.run("document.querySelector('.veil button.unmask').click()")
            _ = try await browser.text(of: "dialog[open] option[value=Complaint]")
            let since = try await browser.run(
                "return new Date(document.querySelector('#unmask-since').value).toISOString().slice(0, 19)"
            )
            #expect(event.timestamp.description.hasPrefix(since))
            try await browser.fill("dialog form", ["unmask-purpose": "Complaint", "unmask-reason": "a letter"])
            #expect(try await browser.text(of: ".revealed").contains("Anna Berg"))
        }
    }
}
