import Synchronization

/// The right to write to one file in this process: given to whoever asked first, blocked or not.
final class WriteLock: Sendable {
    private struct State {
        var isTaken = false
        var waiting: [WriteTicket] = []
    }

    private let state = Mutex(State())

    /// Takes the lock; waits for all who asked before.
    func wait() {
        request {}.wait()
    }

    /// Gives the lock back, to the next who asked.
    func signal() {
        let next: WriteTicket? = state.withLock { state in
            guard !state.waiting.isEmpty else {
                state.isTaken = false
                return nil
            }
            return state.waiting.removeFirst()
        }
        next?.grant()
    }

    /// Asks for the lock without waiting.
    ///
    /// - Parameter didGrant: Called once when the lock is there, on any thread, possibly before this returns.
    /// - Returns: What stands for the request; whoever was granted the lock gives it back with ``signal()``.
    func request(_ didGrant: @escaping @Sendable () -> Void) -> WriteTicket {
        let ticket = WriteTicket(didGrant)
        let isFree = state.withLock { state in
            defer { state.isTaken = true }
            if state.isTaken { state.waiting.append(ticket) }
            return !state.isTaken
        }
        if isFree { ticket.grant() }
        return ticket
    }

    /// Takes a request back; if the lock was granted already, gives it back.
    func cancel(_ ticket: WriteTicket) {
        let isWaiting = state.withLock { state in
            guard let index = state.waiting.firstIndex(where: { $0 === ticket }) else { return false }
            state.waiting.remove(at: index)
            return true
        }
        // Whoever grants it right now has taken it off the list: wait for that to be done.
        if !isWaiting {
            ticket.wait()
            signal()
        }
    }
}
