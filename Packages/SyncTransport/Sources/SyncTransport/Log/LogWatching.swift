/// A transport whose server publishes a log: looks at it beside the uploads, and says when nothing may be deleted.
///
/// Safe to call from any task.
protocol LogWatching: Sendable {
    /// Why nothing may be deleted now; nil when nothing speaks against it. Asks nobody, so that no upload waits for it.
    var objection: LogDoubt? { get }

    /// Looks at the log once, with a bounded number of requests.
    ///
    /// - Returns: What is to be reported; nil when all is well, nothing is published, or it was reported already.
    func look() async -> SyncTransportError?
}

extension HTTPEventTransport: LogWatching {
    var objection: LogDoubt? { user.book.receipts.log.objection }

    func look() async -> SyncTransportError? {
        let book = user.book.receipts.log
        do throws(LogDoubt) {
            // Whatever the server shows after it, the proof is there.
            if case .contradicted(let error) = book.objection { throw .contradicted(error) }
            try await LogLook(user: user).perform()
            return book.conclude(nil)
        } catch {
            // Who ends the look has found out nothing.
            return Task.isCancelled ? nil : book.conclude(error)
        }
    }
}
