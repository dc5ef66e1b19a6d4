/// An actor that instances are confined to; it is not kept alive, because it mostly keeps the instance itself.
final class ConfinedActor: Sendable, CustomStringConvertible {
    /// The actor; nil once it is gone.
    weak let actor: (any Actor)?
    let identity: ObjectIdentifier
    private let name: String

    init(_ actor: any Actor) {
        self.actor = actor
        identity = ObjectIdentifier(actor)
        name = "\(type(of: actor))"
    }

    var description: String { "the actor '\(name)'" }

    /// Runs work on the actor soon.
    ///
    /// - Returns: False when the actor is gone, so that the work will not run.
    func schedule(_ work: @escaping @Sendable () -> Void) -> Bool {
        guard let actor else { return false }
        // Unstructured, because code that is not asynchronous has no other way to send work to an actor.
        Task.detached { await Self.run(work, on: actor) }
        return true
    }

    /// Runs work on the actor after the work that calls this.
    ///
    /// - Precondition: The running code is on the actor.
    func scheduleNext(_ work: @escaping @Sendable () -> Void) {
        // Unstructured for the same reason; a task that begins on the actor is in its queue at once.
        _ = actor?
            .assumeIsolated { actor in
                Task {
                    _ = actor
                    work()
                }
            }
    }

    private static func run(_ work: @Sendable () -> Void, on actor: isolated any Actor) { work() }
}
