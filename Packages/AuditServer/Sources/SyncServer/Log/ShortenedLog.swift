/// What came of one step of the shortening of a realm's log.
public struct ShortenedLog: Sendable, Hashable {
    /// The number up to which entries are gone now.
    public let floor: Int
    /// How many entries this step removed.
    public let entries: Int
    /// How many bytes these and their uploads took.
    public let bytes: Int
    /// Whether no older entry is left.
    public let isDone: Bool

    /// Describes a step.
    public init(floor: Int, entries: Int, bytes: Int, isDone: Bool) {
        self.floor = floor
        self.entries = entries
        self.bytes = bytes
        self.isDone = isDone
    }
}
