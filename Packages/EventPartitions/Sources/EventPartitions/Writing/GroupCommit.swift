import Dispatch
import Synchronization

/// Lets calls that arrive at the same time share one piece of work: the first becomes the leader and serves all.
///
/// While a leader works, later calls line up; when it is done, the first of them leads the next group. So there is
/// never more than one leader, and a call waits for at most two groups.
final class GroupCommit<Request: Sendable, Outcome: Sendable>: Sendable {
    private final class Ticket: Sendable {
        let request: Request
        /// Signalled when the outcome is there, or when the ticket's own thread has to lead.
        let wakeUp = DispatchSemaphore(value: 0)
        let outcome = Mutex<Outcome?>(nil)

        init(_ request: Request) {
            self.request = request
        }
    }

    private struct State {
        var isLed = false
        var waiting: [Ticket] = []
    }

    private let state = Mutex(State())

    /// Creates a queue that nobody waits in.
    init() {}

    /// Returns the outcome of a request; blocks while others are served before it.
    ///
    /// - Parameters:
    ///   - request: What this call wants.
    ///   - serve: Called when this call leads, never by two leaders at once, with the requests of a group in the order
    ///     of their arrival; returns one outcome for each.
    /// - Returns: The outcome that the leader gave to this request.
    func submit(_ request: Request, serve: ([Request]) -> [Outcome]) -> Outcome {
        let ticket = Ticket(request)
        let leads = state.withLock { state in
            state.waiting.append(ticket)
            defer { state.isLed = true }
            return !state.isLed
        }
        if !leads { ticket.wakeUp.wait() }
        if let outcome = ticket.outcome.withLock({ $0 }) { return outcome }
        return lead(ticket, serve: serve)
    }

    private func lead(_ own: Ticket, serve: ([Request]) -> [Outcome]) -> Outcome {
        let group = state.withLock { state in
            defer { state.waiting = [] }
            return state.waiting
        }
        let outcomes = serve(group.map(\.request))
        precondition(outcomes.count == group.count, "A group has one outcome for each request.")
        let next = state.withLock { state in
            state.isLed = !state.waiting.isEmpty
            return state.waiting.first
        }
        next?.wakeUp.signal()
        var result: Outcome?
        for (ticket, outcome) in zip(group, outcomes) {
            if ticket === own {
                result = outcome
            } else {
                ticket.outcome.withLock { $0 = outcome }
                ticket.wakeUp.signal()
            }
        }
        guard let result else { preconditionFailure("A leader is a member of its group.") }
        return result
    }
}
