import AuditServerTesting
import EventModel
import EventModelTesting
import EventProofs
import GRDB
import LogPublishing
import Testing

@testable import AuditHTTP
@testable import AuditModel
@testable import AuditReview
@testable import SQLiteStore

/// A server's database with a file that says how far its checks are, which tests edit behind the server's back.
struct EditedDatabase {
    /// What the server's own programs write, and a test puts back.
    private static let tables = [
        "AuditEvent", "Partition", "EventOwner", "PartitionLog", "Erasure", "ErasedRange", "PayloadKey",
    ]

    let folder: TestFolder
    var path: String { folder.file("db") }
    var checkPath: String { folder.file("log-check.json") }
    private(set) var server: TestServer

    /// Makes a database with two sealed partitions, see ``AlteredSample``.
    init(_ settings: AlertSettings = AlertSettings()) async throws {
        folder = try TestFolder.made()
        let store = try SQLiteEventStore(path: folder.file("db"))
        try await AlteredSample.fill(store)
        let now = EventInstant(microseconds: SampleDevice.received.microseconds + 1_000_000)
        let configuration = ServerConfiguration(alerts: settings)
        server = try await TestServer(store: store, configuration: configuration, clock: ManualClock(start: now))
            .publishing(LogFolder(at: folder.file("log"), in: POSIXFileSystem()))
            .checking(folder.file("log-check.json"))
    }

    /// The parts of a process that starts now, with an index and ids of its own.
    mutating func started() throws -> ServiceParts {
        server = try server.beside()
        return try server.service.parts(SearchIndex())
    }

    /// The same server over another database.
    func over(_ store: any AuditStore) -> EditedDatabase {
        var other = self
        other.server = server.over(store)
        return other
    }

    /// Runs statements behind the server's back.
    func edit(_ sql: String) async throws {
        try await DatabaseQueue.beside(path)
            .writeWithoutTransaction { try $0.execute(sql: "PRAGMA foreign_keys = OFF; \(sql)") }
    }

    /// Notes what all tables have.
    func keep() async throws {
        try await edit(Self.tables.map { "CREATE TABLE Kept\($0) AS SELECT * FROM \($0);" }.joined(separator: "\n"))
    }

    /// Puts back what all tables had, as a backup does.
    func repair() async throws {
        try await DatabaseQueue.beside(path)
            .writeWithoutTransaction { database in
                try database.execute(sql: "PRAGMA foreign_keys = OFF")
                for table in Self.tables {
                    // A column may have come since.
                    let names = try database.columns(in: "Kept\(table)").map { "\"\($0.name)\"" }
                        .joined(separator: ", ")
                    try database.execute(
                        sql: "DELETE FROM \(table); INSERT INTO \(table) (\(names)) SELECT \(names) FROM Kept\(table)"
                    )
                }
            }
    }
}

extension ReviewDesk {
    /// Compares the whole log, and verifies all that is stored once, from the first partition on.
    func checkEverything(published: LogPublisher? = nil) async throws {
        // What a process had begun before an edit says nothing of it.
        for _ in 1...2 {
            let before = try await verify(1, published: published?.newest?.checkpoint)
            while try await verify(1000, published: published?.newest?.checkpoint) == before {}
            for _ in 1...2 { try await compareLog() }
        }
    }

    /// What is wrong, all sentences.
    var sentences: [String] { findings.page.findings.flatMap(\.problems) }

    /// What reviewers are alerted of.
    var alertDetails: [String] { book.alerts.values.compactMap(\.alert.detail) }
}
