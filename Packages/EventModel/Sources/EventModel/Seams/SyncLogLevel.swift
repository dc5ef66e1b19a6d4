/// How much is logged, from nothing to everything.
public enum SyncLogLevel: UInt, Sendable, Hashable {
    /// Nothing.
    case off
    /// What ends the process.
    case fatal
    /// What failed.
    case error
    /// What may fail soon.
    case warn
    /// What an operator wants to see.
    case info
    /// What a developer wants to see.
    case detail
    /// What helps to find an error.
    case debug
    /// Every step.
    case trace
    /// Everything.
    case all
}

extension SyncLogLevel: Comparable {
    /// Whether the left level logs less.
    public static func < (left: SyncLogLevel, right: SyncLogLevel) -> Bool {
        left.rawValue < right.rawValue
    }
}
