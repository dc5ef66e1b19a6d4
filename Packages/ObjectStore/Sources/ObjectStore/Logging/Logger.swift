public import EventModel
import Logging
import Synchronization

/// Where realms write what they do, for whoever looks for an error; what users see and do is in no line.
///
/// ```swift
/// Logger.shared = Logger(level: .detail) { level, message in print("\(level): \(message)") }
/// Logger.setLogLevel(.trace, for: Category.Storage.all)
/// ```
/// The shared one writes to the logger `daybook` of swift-log, with the category beside each line, so that the program decides where lines
/// go. The level is `.info` at first: files that are migrated, converted or compacted. What fails is thrown to whoever asked, and only told here
/// at `.detail`. Where Logging or os is imported too, write `ObjectStore.Logger`.
public final class Logger: Sendable {
    private static let current = Mutex(Logger(function: writeToSwiftLog))
    private static let levels = LogLevels(.info)

    private let function: @Sendable (LogLevel, any LogCategory, String) -> Void
    /// What the logger begins with once it is the shared one; nil leaves the levels as they are.
    private let firstLevel: LogLevel?

    /// Creates a logger that is given lines with their categories.
    ///
    /// - Parameter function: Is called on any thread, also several at once, and never under a lock.
    public init(function: @escaping @Sendable (LogLevel, any LogCategory, String) -> Void) {
        self.function = function
        firstLevel = nil
    }

    /// Creates a logger that is given lines up to a level.
    ///
    /// - Parameters:
    ///   - level: The level of all categories, once this is the shared logger.
    ///   - function: Is called on any thread, also several at once, and never under a lock.
    public init(level: LogLevel, function: @escaping @Sendable (LogLevel, String) -> Void) {
        self.function = { level, _, message in function(level, message) }
        firstLevel = level
    }

    /// The logger of the process.
    public static var shared: Logger {
        get { current.withLock { $0 } }
        set {
            current.withLock { $0 = newValue }
            if let level = newValue.firstLevel { levels[Category.realm] = level }
        }
    }

    /// The level of all categories, whichever logger is asked; as it was set last for ``Category/realm``.
    public var level: LogLevel {
        get { Self.levels[Category.realm] }
        set { Self.levels[Category.realm] = newValue }
    }

    /// Lets a category, and those inside of it, have a level.
    ///
    /// - Parameters:
    ///   - level: What is logged at most.
    ///   - category: The category; ``Category/realm`` is all.
    public static func setLogLevel(_ level: LogLevel, for category: any LogCategory = Category.realm) {
        levels[category] = level
    }

    /// Returns the level of a category.
    ///
    /// - Parameter category: The category; ``Category/realm`` is all.
    /// - Returns: What is logged at most.
    public static func logLevel(for category: any LogCategory = Category.realm) -> LogLevel { levels[category] }

    /// Writes a line, if it is wanted; it is made only then.
    @inline(__always)
    static func log(_ level: LogLevel, _ category: any LogCategory, _ message: @autoclosure () -> String) {
        guard levels.wants(level, category) else { return }
        shared.function(level, category, message())
    }

    private static let swiftLog = Logging.Logger(label: "daybook")

    @Sendable
    private static func writeToSwiftLog(_ level: LogLevel, _ category: any LogCategory, _ message: String) {
        let level: Logging.Logger.Level? =
            switch level {
            case .off: nil
            case .fatal: .critical
            case .error: .error
            case .warn: .warning
            case .info: .info
            case .detail, .debug: .debug
            case .trace, .all: .trace
            }
        guard let level else { return }
        swiftLog.log(level: level, "\(message)", metadata: ["category": "\(category.rawValue)"])
    }
}
