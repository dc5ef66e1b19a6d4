import EventModel

/// Where a recorder says what it does and what fails.
struct RecordingLog: Sendable {
    let logger: (@Sendable (SyncLogLevel, String) -> Void)?
    let errorHandler: (@Sendable (any Error) -> Void)?

    /// Logs a message, which is only made when there is a logger.
    func callAsFunction(_ level: SyncLogLevel, _ message: @autoclosure () -> String) {
        logger?(level, "Events: \(message())")
    }

    /// Logs an error and gives it to the error handler.
    func report(_ error: any Error, _ circumstance: @autoclosure () -> String) {
        self(.error, "\(circumstance()): \(error)")
        errorHandler?(error)
    }
}
