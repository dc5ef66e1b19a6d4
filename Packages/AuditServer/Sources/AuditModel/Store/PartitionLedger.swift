package import EventModel
package import EventProofs

/// What is stored of a partition's tree, as far as the rules ask for it.
package protocol StoredPartition {
    /// Returns the stored leaf hashes of sequences, in order; those that are not stored are left out.
    func leaves(_ sequences: ClosedRange<UInt64>) throws -> [Digest]

    /// Returns the stored hashes of complete subtrees, in the order of the nodes.
    ///
    /// - Throws: ``AuditServerError/unavailable(reason:)`` when one is missing or damaged.
    func hashes(of nodes: [MerkleNode]) throws -> [Digest]

    /// Returns the stored seal; nil when there is none.
    ///
    /// - Throws: ``AuditServerError/unavailable(reason:)`` when it is damaged.
    func seal() throws -> PartitionSeal?
}

/// What the server knows of one partition, and the rules by which a stretch extends it.
///
/// Pure: a store loads one, lets it decide, and writes down in the same transaction what it decided.
///
/// ```
///           stored            a stretch            after it
/// leaves    1 2 3 4 5         4 5 6 7              1 2 3 4 5 6 7
///                             = = + +
/// ```
/// Leaves that are stored already must be equal, so that sending again is harmless for ever; new ones extend the tree.
package struct PartitionLedger: Sendable, Equatable {
    /// What a stretch adds.
    package struct Addition: Sendable, Equatable {
        /// The positions of the events to insert; empty when there is nothing new.
        package let events: Range<Int>
        /// The rows of the tree to insert.
        package let nodes: [PartitionNodes]
        /// The seal to store; nil when none came, or it is there already.
        package let seal: PartitionSeal?

        /// Whether there is nothing to write.
        package var isEmpty: Bool { events.isEmpty && seal == nil }
    }

    /// Whose partition it is.
    package let owner: EventOwner
    /// The partition.
    package let partition: PartitionID
    /// The tree over all stored events.
    package private(set) var frontier: MerkleFrontier
    /// Whether there is a seal.
    package private(set) var isSealed: Bool

    /// Creates the ledger of a partition, by default of one that nothing is known of.
    package init(
        owner: EventOwner,
        partition: PartitionID,
        frontier: MerkleFrontier = MerkleFrontier(),
        isSealed: Bool = false
    ) {
        self.owner = owner
        self.partition = partition
        self.frontier = frontier
        self.isSealed = isSealed
    }

    /// How far the partition is stored.
    package var proof: DurabilityProof {
        DurabilityProof(
            partition: partition,
            durableThrough: frontier.count,
            root: frontier.root,
            isSealed: isSealed
        )
    }

    /// Decides about a stretch and extends the ledger.
    ///
    /// A stretch that starts behind a gap changes nothing: the proof tells the client where to resume.
    ///
    /// - Parameters:
    ///   - upload: The stretch.
    ///   - stored: What is stored of the partition.
    /// - Returns: What is to be inserted.
    /// - Throws: ``AuditServerError/forbidden(reason:)`` for somebody else's partition,
    ///   ``AuditServerError/conflict(partition:sequence:reason:)`` when an event, the root or the seal differs, and
    ///   whatever reading the hashes throws. The ledger is unchanged then.
    /// - Complexity: O(*n* + log *m*) in the events of the stretch, *n*, and those that are stored, *m*, wherever the stretch lies.
    package mutating func accept(_ upload: EventUpload, _ stored: some StoredPartition) throws -> Addition {
        guard upload.owner == owner else { throw AuditServerError.foreignPartition }
        let count = frontier.count
        guard upload.firstSequence <= count + 1 else { return Addition(events: 0..<0, nodes: [], seal: nil) }

        let known = min(upload.events.count, Int(count + 1 - upload.firstSequence))
        if known > 0 {
            let sequences = upload.firstSequence...(upload.firstSequence + UInt64(known) - 1)
            let leaves = try stored.leaves(sequences)
            for (offset, sequence) in sequences.enumerated()
            where offset >= leaves.count || leaves[offset] != upload.leaves[offset] {
                throw conflict(at: sequence, "another event is stored there")
            }
        }
        let fresh = known..<upload.events.count
        guard fresh.isEmpty || !isSealed else {
            throw conflict(at: upload.lastSequence, "the partition is sealed before it")
        }

        var extended = frontier
        let nodes = PartitionNodes.append(upload.leaves[fresh], to: &extended)
        let isAtEnd = upload.lastSequence == extended.count
        guard try isAtEnd ? extended.root == upload.root : root(at: upload.lastSequence, stored) == upload.root else {
            throw conflict(at: upload.lastSequence, "the roots differ")
        }
        let seal = try newSeal(upload.seal, over: extended, stored)

        frontier = extended
        if seal != nil { isSealed = true }
        return Addition(events: fresh, nodes: nodes, seal: seal)
    }

    /// Returns the seal that was offered, unless it is there already; its signature was checked when it arrived.
    private func newSeal(
        _ offered: PartitionSeal?,
        over frontier: MerkleFrontier,
        _ stored: some StoredPartition
    ) throws -> PartitionSeal? {
        guard let offered else { return nil }
        if isSealed {
            guard try stored.seal() == offered else { throw conflict(at: frontier.count, "another seal is stored") }
            return nil
        }
        guard offered.count == frontier.count, offered.root == frontier.root else {
            throw conflict(at: frontier.count, "the seal speaks of other events")
        }
        return offered
    }

    /// Makes the root at a place that is behind the end, from the few subtrees that the tree had then.
    private func root(at sequence: UInt64, _ stored: some StoredPartition) throws -> Digest {
        let peaks = try stored.hashes(of: MerkleNode.peaks(of: sequence))
        guard let frontier = MerkleFrontier(count: sequence, peaks: peaks) else {
            throw AuditServerError.unavailable(reason: "the tree of a partition is damaged")
        }
        return frontier.root
    }

    private func conflict(at sequence: UInt64, _ reason: String) -> AuditServerError {
        .conflict(partition: partition, sequence: sequence, reason: reason)
    }
}
