import Synchronization

/// What keeps a notification alive: dropping it or ``invalidate()`` ends the delivery.
///
/// A token may be dropped or invalidated on any thread, also inside of its own handler. It keeps the instance of the
/// realm that is observed open.
public final class NotificationToken: Sendable {
    private struct State: @unchecked Sendable {
        // SAFETY: the observation is used at its instance's executor only; here it is merely kept and dropped.
        var observation: ChangeObservation?
        var isInvalidated = false
    }

    private let state = Mutex(State())

    /// Creates a token whose observation does not exist yet.
    init() {}

    /// Creates the token of an observation.
    convenience init(_ observation: ChangeObservation) {
        self.init()
        keep(observation)
    }

    deinit {
        invalidate()
    }

    /// Ends the delivery; a handler that is running runs to its end.
    public func invalidate() {
        // Dropped outside of the lock, because what the handler captured goes with it.
        let dropped = state.withLock { state in
            let observation = state.observation
            state.observation = nil
            state.isInvalidated = true
            return State(observation: observation)
        }
        dropped.observation?.cancel()
    }

    /// Takes an observation, or ends it when the token was invalidated before.
    func keep(_ observation: ChangeObservation) {
        let kept = State(observation: observation)
        let isInvalidated = state.withLock { state in
            if !state.isInvalidated { state.observation = kept.observation }
            return state.isInvalidated
        }
        if isInvalidated { observation.cancel() }
    }

    /// Whether the delivery has ended.
    var isInvalidated: Bool { state.withLock { $0.isInvalidated } }

    /// The observation, on the executor of its instance only.
    var observation: ChangeObservation? { state.withLock { State(observation: $0.observation) }.observation }
}
