import Dispatch
import Synchronization

/// A serial queue that instances are confined to, marked so that code can tell whether it runs there.
struct ConfinedQueue: Sendable, CustomStringConvertible {
    let queue: DispatchQueue
    private let mark: Mark

    /// What a queue carries: a key of its own, so that a queue and the one that it targets are both recognised.
    private final class Mark: Sendable {
        let key = DispatchSpecificKey<Bool>()
        let label: String

        init(_ label: String) { self.label = label }
    }

    private static let markKey = DispatchSpecificKey<Mark>()
    /// Held while a queue gets its mark, so that it gets one.
    private static let marking = Mutex(())

    init(_ queue: DispatchQueue) {
        self.queue = queue
        mark = Self.marking.withLock { _ in
            if let mark = queue.getSpecific(key: Self.markKey) { return mark }
            let mark = Mark(queue.label)
            queue.setSpecific(key: Self.markKey, value: mark)
            queue.setSpecific(key: mark.key, value: true)
            return mark
        }
    }

    /// Stays with the queue; two objects may stand for the same one.
    var identity: ObjectIdentifier { ObjectIdentifier(mark) }

    /// Whether the running code is on the queue, or on one that targets it.
    var isCurrent: Bool { DispatchQueue.getSpecific(key: mark.key) ?? false }

    /// Names the queue of the running code, if instances are confined to it.
    static var current: String? { DispatchQueue.getSpecific(key: markKey).map { "the queue '\($0.label)'" } }

    var description: String { "the queue '\(queue.label)'" }
}
