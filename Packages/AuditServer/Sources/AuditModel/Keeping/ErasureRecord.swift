public import EventModel

/// What is to be erased, for whom and why: written down before the first event goes.
public struct ErasureOrder: Sendable, Hashable, Codable {
    /// Why events go.
    public enum Kind: String, Sendable, Hashable, Codable {
        /// Somebody asked for it.
        case request
        /// Their time is over.
        case retention
    }

    /// Why events go.
    public let kind: Kind
    /// Who began it, when and with which reason.
    public let begun: LegalHold.Act
    /// Which events it takes.
    public let filter: KeepingFilter

    /// Describes an order.
    public init(kind: Kind, begun: LegalHold.Act, filter: KeepingFilter) {
        self.kind = kind
        self.begun = begun
        self.filter = filter
    }
}

/// The record of an erasure, which stays when its events are gone.
public struct ErasureRecord: Sendable, Hashable, Codable {
    /// How an erasure ended.
    public struct Result: Sendable, Hashable, Codable {
        /// How many events were erased.
        public let events: UInt64
        /// The SHA-256 hash over the erased ranges, see ``ErasedRanges``.
        public let digest: Digest

        /// Describes a result.
        public init(events: UInt64, digest: Digest) {
            self.events = events
            self.digest = digest
        }

        /// How the trail says it.
        package func text(of number: Int64) -> String { "erasure \(number): \(events) events, sha256 \(digest)" }
    }

    /// The number; later ones are greater.
    public let number: Int64
    /// What was asked for.
    public let order: ErasureOrder
    /// How it ended; nil while it is under way.
    public let result: Result?

    /// Describes an erasure.
    public init(number: Int64, order: ErasureOrder, result: Result? = nil) {
        self.number = number
        self.order = order
        self.result = result
    }
}

/// Neighbouring events of a partition that were erased together.
public struct ErasedRange: Sendable, Hashable, Codable {
    /// The partition.
    public let partition: PartitionID
    /// The sequence of the first event.
    public let first: UInt64
    /// The sequence of the last event.
    public let last: UInt64

    /// Describes a range.
    public init(partition: PartitionID, first: UInt64, last: UInt64) {
        self.partition = partition
        self.first = first
        self.last = last
    }
}

/// What became of the events that one step of an erasure was given.
public struct ErasureStep: Sendable, Hashable {
    /// How many were erased.
    public var erased = 0
    /// How many are kept, by the names of the holds that keep them.
    public var held: [String: Int] = [:]  // TEXT: holds that Unicode takes for one are told as one.
    /// How many are not what was received, and therefore stay as they are.
    public var damaged = 0

    /// Creates the step of nothing.
    public init() {}

    /// Adds what became of more events.
    package mutating func add(_ other: ErasureStep) {
        erased += other.erased
        damaged += other.damaged
        held.merge(other.held, uniquingKeysWith: +)
    }
}
