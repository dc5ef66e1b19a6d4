public import EventModel

/// Who is notified of what uploads meet.
public struct UploadReporting: Sendable {
    /// Gets each error that needs attention, from any thread; nil to log only, and to abort on a fatal one.
    public var errorHandler: (@Sendable (SyncTransportError) -> Void)?
    /// Gets every step by its level, from any thread.
    public var logger: @Sendable (SyncLogLevel, String) -> Void
    /// Ends the process with a sentence; a test puts something here that returns.
    public var abort: @Sendable (String) -> Void

    /// Creates the reporting of an uploader.
    ///
    /// - Parameters:
    ///   - errorHandler: Gets each error. Without it, a fatal error of the partition that is written to aborts.
    ///   - logger: Gets every step; there is none when left out.
    ///   - abort: Ends the process; `fatalError` when left out.
    public init(
        errorHandler: (@Sendable (SyncTransportError) -> Void)? = nil,
        logger: @escaping @Sendable (SyncLogLevel, String) -> Void = { _, _ in },
        abort: @escaping @Sendable (String) -> Void = { fatalError($0) }
    ) {
        self.errorHandler = errorHandler
        self.logger = logger
        self.abort = abort
    }

    /// Logs an error and hands it to the handler, or aborts.
    ///
    /// - Parameters:
    ///   - error: The error.
    ///   - isCurrent: Whether it is of the partition that is still written to; others never abort.
    func report(_ error: SyncTransportError, isCurrent: Bool) {
        logger(.error, "Events: \(error)")
        if let errorHandler {
            errorHandler(error)
        } else if error.isFatal, isCurrent {
            let sentence = "Events: no errorHandler is set, so the process ends. \(error)"
            logger(.fatal, sentence)
            abort(sentence)
        }
    }
}
