import ChangeModel
import EventModel
import SQLiteStore
import SyncServer

/// Removes old entries from the logs of realms while devices work, as a server does that keeps them for a time.
///
/// A device that was away for longer then begins with a snapshot, and keeps what it did meanwhile.
struct LogShortener: Sendable {
    /// The time between two rounds.
    private static let rest = Duration.milliseconds(250)
    /// How often in turn the server may be writing just then.
    private static let mostFailures = 100
    /// How many entries one transaction removes.
    private static let step = 1000

    private let store: SQLiteChangeStore
    private let age: Double
    private let counts: LoadCounts

    /// Opens the server's database beside it.
    ///
    /// - Parameters:
    ///   - path: The database of the server's realms.
    ///   - seconds: How old entries are that go, in seconds.
    ///   - counts: Where it is counted.
    /// - Throws: `AuditServerError` when the database cannot be opened.
    init(path: String, keeping seconds: Double, counts: LoadCounts) throws {
        store = try SQLiteChangeStore(path: path)
        age = seconds
        self.counts = counts
    }

    /// Goes on until its task is cancelled.
    func run() async {
        var failures = 0
        while !Task.isCancelled {
            do {
                for realm in try await store.realms() { try await shorten(realm) }
                failures = 0
            } catch is CancellationError {
                return
            } catch SyncServerError.unavailable where failures < Self.mostFailures {
                // The server writes just now, and no process waits for another.
                failures += 1
            } catch {
                return counts.report("a log cannot be shortened: \(error)")
            }
            do {
                try await Task.sleep(for: Self.rest)
            } catch {
                return
            }
        }
    }

    private func shorten(_ realm: RealmName) async throws {
        let before = EventInstant(
            microseconds: SystemClock().now().wall.microseconds - Int64(age * 1_000_000)
        )
        let gone = try await store.shorten(realm, before: before, limit: Self.step)
        if gone.entries > 0 { counts.did(.shortened) }
    }
}
