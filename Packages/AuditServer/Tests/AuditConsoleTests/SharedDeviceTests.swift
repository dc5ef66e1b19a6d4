import AuditHTTP
import AuditModel
import AuditServerTesting
import EventModel
import SQLiteStore
import Testing

@Suite("Several people at one device in the console", .enabled(if: Browser.isInstalled, Browser.skipped))
struct SharedDeviceTests {
    /// Two nurses with one account, who take turns at one tablet.
    private static func server() async throws -> (ConsoleServer, SampleDevice) {
        let server = try await ConsoleServer()
        var device = SampleDevice()
        for (index, nurse) in ["ada", "bob", "ada", "bob", "bob"].enumerated() {
            let data = #"{"type":"Patient","value":[{"_id":"p\#(index + 1)"}]}"#
            let metadata = try EventMetadata(["device": "Tablet 7", "nurse": nurse])
            device.record(device.event("Rounds \(index + 1)", data: data, metadata: metadata))
        }
        _ = try await server.store.accept(device.upload(1...5))
        return (server, device)
    }

    private static let whose =
        "return [...document.querySelectorAll('.step .whose')].map((one) => one.textContent).join()"

    @Test("each step says whose it is, and a name leads to the steps of that person alone")
    func names() async throws {
        let (server, _) = try await Self.server()
        try await server.open(as: .auditor) { browser, _ in
            try await browser.visit("#/timeline?person=\(SampleDevice.owner.user)", ".shown .badge")
            #expect(try await browser.run(Self.whose) == "ada,bob,ada,bob,bob")
            #expect(try await browser.text(of: ".position").contains("by ada"))
            #expect(try await browser.text(of: ".people").contains("bob 3"))
            try await browser.takePicture("shared-device")
            try await browser.run("document.querySelector(\".people a[aria-label='Only the steps of bob']\").click()")
            _ = try await browser.text(of: ".session:not(:has(.people)) .shown .badge")
            #expect(try await browser.text(of: "h1") == "Session of bob")
            #expect(try await browser.run(Self.whose) == "bob,bob,bob")
        }
    }

    @Test("stepping through from an event shows the session of the person, not of all who share the account")
    func session() async throws {
        let (server, device) = try await Self.server()
        try await server.open(as: .auditor) { browser, _ in
            try await browser.visit("#/event/\(device.partition.value)/2", ".proof.held")
            let before = try await browser.run(
                "return decodeURIComponent([...document.querySelectorAll('.facts a')].find((a) => a.textContent.startsWith('What this person')).hash)"
            )
            #expect(before.contains("person=bob"))
            try await browser.run(
                "[...document.querySelectorAll('.tools a')].find((a) => a.textContent === 'Step through this session').click()"
            )
            _ = try await browser.text(of: ".shown .badge")
            #expect(try await browser.run(Self.whose) == "bob,bob,bob")
            // The others at the device are one step away.
            try await browser.run("document.querySelector('.people a').click()")
            _ = try await browser.text(of: "ul.people")
            #expect(try await browser.run(Self.whose) == "ada,bob,ada,bob,bob")
        }
    }

    @Test("the page of an account names the people who used it")
    func account() async throws {
        let (server, _) = try await Self.server()
        try await server.open(as: .auditor) { browser, _ in
            try await browser.visit("#/person/\(SampleDevice.owner.user)", ".subject .tallies")
            let page = try await browser.text(of: ".subject .parts")
            #expect(page.contains("Who that is, by name") && page.contains("bob") && page.contains("ada"))
        }
    }
}
