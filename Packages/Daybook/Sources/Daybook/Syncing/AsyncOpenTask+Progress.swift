public import Dispatch
public import ObjectStore
public import RealmSync

extension AsyncOpenTask {
    /// Tells somebody of the progress of the download that goes before the opening.
    ///
    /// - Parameters:
    ///   - queue: Where the block is called; the main one by default.
    ///   - block: Is called with the progress, at once where it is known; never for a realm that does not sync, nor once the opening is over.
    public func addProgressNotification(
        queue: DispatchQueue = .main,
        block: @escaping @Sendable (SyncSession.Progress) -> Void
    ) {
        report { transferred, transferrable in
            let progress = SyncSession.Progress(transferredBytes: transferred, transferrableBytes: transferrable)
            queue.async { block(progress) }
        }
    }
}
