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

    /// Runs work on the actor soon; drops it when the actor is gone.
    func schedule(_ work: @escaping @Sendable () -> Void) {
        guard let actor else { return }
        // Unstructured, because code that is not asynchronous has no other way to send work to an actor.
        Task.detached { await Self.run(work, on: actor) }
    }

    private static func run(_ work: @Sendable () -> Void, on actor: isolated any Actor) { work() }
}
