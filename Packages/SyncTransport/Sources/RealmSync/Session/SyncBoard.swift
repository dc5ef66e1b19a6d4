import ChangeModel
import Synchronization

/// How far a session has come, for everybody who waits for that.
///
/// Whoever waits is woken by each change and looks again; one element is kept for each, so nobody misses the last one.
final class SyncBoard: Sendable {
    /// What is known of the file and the server.
    struct Facts: Sendable, Equatable {
        /// Whether the file has been presented in the connection that there is.
        var isConnected = false
        /// How often it has been.
        var connections = 0
        /// The position of the file.
        var position = 0
        /// The newest entry of which the server told.
        var head = 0
        /// The last own change that the server has for good.
        var acknowledged = 0
        /// The last own change that was made, as far as was looked.
        var made = 0
        /// How many bytes of changes wait for their entries, as far as was looked.
        var pendingBytes = 0
        /// How many bytes of changes were acknowledged in this session.
        var sentBytes = 0
        /// How many objects of snapshots came in this session.
        var objects = 0
        /// Why waiting is in vain; nil while it is not.
        var end: SyncError?
    }

    private struct State {
        var facts = Facts()
        var watchers: [Int: AsyncStream<Void>.Continuation] = [:]
        var last = 0
    }

    private let state = Mutex(State())
    private let rejected: @Sendable ([Integrated.RejectedWrite]) -> Void
    private let changed: @Sendable (Facts) -> Void

    /// Creates a board.
    ///
    /// - Parameters:
    ///   - rejected: Is told of own writes that were undone.
    ///   - changed: Is told of each change, from any thread.
    init(
        rejected: @escaping @Sendable ([Integrated.RejectedWrite]) -> Void,
        changed: @escaping @Sendable (Facts) -> Void
    ) {
        self.rejected = rejected
        self.changed = changed
    }

    /// What is known now.
    var facts: Facts { state.withLock(\.facts) }

    /// Changes what is known, and wakes those who wait.
    func note(_ change: (inout Facts) -> Void) {
        let (facts, watchers) = state.withLock { state in
            let before = state.facts
            change(&state.facts)
            return state.facts == before ? (nil, []) : (state.facts, Array(state.watchers.values))
        }
        guard let facts else { return }
        for watcher in watchers { watcher.yield() }
        changed(facts)
    }

    /// Waits until something is so.
    ///
    /// - Returns: What the condition returns.
    /// - Throws: `CancellationError`, and why waiting is in vain.
    func until<Value: Sendable>(_ condition: @Sendable (Facts) -> Value?) async throws -> Value {
        let (stream, watcher) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        let number = state.withLock { state in
            state.last += 1
            state.watchers[state.last] = watcher
            return state.last
        }
        defer { state.withLock { $0.watchers[number] = nil } }
        watcher.yield()
        for await _ in stream {
            let facts = facts
            if let value = condition(facts) { return value }
            if let end = facts.end { throw end }
        }
        throw CancellationError()
    }
}

// MARK: - What happens

extension SyncBoard {
    func didConnect(_ file: SyncState, head: Int) {
        note { facts in
            facts.isConnected = true
            facts.connections += 1
            facts.look(at: file)
            facts.head = max(facts.head, head)
        }
    }

    func didSee(_ file: SyncState) { note { $0.look(at: file) } }

    func didTake(objects: Int) { note { $0.objects += objects } }

    func didAcknowledge(_ number: Int, bytes: Int, head: Int) {
        note { facts in
            facts.acknowledged = max(facts.acknowledged, number)
            facts.sentBytes += bytes
            facts.head = max(facts.head, head)
        }
    }

    func didIntegrate(to position: Int, head: Int?) {
        note { facts in
            facts.position = position
            facts.head = max(facts.head, head ?? 0, position)
        }
    }

    func didReject(_ writes: [Integrated.RejectedWrite]) { rejected(writes) }

    /// Waits until the server has a change for good, in this connection.
    func untilAcknowledged(_ number: Int) async throws {
        try await until { $0.acknowledged >= number ? () : nil }
    }
}

extension SyncBoard.Facts {
    fileprivate mutating func look(at file: SyncState) {
        position = file.position
        acknowledged = max(acknowledged, file.acknowledged)
        made = max(made, file.nextNumber - 1)
        pendingBytes = file.pendingBytes
    }
}
