/// Takes events and makes them durable, and keeps the ledger of what was lost.
///
/// Safe to call from any thread; calls that arrive while another one syncs share its next sync. Events of one call keep
/// their order and are consecutive within a partition; calls of one thread keep their order.
public protocol EventSink: Sendable {
    /// Appends events and returns when they are durable: on the disk, past every cache that the system can flush.
    ///
    /// Blocks the calling thread for the time of a sync; a sink may be set to return earlier, see ``EventDurability``. An
    /// event that can never be stored is left out and named in the receipt; it blocks nothing else. When there is no room
    /// for all events, the first ones are stored as far as there is, and the rest is named in the receipt. What a receipt
    /// names is in the loss ledger already.
    ///
    /// - Throws: When none of the events can be assumed durable; the caller may offer them again, and an event that
    ///   was written all the same is then stored twice with the same id, which the server folds into one.
    func append(_ events: [AuditEvent]) throws -> AppendReceipt

    /// Enters in the loss ledger what was lost before it reached the sink, or was given up because the sink failed.
    ///
    /// Returns when the entries are durable, or when they cannot be written now; they are then written with the next thing
    /// that can be, as long as the process lives.
    func note(_ losses: [LossEntry])

    /// Enters in the loss ledger all that is lost so far and was only counted, as a sink may do that refuses very many events.
    ///
    /// Returns when that is durable, or when it cannot be written now, as ``note(_:)`` does.
    func enterLosses()

    /// Finds out which events were stored here before, by this process or one that ended.
    ///
    /// An event that is gone since counts if its partition went within a ``DeletionNoting``, or was left by a process that is
    /// dead while a journal was left, too: those are the events that somebody may not know to be stored.
    ///
    /// - Parameter ids: The ids that somebody wants to know of.
    /// - Returns: Those of them that were stored; ids that nobody asked for may be among them.
    /// - Throws: When it cannot be found out; what is in files of another key or a newer version is not found and no error.
    /// - Complexity: O(*n*) in the bytes of all events that wait, which are read: for recovery after a crash.
    func storedEvents(among ids: [ClosedRange<ObjectId>]) throws -> Set<ObjectId>

    /// Begins a time in which whatever deletes a partition notes durably which events were in it.
    func noteDeletions() -> DeletionNoting
}

/// Where appended events went.
public struct AppendReceipt: Sendable, Hashable {
    /// The places, in order; more than one when a partition was rolled over in between.
    public let places: [Place]
    /// The events that were left out.
    public let rejections: [Rejection]

    /// Consecutive sequences of one partition.
    public struct Place: Sendable, Hashable {
        /// The partition that the events are in now.
        public let partition: PartitionID
        /// The sequences that the events got.
        public let sequences: ClosedRange<UInt64>

        /// Creates a place; a sink has one for each partition that a call wrote to.
        public init(partition: PartitionID, sequences: ClosedRange<UInt64>) {
            self.partition = partition
            self.sequences = sequences
        }
    }

    /// An event that is not stored.
    public struct Rejection: Sendable, Hashable {
        /// The position of the event in the call.
        public let index: Int
        /// The size of its encoding in bytes.
        public let byteCount: Int
        /// The limit that was in the way, in bytes: of one event, or of all that waits.
        public let limit: UInt64
        /// Which limit that is, as the ledger calls it: `tooLarge` or `quota`.
        public let reason: LossEntry.Reason
        /// How many bytes waited already; 0 when the event itself is too large.
        public let usedBytes: UInt64

        /// Creates the rejection of an event that can never be stored.
        public init(index: Int, byteCount: Int, limit: Int) {
            self.index = index
            self.byteCount = byteCount
            self.limit = UInt64(limit)
            reason = .tooLarge
            usedBytes = 0
        }

        /// Creates the rejection of an event that there is no room for now.
        public init(index: Int, byteCount: Int, usedBytes: UInt64, quota: UInt64) {
            self.index = index
            self.byteCount = byteCount
            self.usedBytes = usedBytes
            limit = quota
            reason = .quota
        }
    }

    /// Creates a receipt for one call: each of its events is in a place or among the rejections.
    public init(places: [Place], rejections: [Rejection] = []) {
        self.places = places
        self.rejections = rejections
    }

    /// How many events are durable.
    public var count: UInt64 { places.reduce(0) { $0 + UInt64($1.sequences.count) } }
}
