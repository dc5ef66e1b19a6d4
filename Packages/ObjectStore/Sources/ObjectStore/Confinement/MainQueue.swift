import Dispatch

/// The main queue: the main thread, the main actor and the main queue are one executor for a realm.
///
/// A program whose entry point is asynchronous gives its main thread up on Linux, so that work of the main queue runs
/// on any thread, one piece at a time; there the queue, not the thread, is what an instance is confined to.
enum MainQueue {
    private static let key: DispatchSpecificKey<Bool> = {
        let key = DispatchSpecificKey<Bool>()
        DispatchQueue.main.setSpecific(key: key, value: true)
        return key
    }()

    /// Whether the running code is on the main queue.
    static var isCurrent: Bool { DispatchQueue.getSpecific(key: key) ?? false }

    /// Whether a queue is the main queue; on Linux each mention of that makes another object for it.
    static func isMain(_ queue: DispatchQueue) -> Bool { queue.getSpecific(key: key) ?? false }
}
