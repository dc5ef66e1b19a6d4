import Dispatch

/// The actor that the code of a test belongs to, and a way to find out whether it runs there.
struct CallerActor: Sendable, CustomStringConvertible {
    private static let key = DispatchSpecificKey<String>()

    let actor: any Actor
    let description: String

    /// The main actor, which runs on the main queue.
    static let main: CallerActor = {
        DispatchQueue.main.setSpecific(key: key, value: "the main actor")
        return CallerActor(actor: MainActor.shared, description: "the main actor")
    }()

    /// An actor of the program's own, which runs on a queue of its own.
    static let own: CallerActor = {
        let executor = QueueExecutor()
        executor.queue.setSpecific(key: key, value: "an actor of its own")
        return CallerActor(actor: QueueActor(executor), description: "an actor of its own")
    }()

    /// Whether the running code is there.
    var isCurrent: Bool { DispatchQueue.getSpecific(key: Self.key) == description }
}

private actor QueueActor {
    private let executor: QueueExecutor

    init(_ executor: QueueExecutor) { self.executor = executor }

    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }
}

private final class QueueExecutor: SerialExecutor {
    let queue = DispatchQueue(label: "daybook.tests.actor")

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
    }
}
