public import ChangeModel

/// What came of an upload that was taken, durable when it is told.
public struct TakenChanges: Sendable, Hashable {
    /// A time that lay in the future, and was lowered.
    public struct LoweredClock: Sendable, Hashable {
        /// The number of the change.
        public let change: Int
        /// The time under which it was taken.
        public let clock: HybridClock

        /// Notes a time that was lowered.
        public init(change: Int, clock: HybridClock) {
            self.change = change
            self.clock = clock
        }
    }

    /// The number of the last change of the file that was taken.
    public let acknowledged: Int
    /// The number of the newest entry of the realm.
    public let head: Int
    /// The times that were lowered, in the order of the changes.
    public let lowered: [LoweredClock]
    /// The entries of the changes of this upload that are still in the log, in their order.
    public let entries: [StoredEntry]

    /// Creates the outcome of an upload.
    public init(acknowledged: Int, head: Int, lowered: [LoweredClock], entries: [StoredEntry]) {
        self.acknowledged = acknowledged
        self.head = head
        self.lowered = lowered
        self.entries = entries
    }
}
