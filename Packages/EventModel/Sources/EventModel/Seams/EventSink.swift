/// Takes events and makes them durable.
///
/// Safe to call from any thread; calls that arrive while another one syncs share its next sync. Events of one call keep
/// their order and are consecutive within a partition; calls of one thread keep their order.
public protocol EventSink: Sendable {
    /// Appends events and returns when they are durable: on the disk, past every cache that the system can flush.
    ///
    /// Blocks the calling thread for the time of a sync. An event that can never be stored is left out and named in the
    /// receipt; it blocks nothing else.
    ///
    /// - Throws: When none of the events can be assumed durable; the caller may offer them again, and an event that
    ///   was written all the same is then stored twice with the same id, which the server folds into one.
    func append(_ events: [AuditEvent]) throws -> AppendReceipt
}

/// Where appended events went.
public struct AppendReceipt: Sendable, Hashable {
    /// The places, in order; more than one when a partition was rolled over in between.
    public let places: [Place]
    /// The events that were left out.
    public let rejections: [Rejection]

    /// Consecutive sequences of one partition.
    public struct Place: Sendable, Hashable {
        /// The partition.
        public let partition: PartitionID
        /// The sequences that the events got.
        public let sequences: ClosedRange<UInt64>

        /// Creates a place.
        public init(partition: PartitionID, sequences: ClosedRange<UInt64>) {
            self.partition = partition
            self.sequences = sequences
        }
    }

    /// An event that cannot be stored.
    public struct Rejection: Sendable, Hashable {
        /// The position of the event in the call.
        public let index: Int
        /// The size of its encoding in bytes.
        public let byteCount: Int
        /// The largest size that is accepted, in bytes.
        public let limit: Int

        /// Creates a rejection.
        public init(index: Int, byteCount: Int, limit: Int) {
            self.index = index
            self.byteCount = byteCount
            self.limit = limit
        }
    }

    /// Creates a receipt.
    public init(places: [Place], rejections: [Rejection] = []) {
        self.places = places
        self.rejections = rejections
    }

    /// How many events are durable.
    public var count: UInt64 { places.reduce(0) { $0 + UInt64($1.sequences.count) } }
}
