import ChangeModel
import Synchronization

/// How far a session has come, for everybody who waits for that.
///
/// What is known comes from several tasks and may be old when it comes, so that each fact only grows: the later one is the greater one.
/// Whoever waits is woken by each change and looks again; one element is kept for each, so nobody misses the last one.
final class SyncBoard: Sendable {
    /// What is known of the file and the server.
    struct Facts: Sendable, Equatable {
        /// How often something changed.
        var version = 0
        /// Whether changes and entries are exchanged: the file was presented, and has what a snapshot had to bring.
        var isExchanging = false
        /// How often commits were seen.
        var commits = 0
        /// The position of the file.
        var position = 0
        /// The newest entry of which the server told.
        var head = 0
        /// The last own change that the server has for good.
        var acknowledged = 0
        /// The last own change that was made, as far as was looked.
        var made = 0
        /// How many objects of snapshots came in this session.
        var objects = 0
        /// How many attempts failed, and what the last one of them met.
        var failures = 0
        var failure: SyncError?
        /// Why waiting is in vain; nil while it is not.
        var end: SyncError?
    }

    private struct State {
        var facts = Facts()
        var watchers: [Int: AsyncStream<Void>.Continuation] = [:]
        var last = 0
    }

    private let state = Mutex(State())
    private let changed: @Sendable (Facts) -> Void

    /// Creates a board.
    ///
    /// - Parameter changed: Is told of each change, from any thread.
    init(changed: @escaping @Sendable (Facts) -> Void) { self.changed = changed }

    /// What is known now.
    var facts: Facts { state.withLock(\.facts) }

    /// Changes what is known, and wakes those who wait.
    private func note(_ change: (inout Facts) -> Void) {
        let (facts, watchers) = state.withLock { state in
            let before = state.facts
            change(&state.facts)
            guard state.facts != before else { return (Facts?.none, [AsyncStream<Void>.Continuation]()) }
            state.facts.version += 1
            return (state.facts, Array(state.watchers.values))
        }
        guard let facts else { return }
        for watcher in watchers { watcher.yield() }
        changed(facts)
    }

    /// Waits until something is so.
    ///
    /// - Parameters:
    ///   - failures: How many failures are too many, counted from the session's beginning; nil where none are.
    ///   - condition: Returns something as soon as it is so.
    /// - Returns: What the condition returns.
    /// - Throws: `CancellationError`, why waiting is in vain, and the last failure if these are too many.
    func until<Value: Sendable>(
        before failures: Int? = nil,
        _ condition: @Sendable (Facts) -> Value?
    ) async throws -> Value {
        let (stream, watcher) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        let number = state.withLock { state in
            state.last += 1
            state.watchers[state.last] = watcher
            return state.last
        }
        // Dropped behind the lock, as whoever it wakes may look at the board.
        defer { _ = state.withLock { $0.watchers.removeValue(forKey: number) } }
        watcher.yield()
        for await _ in stream {
            let facts = facts
            if let value = condition(facts) { return value }
            if let end = facts.end { throw end }
            if let failures, facts.failures >= failures, let failure = facts.failure { throw failure }
        }
        throw CancellationError()
    }
}

// MARK: - What happens

extension SyncBoard {
    func didBind(_ file: SyncState, head: Int) {
        note { facts in
            facts.look(at: file)
            facts.head = max(facts.head, head)
        }
    }

    func didBegin() { note { $0.isExchanging = true } }

    func didDisconnect() { note { $0.isExchanging = false } }

    func didFail(_ error: SyncError) {
        note { facts in
            facts.failures += 1
            facts.failure = error
        }
    }

    func didEnd(_ error: SyncError?) { note { $0.end = error } }

    func didSee(_ file: SyncState) { note { $0.look(at: file) } }

    func didCommit(_ file: SyncState?) {
        note { facts in
            facts.commits += 1
            if let file { facts.look(at: file) }
        }
    }

    func didTake(objects: Int) { note { $0.objects += objects } }

    func didAcknowledge(_ number: Int, head: Int) {
        note { facts in
            facts.acknowledged = max(facts.acknowledged, number)
            facts.made = max(facts.made, number)
            facts.head = max(facts.head, head)
        }
    }

    func didIntegrate(to position: Int, head: Int) {
        note { facts in
            facts.position = max(facts.position, position)
            facts.head = max(facts.head, head, position)
        }
    }

    /// Waits until the server has a change for good.
    func untilAcknowledged(_ number: Int, before failures: Int? = nil) async throws {
        try await until(before: failures) { $0.acknowledged >= number ? () : nil }
    }
}

extension SyncBoard.Facts {
    fileprivate mutating func look(at file: SyncState) {
        position = max(position, file.position)
        acknowledged = max(acknowledged, file.acknowledged)
        made = max(made, file.nextNumber - 1)
        head = max(head, position)
    }

    /// Whether something was exchanged since.
    func isBeyond(_ earlier: Self) -> Bool {
        position > earlier.position || acknowledged > earlier.acknowledged || objects > earlier.objects
    }
}
