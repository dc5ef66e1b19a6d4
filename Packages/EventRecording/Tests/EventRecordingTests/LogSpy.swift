import EventModel
import Synchronization

/// Keeps what was logged.
final class LogSpy: Sendable {
    private let entries = Mutex<[(SyncLogLevel, String)]>([])

    /// The logger to configure.
    var logger: @Sendable (SyncLogLevel, String) -> Void {
        { level, message in self.entries.withLock { $0.append((level, message)) } }
    }

    var messages: [String] { entries.withLock { $0.map(\.1) } }

    var warnings: [String] { messages(.warn) }

    func messages(_ level: SyncLogLevel) -> [String] {
        entries.withLock { $0.filter { $0.0 == level }.map(\.1) }
    }
}
