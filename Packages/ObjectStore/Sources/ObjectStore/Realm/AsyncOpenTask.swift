import Synchronization

/// An asynchronous opening that can be cancelled.
public final class AsyncOpenTask: Sendable {
    private let isCancelledFlag = Atomic<Bool>(false)

    init() {}

    /// Lets the callback not be called, unless it was already.
    public func cancel() { isCancelledFlag.store(true, ordering: .relaxed) }

    var isCancelled: Bool { isCancelledFlag.load(ordering: .relaxed) }
}
