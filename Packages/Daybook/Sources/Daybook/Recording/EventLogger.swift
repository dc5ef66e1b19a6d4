import EventModel
import Logging

/// The logger of realms whose configuration has none: swift-log, so that the app decides where lines go.
enum EventLogger {
    private static let logger = Logger(label: "daybook.events")

    /// Writes a line to the logger `daybook.events`.
    @Sendable
    static func standard(_ level: SyncLogLevel, _ message: String) {
        switch level {
        case .off: break
        case .fatal: logger.critical("\(message)")
        case .error: logger.error("\(message)")
        case .warn: logger.warning("\(message)")
        case .info: logger.info("\(message)")
        case .detail, .debug: logger.debug("\(message)")
        case .trace, .all: logger.trace("\(message)")
        }
    }
}
