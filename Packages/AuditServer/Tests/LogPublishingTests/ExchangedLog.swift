import AuditModel
import EventModel
import EventProofs
import Synchronization

/// A log whose database somebody exchanges while the server runs.
final class ExchangedLog: SealLog {
    private struct State {
        var tree: any SealLog
        var entries: any SealLog
    }

    private let state: Mutex<State>

    init(_ log: any SealLog) { state = Mutex(State(tree: log, entries: log)) }

    func exchange(for log: any SealLog) { state.withLock { $0 = State(tree: log, entries: log) } }

    func exchangeEntries(for log: any SealLog) { state.withLock { $0.entries = log } }

    func withLog<T: Sendable>(
        durably: Bool,
        _ body: @escaping @Sendable (StoredMerkleTree<any Error>) throws -> T
    ) async throws -> T {
        let tree = state.withLock { $0.tree }
        return try await tree.withLog(durably: durably, body)
    }

    func logEntries(from index: UInt64, limit: Int, maximumBytes: Int) async throws -> [PartitionLogEntry] {
        let entries = state.withLock { $0.entries }
        return try await entries.logEntries(from: index, limit: limit, maximumBytes: maximumBytes)
    }

    func logEntry(of partition: PartitionID) async throws -> PartitionLogEntry? {
        let entries = state.withLock { $0.entries }
        return try await entries.logEntry(of: partition)
    }

    func deviceKeys(from index: UInt64, limit: Int) async throws -> [DeviceKeyRecord] {
        let entries = state.withLock { $0.entries }
        return try await entries.deviceKeys(from: index, limit: limit)
    }
}
