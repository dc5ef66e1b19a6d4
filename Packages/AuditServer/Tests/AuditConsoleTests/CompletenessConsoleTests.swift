import AuditHTTP
import AuditModel
import AuditServerTesting
import EventModel
import EventModelTesting
import EventProofs
import GRDB
import SQLiteStore
import Testing

@Suite("Completeness in the console", .enabled(if: Browser.isInstalled, Browser.skipped))
struct CompletenessConsoleTests {
    @Test("a sealed partition whose events are gone is shown in red, and the page of an event says what was not signed")
    func missing() async throws {
        let server = try await ConsoleServer()
        let partitions = try await Self.altered(server)

        try await server.open(as: .auditor) { browser, _ in
            try await ConsoleTests.open("#/completeness", in: browser)
            let missing = try await browser.text(of: ".missing tbody")
            #expect(missing.contains(partitions.gone))
            #expect(missing.contains("the log has 2 events of it, and 0 are there"))
            let found = try await browser.text(of: ".checked .findings")
            #expect(found.contains("Partition \(partitions.gone): the log has 2 events of it, and 0 are there."))
            #expect(found.contains("Partition \(partitions.open): its seal is in the log, and it is shown as open."))
            let figure = try await browser.text(of: ".completeness li.bad strong")
            #expect(figure == "2", "the one that is gone, and the one that is shown as open")

            try await ConsoleTests.open("#/event/\(partitions.open)/1", in: browser)
            let said = try await browser.text(of: ".held .unsigned")
            #expect(said.contains("its seal is in the log, and it is shown as open"))
        }
    }

    @Test("where nothing is wrong with what is stored, one calm line says so")
    func checked() async throws {
        let server = try await ConsoleServer()
        _ = try await Self.sealed(in: server)

        try await server.open(as: .auditor) { browser, _ in
            try await ConsoleTests.open("#/completeness", in: browser)
            // The watch of the server may have been everywhere by now, or be on its way.
            let calm = try await browser.text(of: ".checked .lead")
            #expect(calm.contains("compared with the log"))
            let others = try await browser.run("return document.querySelectorAll('.checked > :not(h2, .lead)').length")
            #expect(others == "0")
        }
    }

    @Test("a partition whose one before never came is shown in red, as the server says, and the others are not")
    func gap() async throws {
        let server = try await ConsoleServer()
        var (first, second) = (SampleDevice(1), SampleDevice(2))
        first.record(["a"])
        second.record(["b"])
        _ = try await server.store.accept(first.upload(1...1, seal: first.seal()))
        _ = try await server.store.accept(second.upload(1...1, seal: second.seal(after: MerkleHash.leaf([1]))))

        try await server.open(as: .auditor) { browser, _ in
            try await ConsoleTests.open("#/completeness", in: browser)
            let figure = try await browser.text(of: ".completeness li.bad")
            #expect(figure.contains("missing partitions"))
            let states = try await browser.run(
                "return [...document.querySelectorAll('.device td[data-label=State]')].map(({ innerText }) => innerText).join()"
            )
            #expect(states == "Closed and signed,The one before is missing")
        }
    }

    /// Seals two partitions, and takes the events of one and the seal of the other away behind the server's back.
    private static func altered(_ server: ConsoleServer) async throws -> (gone: String, open: String) {
        let devices = try await sealed(in: server)
        try await DatabaseQueue.beside(server.folder.file("db"))
            .write { database in
                try database.execute(sql: "DELETE FROM AuditEvent WHERE _partition = ?", arguments: [devices.gone])
                try database.execute(sql: "UPDATE Partition SET seal = NULL WHERE value = ?", arguments: [devices.open])
            }
        return devices
    }

    private static func sealed(in server: ConsoleServer) async throws -> (gone: String, open: String) {
        var (gone, open) = (SampleDevice(1), SampleDevice(2))
        gone.record(["a", "b"])
        open.record(["c"])
        _ = try await server.store.accept(gone.upload(1...2, seal: gone.seal()))
        _ = try await server.store.accept(open.upload(1...1, seal: open.seal()))
        return (gone.partition.value, open.partition.value)
    }
}
