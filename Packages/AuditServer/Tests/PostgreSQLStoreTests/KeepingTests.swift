import ArgumentParser
import AuditExport
import AuditHTTP
import AuditModel
import AuditServerTesting
import AuditVerifying
import DaybookCommand
import EventModel
import EventModelTesting
import EventProofs
import Foundation
import SQLiteStore
import Testing

@testable import PostgreSQLStore

/// What administrators and auditors do with a server over PostgreSQL; what they do over any store is shown in AuditServerTests.
@Suite("Exports and erasures on PostgreSQL", .enabled(if: PostgreSQLServer.isInstalled, PostgreSQLServer.skipped))
struct KeepingTests {
    private static let act = LegalHold.Act(by: "t", at: SampleDevice.received, reason: "r")

    private func open(_ address: String) async throws -> PostgreSQLEventStore {
        try await PostgreSQLEventStore(
            PostgreSQLConfiguration.patient(address)
        )
    }

    private func erase(_ sequences: [UInt64], of device: SampleDevice, in store: PostgreSQLEventStore) async throws {
        let order = ErasureOrder(kind: .request, begun: Self.act, filter: KeepingFilter(person: "p"))
        let erasure = try await store.begin(order).number
        let places = sequences.map { EventAddress(partition: device.partition, sequence: $0) }
        let step = try await store.erase(places, for: erasure)
        #expect(step.erased == sequences.count)
        _ = try await store.finish(erasure)
    }

    // MARK: - Exports

    private func daybook(_ arguments: [String]) async throws {
        var command = try #require(try DaybookCommand.parseAsRoot(arguments) as? any AsyncParsableCommand)
        try await command.run()
    }

    private func manifest(_ folder: String) throws -> ExportManifest {
        try JSONDecoder().decode(ExportManifest.self, from: Data(contentsOf: URL(filePath: "\(folder)/manifest.json")))
    }

    @Test("the command has exactly the filtered events exported, signed, and verifies them from the files alone")
    func exporting() async throws {
        let folder = try TestFolder.made()
        let data = try DataFolder(folder.file("data"))
        let server = try await PostgreSQLServer.shared()
        let address = try await server.makeDatabase()
        let store = try await open(address)
        var device = SampleDevice()
        for number in 1...1200 {
            let metadata = try EventMetadata(number.isMultiple(of: 2) ? ["userId": "ada", "note": "\u{0}=1+1"] : [:])
            let text = #"{"type":"Patient","value":[{"_id":"p\#(number % 3)"}]}"#
            device.record(device.event("Rounds \(number % 3)", data: text, metadata: metadata))
        }
        var other = SampleDevice(2)
        other.record(["Rounds 1", "Handover"])
        _ = try await store.accept(device.upload(1...1200, seal: device.seal()))
        _ = try await store.accept(other.upload(1...2))
        let key = try data.signingKey()
        let service = AuditService(
            configuration: ServerConfiguration(),
            store: store,
            index: try SearchIndex(),
            accounts: InMemoryAccountStore(),
            tokens: try await data.tokenIssuer(clock: SystemClock()),
            key: key,
            exports: try ExportFolder(data.exportsPath)
        )
        let formats = ["csv", "jsonl", "fhir", "ocsf"].flatMap { ["--format", $0] }

        try await RunningServer.with(service) { port in
            func export(_ name: String, _ filter: [String] = []) async throws -> String {
                let place = ["--server", "http://127.0.0.1:\(port)", "--token-file", data.auditorTokenPath]
                try await daybook(["export", "--out", folder.file(name)] + place + formats + filter)
                return folder.file(name)
            }
            for (name, filter, events, partitions) in [
                ("activity", ["--activity", "Rounds 1"], 401, 2), ("person", ["--person", "ada"], 600, 1),
                ("object", ["--class", "Patient", "--key", "p2"], 400, 1), ("none", ["--person", "bob"], 0, 0),
            ] as [(String, [String], UInt64, UInt64)] {
                let out = try await export(name, filter)
                #expect(try manifest(out).events == events, "\(name)")
                #expect(try manifest(out).partitions == partitions, "\(name)")
                #expect(try manifest(out).isSigned)
                try await daybook(["verify", out, "--key", Hexadecimal.text(key.exportKey.publicKey)])
            }

            try await erase([3, 4, 1200], of: device, in: store)
            let whole = try await export("whole")
            #expect(try manifest(whole).events == 1202)
            #expect(try manifest(whole).erasedEvents == 3)
            try await daybook(["verify", whole])

            try await server.sql("UPDATE AuditEvent SET activity = 'x' WHERE daybook_sequence = 7", at: address)
            await #expect(throws: ExitCode(1)) { _ = try await export("changed") }
            #expect(try manifest(folder.file("changed")).changedEvents == 1)
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: data.exportsPath).isEmpty)

        let csv = URL(filePath: folder.file("whole/events.csv"))
        var text = try Data(contentsOf: csv)
        let place = try #require(text.range(of: Data("Handover".utf8))).lowerBound
        text[place] ^= 1
        try text.write(to: csv)
        await #expect(throws: ExitCode(1)) { try await daybook(["verify", folder.file("whole"), "--json"]) }
    }

    // MARK: - Erasures

    /// The tables that hold a text in any column of any row, also in the hexadecimal digits of bytes.
    private func tables(holding text: String, _ server: PostgreSQLServer, at address: String) async throws -> [String] {
        let names =
            try await server.texts(
                """
                SELECT pg_class.oid::regclass::text FROM pg_class JOIN pg_namespace ON pg_namespace.oid = relnamespace
                WHERE nspname = 'public' AND relkind = 'r' ORDER BY 1
                """,
                at: address
            )
            .compactMap(\.self)
        #expect(names.count > 10)
        let digits = Hexadecimal.text(Array(text.utf8))
        let parts = names.map { name in
            """
            SELECT '\(name)' WHERE EXISTS (SELECT FROM \(name) AS line
                WHERE position('\(text)' IN line::text) > 0 OR position('\(digits)' IN line::text) > 0)
            """
        }
        return try await server.texts(parts.joined(separator: " UNION ALL "), at: address).compactMap(\.self)
    }

    /// The files of a database, as the server has them on its disk.
    private func files(_ server: PostgreSQLServer, at address: String) async throws -> [Data] {
        try await server.sql("CHECKPOINT", at: address)
        let oid = try await server.texts(
            "SELECT oid::text FROM pg_database WHERE datname = current_database()",
            at: address
        )
        let path = "\(server.folder)/primary/base/\(try #require(oid.compactMap(\.self).first))"
        return try FileManager.default.contentsOfDirectory(atPath: path)
            .compactMap { FileManager.default.contents(atPath: "\(path)/\($0)") }
    }

    @Test("events that were stored before there were keys are erased, and what they said is in no table and no file")
    func withoutKeys() async throws {
        let server = try await PostgreSQLServer.shared()
        let address = try await server.makeDatabase()
        let store = try await open(address)
        var device = SampleDevice()
        for number in 1...6 {
            let secret = "secret-of-\(number)-"
            device.record(
                device.event(
                    "act-\(secret)",
                    event: number == 2 ? nil : "type-\(secret)",
                    data: number == 3 ? nil : #"{"value":["\#(secret)"]}"#,
                    metadata: try EventMetadata(["who": "meta-\(secret)"])
                )
            )
        }
        _ = try await store.accept(device.upload(1...6, seal: device.seal()))
        for (index, event) in device.events.enumerated() {
            let data = event.dataText.map { "'\($0)'" } ?? "NULL"
            try await server.sql(
                "UPDATE AuditEvent SET data = \(data), daybook_payload = NULL WHERE daybook_sequence = \(index + 1)",
                at: address
            )
        }
        try await server.sql("DELETE FROM PayloadKey", at: address)
        // A later upload has keys, beside events that have none.
        var later = SampleDevice(2)
        later.record(later.event("secret-of-7-", data: "secret-of-7-"))
        _ = try await store.accept(later.upload(1...1))
        let everything = EventFilter(includesRepeated: true)
        let before = try await store.events(everything, after: nil, limit: 10, maximumBytes: 10_000).events
        #expect(before.compactMap(\.event) == device.events + later.events)
        #expect(
            try await tables(holding: "secret-of-2-", server, at: address).map { $0.hasPrefix("auditevent_") } == [true]
        )

        try await erase([2, 3, 6], of: device, in: store)
        try await erase([1], of: later, in: store)

        let after = try await store.events(everything, after: nil, limit: 10, maximumBytes: 10_000).events
        #expect(after.map(\.outcome) == [.complete, .erased, .erased, .complete, .complete, .erased, .erased])
        for number in [2, 3, 6, 7] {
            #expect(try await tables(holding: "secret-of-\(number)-", server, at: address) == [], "\(number)")
        }
        #expect(
            try await tables(holding: "secret-of-5-", server, at: address).map { $0.hasPrefix("auditevent_") } == [true]
        )
        let record = try #require(try await store.partition(device.partition))
        var audit = PartitionAudit(partition: device.partition)
        for stored in after where stored.partition == device.partition { audit.add(StoredLeaf(stored)) }
        audit.finish(count: record.count, root: record.root, seal: record.seal)
        #expect(audit.problems == [])
        #expect(audit.erasedCount == 3)

        // What a transaction of the system's own, such as one that collects statistics, could still see stays for the next time.
        var held: [Int] = []
        for _ in 1...200 where held != [1, 4, 5] {
            try await server.sql("VACUUM (FULL) AuditEvent", at: address)
            try await server.sql("VACUUM (FULL) PayloadKey", at: address)
            let files = try await files(server, at: address)
            held = (1...7)
                .filter { number in
                    files.contains { $0.range(of: Data("secret-of-\(number)-".utf8)) != nil }
                }
        }
        #expect(held == [1, 4, 5])
    }
}
