import Dispatch

/// The one executor where an instance may be used: what it is found by, how its use is checked, how work gets there.
enum Confinement: Sendable {
    /// The thread that opened the instance; nothing can be scheduled there.
    case thread(ConfinedThread)
    /// The main thread, the main queue and the main actor, which are one executor.
    case mainQueue
    /// A serial queue that the program named.
    case queue(ConfinedQueue)
    /// An actor that the program named.
    case actor(ConfinedActor)
    /// Anywhere: the instance is frozen.
    case anywhere

    /// The executor of the running code, for an instance that is opened without naming one.
    static var current: Confinement { MainQueue.isCurrent ? .mainQueue : .thread(.current) }

    /// The executor behind a queue; nil names the executor of the running code.
    static func of(_ queue: DispatchQueue?) -> Confinement {
        guard let queue else { return current }
        return MainQueue.isMain(queue) ? .mainQueue : .queue(ConfinedQueue(queue))
    }

    /// The executor behind an actor.
    static func of(_ actor: any Actor) -> Confinement {
        actor === MainActor.shared ? .mainQueue : .actor(ConfinedActor(actor))
    }

    // MARK: Identity

    /// Finds the instance of an executor; a thread or actor that is gone may share its identity with a later one.
    enum Identity: Hashable, Sendable {
        case thread(UInt)
        case mainQueue
        case object(ObjectIdentifier)
        case anywhere
    }

    var identity: Identity {
        switch self {
        case .thread(let thread): .thread(thread.bits)
        case .mainQueue: .mainQueue
        case .queue(let queue): .object(queue.identity)
        case .actor(let actor): .object(actor.identity)
        case .anywhere: .anywhere
        }
    }

    /// Whether both are the same executor, which still exists.
    func isSameExecutor(as other: Confinement) -> Bool {
        if case .actor(let own) = self, case .actor(let theirs) = other { return own.actor === theirs.actor }
        return identity == other.identity
    }

    /// Whether an actor is this executor.
    func isActor(_ actor: any Actor) -> Bool { isSameExecutor(as: .of(actor)) }

    // MARK: Checking

    /// Whether code on the thread that was checked last may be taken to be on the executor still.
    ///
    /// Not so for a queue: waiting for a block of it runs the block on the waiting thread.
    var remembersThread: Bool {
        switch self {
        case .thread, .mainQueue, .actor: true
        case .queue, .anywhere: false
        }
    }

    /// Whether the running code is known to be on this executor.
    var isCurrent: Bool {
        switch self {
        case .thread(let thread): thread == .current
        case .mainQueue: MainQueue.isCurrent
        case .queue(let queue): queue.isCurrent
        case .actor(let actor): actor.actor.flatMap(CurrentExecutor.isCurrent) ?? false
        case .anywhere: true
        }
    }

    /// Traps unless the running code is on this executor.
    ///
    /// The sentence is only made for a trap; it begins with what is confined.
    @inline(never)
    func check(_ subject: @autoclosure () -> String) {
        if isCurrent { return }
        // A runtime that does not answer can still end the process.
        if case .actor(let own) = self, let actor = own.actor, CurrentExecutor.isCurrent(actor) == nil {
            return actor.preconditionIsolated(sentence(subject()))
        }
        misuse(sentence(subject()))
    }

    private func sentence(_ subject: String) -> String {
        """
        \(subject) was opened on another thread, queue or actor than the one that uses it or its objects now: it belongs \
        to \(description), and it is used on \(Confinement.offender); open an instance of its own on each of them, or pass \
        a 'ThreadSafeReference' or a frozen object.
        """
    }

    /// Names the executor of the running code as well as it can be known.
    private static var offender: String {
        if MainQueue.isCurrent { return Confinement.mainQueue.description }
        return ConfinedQueue.current.map { "\($0) (\(ConfinedThread.current))" } ?? "\(ConfinedThread.current)"
    }

    // MARK: Scheduling

    /// Whether work can be sent to the executor.
    var canSchedule: Bool {
        switch self {
        case .mainQueue, .queue, .actor: true
        case .thread, .anywhere: false
        }
    }

    /// Runs work on the executor after the work that calls this and before what is sent there later.
    ///
    /// - Precondition: The running code is on the executor.
    func scheduleNext(_ work: @escaping @Sendable () -> Void) {
        if case .actor(let actor) = self { actor.scheduleNext(work) } else { schedule(work) }
    }

    /// Runs work on the executor soon, never before this returns.
    ///
    /// - Returns: False when it will not run: the actor is gone, or the executor has no loop.
    @discardableResult
    func schedule(_ work: @escaping @Sendable () -> Void) -> Bool {
        switch self {
        case .mainQueue: DispatchQueue.main.async(execute: work)
        case .queue(let queue): queue.queue.async(execute: work)
        case .actor(let actor): return actor.schedule(work)
        case .thread, .anywhere: return false
        }
        return true
    }
}

extension Confinement: CustomStringConvertible {
    var description: String {
        switch self {
        case .thread(let thread): "\(thread)"
        case .mainQueue: "the main queue"
        case .queue(let queue): "\(queue)"
        case .actor(let actor): "\(actor)"
        case .anywhere: "no thread, because it is frozen"
        }
    }
}
