import EventModel
import Logging

/// The logger of realms whose configuration has none: swift-log, so that the app decides where lines go.
enum EventLogger {
    /// Writes a line to the logger `daybook.events`.
    @Sendable
    static func standard(_ level: SyncLogLevel, _ message: String) {
        guard let level = loggerLevel(level) else { return }
        logger.log(level: level, "\(message)")
    }

    private static let logger = Logger(label: "daybook.events")

    private static func loggerLevel(_ level: SyncLogLevel) -> Logger.Level? {
        switch level {
        case .off: nil
        case .fatal: .critical
        case .error: .error
        case .warn: .warning
        case .info: .info
        case .detail, .debug: .debug
        case .trace, .all: .trace
        }
    }
}
