import AuditAccounts
import AuditHTTP
import AuditModel
import AuditServerTesting
import Daybook
import EventModelTesting
import Foundation
import GRDB
import SQLiteStore
import Testing

/// A server of ours in this process, on a free port of this machine, for as long as a test needs it.
struct ServerUnderTest: Sendable {
    /// Where it listens.
    let url: String
    /// The folder of the test; the server's own is `server` below it.
    let folder: URL
    let store: SQLiteEventStore

    private var database: String { folder.appending(path: "events.sqlite").path }

    /// Starts a server, runs a test, and stops the server.
    ///
    /// - Parameters:
    ///   - configuration: How it behaves; in Development Mode, with passwords that cost little.
    ///   - clock: The server's clock.
    ///   - body: The test.
    /// - Throws: What starting the server or the test throws.
    static func run(
        _ configuration: ServerConfiguration = ServerConfiguration(passwordCost: 10),
        clock: any EventClock = SystemClock(),
        _ body: @MainActor (ServerUnderTest) async throws -> Void
    ) async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "upload-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer {
            do {
                try FileManager.default.removeTestFolder(folder)
            } catch {
                Issue.record("The folder of the test cannot be removed: \(error)")
            }
        }
        let store = try SQLiteEventStore(path: folder.appending(path: "events.sqlite").path)
        let service = AuditService(
            configuration: configuration,
            store: store,
            index: try SearchIndex(),
            accounts: try SQLiteAccountStore(path: folder.appending(path: "accounts.sqlite").path),
            tokens: try await TokenIssuer(key: TokenIssuer.makeKey(), clock: clock),
            key: try SigningKey(SigningKey.makeKey()),
            clock: clock
        )
        try await service.prepareCollections()
        try await RunningServer.with(service) { port in
            try await body(ServerUnderTest(url: "http://127.0.0.1:\(port)", folder: folder, store: store))
        }
    }

    /// All events that it holds, by partition and sequence.
    func storedEvents() async throws -> [StoredEvent] {
        var events: [StoredEvent] = []
        var cursor: EventCursor?
        repeat {
            let page = try await store.events(EventFilter(), after: cursor, limit: 5000, maximumBytes: 1 << 26)
            events += page.events
            cursor = page.next
        } while cursor != nil
        return events
    }

    /// The registrations of devices' keys in the auditors' trail.
    func registrations() async throws -> [StoredEvent] {
        let filter = EventFilter(app: "daybook/auditors", activity: "register device key")
        return try await store.events(filter, after: nil, limit: 100, maximumBytes: 1 << 20).events
    }

    /// The activities of all events, in the order of their times.
    func activities() async throws -> [String] {
        try await storedEvents().compactMap(\.event).sorted { $0.timestamp < $1.timestamp }.map(\.activity)
    }

    /// Changes the database behind the server's back.
    func tamper(_ sql: String) async throws {
        try await DatabaseQueue.beside(database).write { try $0.execute(sql: sql) }
    }
}
