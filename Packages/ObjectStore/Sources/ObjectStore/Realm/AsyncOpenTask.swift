import Synchronization

/// An asynchronous opening that can be cancelled.
public final class AsyncOpenTask: Sendable {
    private struct State {
        var isCancelled = false
        var work: Task<Void, Never>?
        var listeners: [@Sendable (Int, Int) -> Void] = []
        /// What was reported last, for those who listen later.
        var progress: (transferred: Int, transferrable: Int)?
    }

    private let state = Mutex(State())

    init() {}

    /// Lets the callback not be called, unless it was already, and ends the download.
    public func cancel() {
        let work = state.withLock { state in
            state.isCancelled = true
            state.listeners = []
            return state.work
        }
        work?.cancel()
    }

    var isCancelled: Bool { state.withLock(\.isCancelled) }

    /// Keeps the work that ends with the task.
    func hold(_ work: Task<Void, Never>) {
        let isCancelled = state.withLock { state in
            state.work = work
            return state.isCancelled
        }
        if isCancelled { work.cancel() }
    }

    /// Tells somebody of the progress of the download from now on, and at once where it is known.
    ///
    /// - Parameter listener: Is called on any thread with how much was transferred, and of how much; not any more once the opening is over.
    public func report(to listener: @escaping @Sendable (_ transferred: Int, _ transferrable: Int) -> Void) {
        let known = state.withLock { state in
            guard !state.isCancelled else { return nil as (Int, Int)? }
            state.listeners.append(listener)
            return state.progress
        }
        if let known { listener(known.0, known.1) }
    }

    /// Notes progress.
    func didTransfer(_ transferred: Int, of transferrable: Int) {
        let listeners = state.withLock { state in
            state.progress = (transferred, transferrable)
            return state.listeners
        }
        for listener in listeners { listener(transferred, transferrable) }
    }

    /// Forgets who listens; the opening is over.
    func end() { state.withLock { $0.listeners = [] } }
}
