import AuditServerTesting
import EventModel
import EventModelTesting
import EventProofs
import GRDB
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Testing

@testable import AuditHTTP
@testable import AuditModel
@testable import AuditReview
@testable import SQLiteStore

/// What is shown is bound to what was signed: whatever is changed behind the server's back is told.
@Suite("Columns that somebody altered")
struct AlteredColumnTests {
    /// Columns that are shown of nothing, or that nothing is over yet.
    private static let unshown: Set<String> = [
        // Places of the tree, which the next upload compares with its own root.
        "Partition.frontier",
        // The number of a row, which is put back by it; altered below.
        "EventOwner.id",
    ]

    private static func filled(_ path: String) async throws -> SQLiteEventStore {
        let store = try SQLiteEventStore(path: path)
        try await AlteredSample.fill(store)
        return store
    }

    /// Returns what reviewers are alerted of, or the words with which the verification fails.
    private static func findings(in store: any AuditStore) async throws -> [String] {
        let server = try await TestServer(store: store)
        let desk = try server.service.parts(SearchIndex()).desk
        do {
            try await desk.compareLog()
            try await desk.verify(1000)
        } catch let error as AuditServerError {
            return ["\(error)"]
        }
        return desk.book.alerts.values.compactMap(\.alert.detail)
    }

    @Test(
        "every column that is shown, altered in the database, is a finding",
        arguments: ["AuditEvent", "Partition", "EventOwner"]
    )
    func columns(table: String) async throws {
        let folder = try TestFolder.made()
        let path = folder.file("db")
        let store = try await Self.filled(path)
        #expect(try await Self.findings(in: store) == [])
        let database = try DatabaseQueue.beside(path)
        let names = try await database.read { try $0.columns(in: table).map(\.name) }
        #expect(names.count >= 3)

        for name in names where !Self.unshown.contains("\(table).\(name)") {
            // Of one row, so that nothing else moves with it.
            let found = try await database.read { database -> (Int64, DatabaseValue)? in
                let row = try Row.fetchOne(
                    database,
                    sql: "SELECT rowid, \"\(name)\" FROM \(table) ORDER BY rowid LIMIT 1"
                )
                return row.map { ($0[0], $0[1]) }
            }
            let (id, before) = try #require(found)
            let after: DatabaseValue =
                switch before.storage {
                case .int64(let number): (number + 1000).databaseValue
                case .string(let text): (text + "0").databaseValue
                case .null, .double, .blob: "0".databaseValue
                }
            func set(_ value: DatabaseValue) async throws {
                try await database.writeWithoutTransaction { database in
                    try database.execute(sql: "PRAGMA foreign_keys = OFF")
                    try database.execute(
                        sql: "UPDATE \(table) SET \"\(name)\" = ? WHERE rowid = ?",
                        arguments: [value, id]
                    )
                }
            }
            try await set(after)
            #expect(try await !Self.findings(in: store).isEmpty, "\(table).\(name)")
            try await set(before)
        }
        #expect(try await Self.findings(in: store) == [], "everything is as it was")
    }

    @Test(
        "what is altered is told, and so are the words for it",
        arguments: [
            ("UPDATE Partition SET seal = NULL WHERE rowid = 1", "its seal is in the log, and it is shown as open"),
            (
                "UPDATE Partition SET owner = (SELECT id FROM EventOwner WHERE user = 'mallory') WHERE rowid = 1",
                "its device signed for another app or user than it is shown with"
            ),
            (
                "UPDATE Partition SET received = received + 1 WHERE rowid = 1",
                "its time of receipt is not the one in the log"
            ),
            ("UPDATE AuditEvent SET daybook_repeated = 1 WHERE daybook_sequence = 2", "no longer make up an event"),
            (
                "UPDATE AuditEvent SET daybook_received = daybook_received - 60000000",
                "the time of receipt of events 1 to 3 is not the one that this server signed"
            ),
            (
                "UPDATE AuditEvent SET daybook_receipt = NULL",
                "the time of receipt of events 1 to 3 is not signed"
            ),
            (
                "DELETE FROM AuditEvent WHERE daybook_sequence = 2 AND rowid < 3",
                "the log has 3 events of it, and 2 are there"
            ),
            ("UPDATE EventOwner SET id = 1000 WHERE id = 1", "Entry 0 of the log is missing"),
            ("DELETE FROM Partition WHERE rowid = 1", "the log has 3 events of it, and it is gone"),
        ]
    )
    func words(sql: String, words: String) async throws {
        let folder = try TestFolder.made()
        let store = try await Self.filled(folder.file("db"))
        try await DatabaseQueue.beside(folder.file("db"))
            .writeWithoutTransaction { try $0.execute(sql: "PRAGMA foreign_keys = OFF; \(sql)") }

        #expect(try await Self.findings(in: store).contains { $0.contains(words) })
    }

    @Test("an event that is marked as a repetition of nothing is shown as damaged, and not hidden")
    func hidden() async throws {
        let folder = try TestFolder.made()
        let store = try await Self.filled(folder.file("db"))
        try await DatabaseQueue.beside(folder.file("db"))
            .write { try $0.execute(sql: "UPDATE AuditEvent SET daybook_repeated = 1 WHERE daybook_sequence = 2") }

        let filter = EventFilter(partition: AlteredSample.device.partition)
        let page = try await store.events(filter, after: nil, limit: 10, maximumBytes: 100_000)

        #expect(page.events.map(\.sequence) == [1, 2])
        #expect(page.events.last?.event == nil)
    }

    @Test("the page of an event says what is shown of its partition and was not signed")
    func shown() async throws {
        struct Detail: Decodable {
            let problems: [String]
        }
        let folder = try TestFolder.made()
        let server = try await TestServer(store: try await Self.filled(folder.file("db")))
        let auditor = try await server.headers(.auditor)
        let path = "/api/v1/partitions/\(AlteredSample.device.partition)/events/1"

        try await server.run { client in
            #expect(try await client.get(path, as: auditor).decoded(Detail.self).problems == [])
            let database = try DatabaseQueue.beside(folder.file("db"))
            // One of the three events of the stretch.
            let time = "UPDATE AuditEvent SET daybook_received = daybook_received + ? WHERE daybook_sequence = 1"
            try await database.write { try $0.execute(sql: time, arguments: [60_000_000]) }
            #expect(
                try await client.get(path, as: auditor).decoded(Detail.self).problems
                    == ["its time of receipt is not the one that this server signed"]
            )
            try await database.write { try $0.execute(sql: time, arguments: [-60_000_000]) }
            try await database.write { try $0.execute(sql: "UPDATE Partition SET seal = NULL") }
            #expect(
                try await client.get(path, as: auditor).decoded(Detail.self).problems
                    == ["its seal is in the log, and it is shown as open"]
            )
        }
    }

    @Test("a sealed partition whose events are gone is on the list at once, and until they are back")
    func completeness() async throws {
        struct Answer: Decodable {
            struct Missing: Decodable {
                let partition: PartitionID
                let sealed: UInt64
                let stored: UInt64
                let problems: [String]
            }
            let missing: [Missing]
        }
        let folder = try TestFolder.made()
        let server = try await TestServer(store: try await Self.filled(folder.file("db")))
        let auditor = try await server.headers(.auditor)
        let bounded = try await server.headers(.auditor(apps: ["other"]))

        try await server.run { client in
            func missing(_ headers: HTTPFields) async throws -> [Answer.Missing] {
                // The second question finds the log at its end, and the third looks at it again.
                for _ in 1...2 { _ = try await client.get("/api/v1/completeness/log", as: headers) }
                return try await client.get("/api/v1/completeness/log", as: headers).decoded(Answer.self).missing
            }
            #expect(try await missing(auditor).isEmpty)
            let database = try DatabaseQueue.beside(folder.file("db"))
            try await database.write { database in
                for sql in ["CREATE TABLE Away AS SELECT * FROM AuditEvent", "DELETE FROM AuditEvent"] {
                    try database.execute(
                        sql: "\(sql) WHERE _partition = ?",
                        arguments: [AlteredSample.device.partition.value]
                    )
                }
            }
            let found = try await missing(auditor)
            #expect(found.map(\.partition) == [AlteredSample.device.partition])
            #expect(found.first?.sealed == 3 && found.first?.stored == 0)
            #expect(found.first?.problems == ["the log has 3 events of it, and 0 are there"])
            #expect(try await missing(bounded).isEmpty)
            let alerts = try await client.get("/api/v1/alerts", as: auditor)
            #expect(String(buffer: alerts.body).contains("verifyFailure"))

            try await database.write { try $0.execute(sql: "INSERT INTO AuditEvent SELECT * FROM Away") }
            #expect(try await missing(auditor).isEmpty)
        }
    }
}
