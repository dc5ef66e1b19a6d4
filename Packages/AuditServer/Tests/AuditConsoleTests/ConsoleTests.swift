import AuditServer
import AuditServerTesting
import EventModel
import Foundation
import GRDB
import Testing

@Suite("Console in a browser", .enabled(if: Browser.isInstalled, Browser.skipped), .serialized)
struct ConsoleTests {
    private static let hostile = "<script>window.hacked=1</script><img src=x onerror=window.hacked=1>"

    /// A device that read two patients, changed one and closed its partition.
    private static func device() throws -> SampleDevice {
        var device = SampleDevice()
        let metadata = try EventMetadata(["userId": "ada", "note": hostile])
        let patients = """
            {"type":"Patient","value":[{"_id":"p1","name":"Anna Berg","allergies":["latex"]},{"_id":"p2","name":"\(hostile)"}]}
            """
        let change = """
            {"Patient":{"modifications":[{"newValue":{"allergies":["latex","pollen"]},\
            "oldValue":{"_id":"p1","allergies":["latex"],"name":"Anna Berg"}}]}}
            """
        device.record(device.event("Open chart", data: patients, metadata: metadata))
        device.record(device.event("Correct \(hostile)", event: "write", data: change, metadata: metadata))
        device.record(device.event("Pressed Save", event: "button", data: hostile, metadata: metadata))
        return device
    }

    /// Runs a test in a browser whose auditor has signed in.
    ///
    /// - Parameters:
    ///   - identity: Who signs in.
    ///   - configuration: How the server behaves.
    ///   - others: More devices and whose they are; their partitions stay open.
    ///   - body: The test, with the folder of the database and the device that closed its partition.
    /// - Throws: What the body throws, and what keeps the server or the browser from starting.
    static func inConsole(
        as identity: Identity = .auditor,
        _ configuration: ServerConfiguration = ServerConfiguration(),
        with others: [(device: SampleDevice, owner: EventOwner)] = [],
        _ body: (Browser, TemporaryFolder, SampleDevice) async throws -> Void
    ) async throws {
        let folder = try TemporaryFolder()
        let store = try SQLiteEventStore(path: folder.file("db"))
        let device = try device()
        _ = try await store.accept(device.upload(1...3, seal: device.seal()))
        for (other, owner) in others {
            _ = try await store.accept(other.upload(1...other.events.count, owner: owner))
        }
        let tokens = try await TokenIssuer(key: TokenIssuer.makeKey(), clock: SystemClock())
        let service = AuditService(
            configuration: configuration,
            store: store,
            accounts: InMemoryAccountStore(),
            tokens: tokens,
            key: try SigningKey(SigningKey.makeKey())
        )
        let token = try await tokens.issue(identity, for: .access)
        try await RunningServer.with(service) { port in
            let browser = try await Browser()
            try await browser.resize(1280, 900, isDark: false)
            try await browser.open("http://127.0.0.1:\(port)/console")
            _ = try await browser.text(of: "#token")
            try await browser.run(
                "document.querySelector('#token').value = '\(token)'; document.querySelector('form').requestSubmit()"
            )
            _ = try await browser.text(of: ".results tbody tr")
            try await body(browser, folder, device)
            let hacked = try await browser.run("return window.hacked")
            #expect(hacked == "undefined", "what is stored is text and nothing else")
            try await browser.close()
        }
    }

    static func open(_ address: String, in browser: Browser) async throws {
        try await browser.run("location.hash = '\(address)'")
    }

    @Test("an auditor searches, opens an event and sees that it is proven, and a changed byte turns the badge red")
    func proof() async throws {
        try await Self.inConsole { browser, folder, device in
            let rows = try await browser.run("return document.querySelectorAll('.results tbody tr').length")
            #expect(rows == "3")
            try await Self.open("#/event/\(device.partition.value)/1", in: browser)
            let proven = try await browser.text(of: ".proof.proven .badge")
            #expect(proven == "Proven")
            let shown = try await browser.text(of: ".held")
            #expect(shown.contains("Anna Berg") && shown.contains(Self.hostile))

            try await DatabaseQueue(path: folder.file("db"))
                .write { database in
                    try database.execute(
                        sql: "UPDATE AuditEvent SET activity = activity || '.' WHERE daybook_owner = 1"
                    )
                }
            try await Self.open("#/event/\(device.partition.value)/2", in: browser)
            let broken = try await browser.text(of: ".proof.broken .badge")
            #expect(broken == "Does not match")
            let steps = try await browser.text(of: ".proof.broken ol")
            #expect(steps.contains("The event is not what arrived"))
            try await browser.takePicture("broken")
            try await Self.open("#/search", in: browser)
            let flag = try await browser.text(of: ".results .badge.broken")
            #expect(flag == "Changed")
        }
    }

    @Test("old and new values stand side by side, and only what differs is marked")
    func changes() async throws {
        try await Self.inConsole { browser, _, device in
            try await Self.open("#/event/\(device.partition.value)/2", in: browser)
            let added = try await browser.text(of: ".comparison ins")
            #expect(added == "pollen")
            let marks = try await browser.run(
                "return document.querySelectorAll('.comparison ins, .comparison del').length"
            )
            #expect(marks == "1")
        }
    }

    @Test("everything about an object and everything that a person did are searches with an address")
    func subjects() async throws {
        try await Self.inConsole { browser, _, _ in
            try await Self.open("#/search?class=Patient&key=p1&order=oldest", in: browser)
            _ = try await browser.text(of: ".chips")
            _ = try await browser.text(of: ".results tbody tr:nth-child(2)")
            let rows = try await browser.run("return document.querySelectorAll('.results tbody tr').length")
            #expect(rows == "2")
            try await Self.open("#/search?person=ada", in: browser)
            _ = try await browser.text(of: ".results tbody tr:nth-child(3)")
            let title = try await browser.text(of: "h1")
            #expect(title == "Everything that ada did")
        }
    }

    @Test("no page is wider than its window, has a control without a name, or asks for what the policy forbids")
    func pages() async throws {
        try await Self.inConsole { browser, _, device in
            try await browser.run(
                "window.refused = 0; document.addEventListener('securitypolicyviolation', () => window.refused++)"
            )
            let pages = [
                ("search", "#/search", ".volume .caption"),
                ("event", "#/event/\(device.partition.value)/2", ".proof.proven"),
                ("completeness", "#/completeness", ".figures"), ("trail", "#/trail", ".results tbody tr.audit"),
            ]
            for (width, height) in [(1280, 900), (390, 844)] {
                for isDark in [false, true] {
                    try await browser.resize(width, height, isDark: isDark)
                    for (name, address, selector) in pages {
                        try await Self.open(address, in: browser)
                        _ = try await browser.text(of: selector)
                        let wide = try await browser.run("return document.documentElement.scrollWidth")
                        #expect(wide == "\(width)", "\(name)")
                        let nameless = try await browser.run(Self.namelessControls)
                        #expect(nameless == "", "\(name)")
                        try await browser.takePicture("\(name)-\(width)-\(isDark ? "dark" : "light")")
                    }
                }
            }
            let refused = try await browser.run("return window.refused")
            #expect(refused == "0")
        }
    }

    /// Lists the controls that a screen reader could not name.
    static let namelessControls = """
        return [...document.querySelectorAll("button, a, input, select, textarea")]
          .filter((control) => !control.innerText?.trim() && !control.labels?.length && !control.ariaLabel && control.checkVisibility())
          .map((control) => control.outerHTML).join()
        """

    @Test("signing out ends the session, and a wrong token is refused with a sentence")
    func session() async throws {
        try await Self.inConsole { browser, _, _ in
            try await browser.run("document.querySelector('#leave').click()")
            _ = try await browser.text(of: "#token")
            try await browser.run(
                "document.querySelector('#token').value = 'no token'; document.querySelector('form').requestSubmit()"
            )
            let message = try await browser.text(of: ".message:not(:empty)")
            #expect(message.contains("signed out") || message.contains("not accepted"))
            let status = try await browser.run("return (await fetch('/api/v1/search')).status")
            #expect(status == "401")
        }
    }
}
