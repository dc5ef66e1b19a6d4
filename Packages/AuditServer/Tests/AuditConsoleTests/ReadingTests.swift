import AuditAccounts
import AuditHTTP
import AuditModel
import AuditReview
import AuditServerTesting
import EventModel
import SQLiteStore
import Testing

@Suite("What is read at a glance in the console", .enabled(if: Browser.isInstalled, Browser.skipped))
struct ReadingTests {
    private static let metadata = ["userId": "ada", "reason": "no pulse, no time"]

    @Test("the card of an emergency access shows the patient and the reason")
    func breakGlass() async throws {
        let rule = AlertRule("glass", .breakGlass(EventPattern(activity: "Break glass")))
        let server = try await ConsoleServer(
            ServerConfiguration(alerts: AlertSettings(rules: [rule], personColumn: "userId"))
        )
        var device = SampleDevice()
        let metadata = try EventMetadata(Self.metadata)
        let patient = #"{"type":"Patient","value":[{"_id":"p1","name":"Anna Berg"}]}"#
        device.record(device.event("Break glass", data: patient, metadata: metadata))
        device.record(device.event("Break glass", event: "emergency", data: #"{"patient":"p2"}"#, metadata: metadata))
        // The rules are in force from the start of the server on.
        let upload = try EventUpload(
            device.stretch(1...2),
            owner: SampleDevice.owner,
            received: EventInstant(microseconds: server.clock.now().wall.microseconds + 3_600_000_000),
            signedBy: SampleDevice.serverKey,
            extendsSchema: true
        )
        _ = try await server.store.accept(upload)
        try await server.open(as: .reviewer) { browser, _ in
            try await browser.visit("#/alerts", ".card.alert:nth-child(2)")
            let cards = try await browser.text(of: ".cards")
            #expect(cards.contains("Patient p1") && cards.contains("no pulse, no time"))
            #expect(cards.contains("Patient\np2"))
            let link = try await browser.run(
                "return [...document.querySelectorAll('.card dd a')].find((a) => a.textContent === 'Patient p1').hash"
            )
            #expect(link == "#/object/Patient/p1")
            try await browser.takePicture("break-glass")
            // An answer leaves them where they are.
            try await browser.fill(".answer", ["reason": "Her own patient"])
            #expect(try await browser.text(of: ".card.answered").contains("no pulse, no time"))
        }
    }

    @Test("many objects that were read are a table of the first ten, and more of them when somebody asks")
    func longRead() async throws {
        let server = try await ConsoleServer()
        var device = SampleDevice()
        let patients = (1...60)
            .map { #"{"_id":"p\#($0)","bed":"\#($0)A","name":"Patient \#($0)","born":"1948-03-12T00:00:00.000Z"}"# }
        device.record(
            device.event("Ward list", data: #"{"type":"Patient","value":[\#(patients.joined(separator: ","))]}"#)
        )
        _ = try await server.store.accept(device.upload(1...1))
        try await server.open(as: .auditor) { [device] browser, _ in
            let rows = "return document.querySelectorAll('.read-table tbody tr').length"
            for (width, isDark) in [(390, true), (1280, false)] {
                try await browser.resize(width, 900, isDark: isDark)
                try await browser.visit("#/search", ".results tbody tr")
                try await browser.visit("#/event/\(device.partition.value)/1", ".read-table")
                #expect(try await browser.run(rows) == "10")
                try await PageChecks.expectUsable(browser, width: width, "a long read")
                try await PageChecks.expectAxeContent(browser, "a long read")
                try await browser.takePicture("long-read-\(width)")
            }
            let edge = try await browser.run(
                "return getComputedStyle(document.querySelector('.read-table tbody tr + tr')).borderTopWidth"
            )
            #expect(edge == "1px")
            let head = try await browser.text(of: ".read-table thead")
            #expect(head.hasPrefix("_id") && head.contains("bed") && head.contains("name"))
            #expect(try await browser.text(of: ".more-items") == "Show 40 more objects of 60")
            try await browser.run("document.querySelector('.more-items').click()")
            #expect(try await browser.run(rows) == "50")
            try await browser.run("document.querySelector('.more-items').click()")
            #expect(try await browser.run(rows) == "60")
            #expect(try await browser.run("return document.querySelector('.more-items').hidden") == "true")
        }
    }

    @Test("a list shows the old and the new value of each change, so that nobody opens a page for each")
    func changes() async throws {
        try await ConsoleTests.inConsole { browser, _, _ in
            let change = try await browser.text(of: ".results .changes")
            #expect(
                change.contains("allergies") && change.contains(#"["latex"]"#)
                    && change.contains(#"["latex","pollen"]"#)
            )
            try await browser.visit("#/timeline?person=ada", ".shown .badge")
            let steps = try await browser.text(of: ".steps-list")
            #expect(steps.contains(#"changed Patient p1: allergies ["latex"] → ["latex","pollen"]"#))
            try await browser.takePicture("changes")
        }
    }

    @Test("masked values stay masked in lists of changes")
    func masked() async throws {
        let mask = EventMask([try MaskedField("Patient.allergies")])
        let configuration = ServerConfiguration(apps: ["ward-app": AppSettings(mask: mask)])
        try await ConsoleTests.inConsole(configuration) { browser, _, _ in
            let change = try await browser.text(of: ".results .changes")
            #expect(change.contains("masked") && !change.contains("latex"))
        }
    }
}
