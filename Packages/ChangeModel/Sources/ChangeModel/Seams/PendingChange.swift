public import EventModel

/// A change that waits for its own entry, as it is kept.
public struct PendingChange: Sendable, Hashable {
    /// The number of the change within its file.
    public let number: Int
    /// The bytes of the change, see ``Change/body``.
    public let body: [UInt8]
    /// What the clocks showed at the commit.
    public let reading: ClockReading

    /// Creates a pending change.
    public init(number: Int, body: [UInt8], reading: ClockReading) {
        self.number = number
        self.body = body
        self.reading = reading
    }
}
