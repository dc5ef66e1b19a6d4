/// Consecutive events of one partition on their way to the server.
public struct PartitionStretch: Sendable, Hashable {
    /// The partition.
    public let partition: PartitionID
    /// The sequence of the first event; the first of a partition is 1.
    public let firstSequence: UInt64
    /// The events; may be empty when only the seal is to be sent.
    public let events: EncodedEvents
    /// The root of the tree over every event of the partition up to the last one here.
    public let root: Digest
    /// The seal, when the stretch reaches the end of a sealed partition.
    public let seal: PartitionSeal?

    /// Creates a stretch; the root is the caller's to compute, and nobody checks it here.
    public init(
        partition: PartitionID,
        firstSequence: UInt64,
        events: EncodedEvents,
        root: Digest,
        seal: PartitionSeal? = nil
    ) {
        self.partition = partition
        self.firstSequence = firstSequence
        self.events = events
        self.root = root
        self.seal = seal
    }

    /// The sequence of the last event; one less than ``firstSequence`` when there are none.
    public var lastSequence: UInt64 { firstSequence + UInt64(events.count) - 1 }
}

/// The server's answer: how far a partition is durable, and the server's own root there.
public struct DurabilityProof: Sendable, Codable {
    /// The partition.
    public let partition: PartitionID
    /// Every event with this sequence or a lower one is durable; 0 when none is.
    public let durableThrough: UInt64
    /// The root that the server computed over these events.
    public let root: Digest
    /// Whether the server holds the partition's seal.
    public let isSealed: Bool
    /// The same, signed by the server; nil when nothing is durable.
    ///
    /// A proof that promises anything without a receipt is not believed: nothing is ever deleted on the word of a server
    /// that would not sign it.
    public let receipt: StorageReceipt?

    /// Creates a proof; the receipt is not checked here.
    public init(
        partition: PartitionID,
        durableThrough: UInt64,
        root: Digest,
        isSealed: Bool,
        receipt: StorageReceipt? = nil
    ) {
        self.partition = partition
        self.durableThrough = durableThrough
        self.root = root
        self.isSealed = isSealed
        self.receipt = receipt
    }
}

extension DurabilityProof {
    /// Whether the proof promises nothing, or what it promises stands in a receipt of the same words.
    ///
    /// Whose the receipt is, and whether its signature is good, is for who knows the server's key.
    public var isReceipted: Bool {
        guard let receipt else { return durableThrough == 0 && !isSealed }
        return receipt.partition == partition && receipt.durableThrough == durableThrough && receipt.root == root
            && receipt.isSealed == isSealed
    }
}

extension DurabilityProof: Hashable {
    /// Proofs are equal when they say the same, whoever signed it at whatever time.
    public static func == (left: DurabilityProof, right: DurabilityProof) -> Bool {
        left.partition == right.partition && left.durableThrough == right.durableThrough && left.root == right.root
            && left.isSealed == right.isSealed
    }

    /// Feeds what is compared to the hasher.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(partition)
        hasher.combine(durableThrough)
        hasher.combine(root)
        hasher.combine(isSealed)
    }
}
