public import EventModel

/// Proof that an event is what a device recorded as the n-th of a partition, to be handed to anybody.
///
/// Its JSON needs nothing of this code to be checked: the leaf is SHA-256 of a zero byte and the bytes of ``event``, the path
/// leads to ``root`` by RFC 9162, section 2.1.3.2, and the seal is a signature, Ed25519 or ECDSA over P-256, over the bytes that
/// `PartitionSeal.canonicalBytes` describes.
///
/// ```json
/// {"partition": "ward-5f…", "sequence": 5, "event": "<hex>", "root": "<hex>",
///  "inclusion": {"index": 4, "count": 7, "path": ["<hex>", …]}, "seal": {…}}
/// ```
public struct EventProof: Sendable, Hashable {
    /// The partition that the event is in.
    public let partition: PartitionID
    /// The place of the event; the first has 1.
    public let sequence: UInt64
    /// The canonical encoding of the event.
    public let event: [UInt8]
    /// The way from the event's leaf to ``root``.
    public let inclusion: InclusionProof
    /// The root of the tree over the partition's events, as many as ``inclusion`` counts.
    public let root: Digest
    /// The device's signature over that root; nil when the partition was not closed when the proof was made.
    public let seal: PartitionSeal?

    /// Creates a proof that somebody else made, or from parts.
    public init(
        partition: PartitionID,
        sequence: UInt64,
        event: [UInt8],
        inclusion: InclusionProof,
        root: Digest,
        seal: PartitionSeal?
    ) {
        self.partition = partition
        self.sequence = sequence
        self.event = event
        self.inclusion = inclusion
        self.root = root
        self.seal = seal
    }

    /// Checks that the event is in the tree, and that the device has signed the tree if there is a seal.
    ///
    /// Without a seal the proof is as good as the place that the root was learned from.
    ///
    /// - Parameter publicKey: The public key of the device; nil takes the one that the seal names.
    /// - Throws: ``ProofError/notIncluded(partition:sequence:)``, ``ProofError/unsealed(partition:)`` when a key is given and
    ///   there is no seal, ``ProofError/unknownKey(partition:)``, or what is wrong with the seal.
    /// - Complexity: O(log *n*) hashes, where *n* is the number of events of the partition, and one of the event.
    public func verify(publicKey: [UInt8]? = nil) throws(ProofError) {
        guard sequence > 0, inclusion.index == sequence - 1,
            inclusion.verify(leaf: MerkleHash.leaf(event), root: root)
        else { throw .notIncluded(partition: partition, sequence: sequence) }
        guard let seal else {
            if publicKey != nil { throw .unsealed(partition: partition) }
            return
        }
        if let publicKey, publicKey != seal.publicKey { throw .unknownKey(partition: partition) }
        // A seal of another partition says nothing about this one, however right it is.
        guard seal.partition == partition else { throw .invalidSignature(partition: partition) }
        try seal.verifySignature()
        guard seal.count == inclusion.count else {
            throw .countMismatch(partition: partition, sealed: seal.count, found: inclusion.count)
        }
        guard seal.root == root else { throw .rootMismatch(partition: partition, sealed: seal.root, found: root) }
    }

    /// Decodes the event.
    ///
    /// - Throws: `EventModelError.malformedEvent` when the bytes are no event of a version that this code knows.
    public func decodedEvent() throws(EventModelError) -> AuditEvent {
        try event.withUnsafeBytes { bytes in
            Result { () throws(EventModelError) in try AuditEvent(encoded: bytes) }
        }
        .get()
    }
}

extension EventProof: Codable {
    private enum Key: String, CodingKey {
        case partition, sequence, event, inclusion, root, seal
    }

    /// Decodes a proof; nothing of it is checked.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Key.self)
        guard let event = Hexadecimal.bytes(try container.decode(String.self, forKey: .event)) else {
            throw DecodingError.dataCorruptedError(
                forKey: .event,
                in: container,
                debugDescription: "An event is an even number of hexadecimal digits."
            )
        }
        self.init(
            partition: try container.decode(PartitionID.self, forKey: .partition),
            sequence: try container.decode(UInt64.self, forKey: .sequence),
            event: event,
            inclusion: try container.decode(InclusionProof.self, forKey: .inclusion),
            root: try container.decode(Digest.self, forKey: .root),
            seal: try container.decodeIfPresent(PartitionSeal.self, forKey: .seal)
        )
    }

    /// Encodes the event and all hashes as hexadecimal digits.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(partition, forKey: .partition)
        try container.encode(sequence, forKey: .sequence)
        try container.encode(Hexadecimal.text(event), forKey: .event)
        try container.encode(inclusion, forKey: .inclusion)
        try container.encode(root, forKey: .root)
        try container.encodeIfPresent(seal, forKey: .seal)
    }
}
