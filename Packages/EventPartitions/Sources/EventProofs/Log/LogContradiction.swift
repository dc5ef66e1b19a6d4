public import EventModel

/// What a server signed and cannot have signed in good faith, kept so that anybody can check it without the server.
///
/// ```swift
/// let contradiction = try LogContradiction(bytes)
/// try contradiction.verify(by: WitnessPolicy(logKeys: [key]), serverKeys: [])
/// ```
public enum LogContradiction: Sendable, Hashable {
    /// Two checkpoints of one log, of which neither tree is the beginning of the other's.
    ///
    /// `root` is the root over as many entries as the smaller one has, as the hashes of the larger tree give it; `path` leads from it to
    /// the root of the larger one, as a ``ConsistencyProof`` does. Both are without meaning for two checkpoints of one size.
    case fork(smaller: SignedCheckpoint, larger: SignedCheckpoint, root: Digest, path: [Digest])
    /// A receipt for a whole partition, and the entry of the log that says something else of that partition.
    ///
    /// `seal` is the ``sealHash(of:)`` of what the device sent, where it is known.
    case replacement(receipt: StorageReceipt, seal: Digest?, entry: PartitionLogEntry, proof: LogProof)
    /// A receipt for a whole partition, and a later checkpoint in which the server could not show its entry.
    ///
    /// The signatures prove what was promised. That the entry is not there, the log's entries say, which a mirror or an auditor has.
    case omission(receipt: StorageReceipt, signed: SignedCheckpoint)

    /// The hash by which a device remembers the seal that it sent: of all that it signed, and of its signature.
    ///
    /// - Parameter seal: The seal.
    /// - Returns: The hash of its canonical bytes and signature, as of a leaf.
    public static func sealHash(of seal: PartitionSeal) -> Digest {
        MerkleHash.leaf(seal.canonicalBytes + seal.signature)
    }

    /// The checkpoints that it is about.
    public var checkpoints: [SignedCheckpoint] {
        switch self {
        case .fork(let smaller, let larger, _, _): [smaller, larger]
        case .replacement(_, _, _, let proof): [proof.signed]
        case .omission(_, let signed): [signed]
        }
    }

    /// Checks all that can be checked without the server: who signed, and that one statement excludes the other.
    ///
    /// - Parameters:
    ///   - policy: Whose checkpoints they have to be; a quorum of witnesses is asked of each of them.
    ///   - serverKeys: The keys that the server signs receipts with; a fork needs none.
    /// - Throws: As ``WitnessPolicy/verify(_:)`` for the checkpoints; ``ProofError/invalidReceipt(partition:)`` for the receipt;
    ///   ``ProofError/unprovenContradiction(reason:)`` when the statements fit each other, or the receipt is of another key or of no whole
    ///   partition; ``ProofError/notInLog(index:)`` when the entry is not in the tree.
    public func verify(by policy: WitnessPolicy, serverKeys: [[UInt8]]) throws(ProofError) {
        for signed in checkpoints { _ = try policy.verify(signed) }
        switch self {
        case .fork(let smaller, let larger, let root, let path):
            try Self.verifyFork(smaller.checkpoint, larger.checkpoint, root, path)
        case .replacement(let receipt, let seal, let entry, let proof):
            try Self.verify(receipt, serverKeys)
            _ = try proof.verify(entry.canonicalBytes, by: policy)
            guard entry.partition == receipt.partition else {
                throw .unprovenContradiction(reason: "the entry is of another partition than the receipt")
            }
            guard !entry.isPromised(by: receipt, seal: seal) else {
                throw .unprovenContradiction(reason: "the entry says what the receipt says")
            }
        case .omission(let receipt, _):
            try Self.verify(receipt, serverKeys)
        }
    }

    private static func verify(_ receipt: StorageReceipt, _ serverKeys: [[UInt8]]) throws(ProofError) {
        try receipt.verifySignature()
        guard serverKeys.contains(receipt.publicKey) else {
            throw .unprovenContradiction(reason: "the receipt was signed with another key than the server's")
        }
        guard receipt.isSealed else {
            throw .unprovenContradiction(reason: "the receipt is not of a whole partition")
        }
    }

    private static func verifyFork(
        _ smaller: Checkpoint,
        _ larger: Checkpoint,
        _ root: Digest,
        _ path: [Digest]
    ) throws(ProofError) {
        guard smaller.size <= larger.size else {
            throw .unprovenContradiction(reason: "its checkpoints are in the wrong order")
        }
        if smaller.size == larger.size {
            guard smaller.root != larger.root else {
                throw .unprovenContradiction(reason: "its checkpoints have the same root")
            }
            return
        }
        let proof = ConsistencyProof(first: smaller.size, second: larger.size, path: path)
        guard proof.verify(firstRoot: root, secondRoot: larger.root) else {
            throw .unprovenContradiction(reason: "its hashes are not those of the larger checkpoint's tree")
        }
        guard root != smaller.root else {
            throw .unprovenContradiction(reason: "the smaller checkpoint's tree is the beginning of the larger one's")
        }
    }
}

extension PartitionLogEntry {
    /// Returns whether the entry is of what a receipt for a whole partition says that the server has taken.
    ///
    /// - Parameters:
    ///   - receipt: The receipt.
    ///   - seal: The ``LogContradiction/sealHash(of:)`` of the seal that was sent; nil when it is not known, and then the root and the number
    ///     of the events have to do.
    /// - Returns: Whether owner, partition, number, root and seal are the same.
    public func isPromised(by receipt: StorageReceipt, seal: Digest?) -> Bool {
        // As bytes: texts that only look the same are two.
        app.utf8.elementsEqual(receipt.app.utf8) && user.utf8.elementsEqual(receipt.user.utf8)
            && partition == receipt.partition && self.seal.count == receipt.durableThrough
            && self.seal.root == receipt.root
            && seal ?? LogContradiction.sealHash(of: self.seal)
                == LogContradiction.sealHash(of: self.seal)
    }
}
