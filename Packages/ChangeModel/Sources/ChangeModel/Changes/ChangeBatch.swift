/// The changes of one file that are sent together, in the order of their numbers.
public struct ChangeBatch: Sendable, Hashable {
    /// The number that the server gave the file at its first bind, from 1.
    public let file: UInt32
    /// The changes; their numbers follow one another.
    public let changes: [Change]

    /// Creates a batch.
    public init(file: UInt32, changes: [Change]) {
        self.file = file
        self.changes = changes
    }
}
