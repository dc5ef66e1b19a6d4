public import EventModel

/// A note of a test.
public final class SampleNote: CommitNote {
    /// Whose note it is.
    public let stream: ObjectId
    /// What is kept.
    public let bytes: [UInt8]

    /// Creates a note of these bytes, of a stream that no recorder has when it is left out.
    public init(_ bytes: [UInt8], stream: ObjectId = ObjectId(high: 9, low: 9)) {
        self.stream = stream
        self.bytes = bytes
    }
}
