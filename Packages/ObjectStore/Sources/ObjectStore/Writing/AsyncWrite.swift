/// Names an asynchronous write, so that it can be cancelled.
public typealias AsyncTransactionId = UInt32

/// An asynchronous write that waits for the write lock; only its instance's executor touches it.
final class AsyncWrite {
    enum Work {
        /// Runs the block in a transaction that was begun; otherwise says why there is none.
        case block(run: () -> Void, failed: (Realm.Error) -> Void)
        /// Lets a task go on, which begins the transaction itself.
        case task
    }

    let id: AsyncTransactionId
    let work: Work
    var ticket: WriteTicket?
    /// How often another process had the file locked.
    var refusals = 0
    /// The task that waits.
    var continuation: CheckedContinuation<Void, Never>?

    init(id: AsyncTransactionId, work: Work) {
        self.id = id
        self.work = work
    }

    /// Lets the task look whether its turn has come.
    func resume() {
        continuation?.resume()
        continuation = nil
    }

    // MARK: Other processes

    /// After how many attempts another process has kept the file locked for a minute.
    static let maximumRefusals = 1200

    /// How long to leave the file alone before the next attempt, in milliseconds: longer each time, up to 50.
    var delay: Int { min(50, 1 << min(refusals, 6)) }
}
