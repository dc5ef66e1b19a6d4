import Dispatch
import Synchronization

/// Ends progress notifications when it is invalidated, or let go.
public final class ProgressNotificationToken: Sendable {
    private let end: @Sendable () -> Void

    init(_ end: @escaping @Sendable () -> Void) { self.end = end }

    deinit { end() }

    /// Ends them; a call that is under way is not waited for.
    public func invalidate() { end() }
}

/// Who is told of the progress of a session, in order and on a queue, so that no one of them holds up the sync.
final class ProgressBoard: Sendable {
    private struct Listener: Sendable {
        let direction: SyncSession.ProgressDirection
        let mode: SyncSession.ProgressMode
        /// Where it began.
        let start: SyncBoard.Facts
        let block: @Sendable (SyncSession.Progress) -> Void
        var told: SyncSession.Progress?

        func progress(_ facts: SyncBoard.Facts) -> SyncSession.Progress {
            let isFixed = mode == .forCurrentlyOutstandingWork
            let (from, now, end) =
                switch direction {
                case .upload: (start.acknowledged, facts.acknowledged, isFixed ? start.made : facts.made)
                case .download: (start.position, facts.position, isFixed ? start.head : facts.head)
                }
            let whole = max(end - from, 0)
            return SyncSession.Progress(
                transferredBytes: isFixed ? min(now - from, whole) : now - from,
                transferrableBytes: whole
            )
        }
    }

    private struct State {
        var listeners: [Int: Listener] = [:]
        var last = 0
        /// The latest facts that were told; earlier ones may come later.
        var seen = SyncBoard.Facts()
    }

    private let state = Mutex(State())
    private let queue = DispatchQueue(label: "daybook.sync.progress")

    func add(
        _ direction: SyncSession.ProgressDirection,
        _ mode: SyncSession.ProgressMode,
        _ facts: SyncBoard.Facts,
        _ block: @escaping @Sendable (SyncSession.Progress) -> Void
    ) -> ProgressNotificationToken {
        let number = state.withLock { state in
            state.last += 1
            state.listeners[state.last] = Listener(direction: direction, mode: mode, start: facts, block: block)
            if facts.version > state.seen.version { state.seen = facts }
            tell(&state)
            return state.last
        }
        return ProgressNotificationToken { [weak self] in
            // Dropped behind the lock, as what the block holds may hold the token.
            _ = self?.state.withLock { $0.listeners.removeValue(forKey: number) }
        }
    }

    /// Tells those of whose direction something changed.
    func look(at facts: SyncBoard.Facts) {
        let ended = state.withLock { state in
            guard facts.version > state.seen.version else { return [Listener]() }
            state.seen = facts
            return tell(&state)
        }
        withExtendedLifetime(ended) {}
    }

    @discardableResult
    private func tell(_ state: inout State) -> [Listener] {
        var ended: [Listener] = []
        for (number, listener) in state.listeners.sorted(by: { $0.key < $1.key }) {
            let progress = listener.progress(state.seen)
            guard progress != listener.told else { continue }
            queue.async { listener.block(progress) }
            state.listeners[number]?.told = progress
            if listener.mode == .forCurrentlyOutstandingWork, progress.isTransferComplete {
                ended += [state.listeners.removeValue(forKey: number)].compactMap(\.self)
            }
        }
        return ended
    }

    func end() {
        let ended = state.withLock { state in
            defer { state.listeners = [:] }
            return state.listeners
        }
        withExtendedLifetime(ended) {}
    }
}
