import AuditHTTP
import AuditModel
import AuditServerTesting
import EventModel
import EventModelTesting
import Foundation
import GRDB
import SQLiteStore
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
        _ body: (Browser, TestFolder, SampleDevice) async throws -> Void
    ) async throws {
        let server = try await ConsoleServer(configuration)
        let device = try device()
        _ = try await server.store.accept(device.upload(1...3, seal: device.seal()))
        for (other, owner) in others {
            _ = try await server.store.accept(other.upload(1...other.events.count, owner: owner))
        }
        try await server.open(as: identity) { browser, _ in
            try await body(browser, server.folder, device)
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

            try await DatabaseQueue.beside(folder.file("db"))
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
}
