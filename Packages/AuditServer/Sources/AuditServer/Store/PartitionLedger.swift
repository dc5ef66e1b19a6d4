package import EventModel
package import EventProofs

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
    /// Whose partition it is.
    package let owner: EventOwner
    /// The partition.
    package let partition: PartitionID
    /// The tree over all stored events.
    package private(set) var frontier: MerkleFrontier
    /// The seal, once it arrived.
    package private(set) var seal: PartitionSeal?

    /// Creates the ledger of a partition, by default of one that nothing is known of.
    package init(
        owner: EventOwner,
        partition: PartitionID,
        frontier: MerkleFrontier = MerkleFrontier(),
        seal: PartitionSeal? = nil
    ) {
        self.owner = owner
        self.partition = partition
        self.frontier = frontier
        self.seal = seal
    }

    /// How far the partition is stored.
    package var proof: DurabilityProof {
        DurabilityProof(
            partition: partition,
            durableThrough: frontier.count,
            root: frontier.root,
            isSealed: seal != nil
        )
    }

    /// Decides about a stretch and extends the ledger.
    ///
    /// A stretch that starts behind a gap changes nothing: the proof tells the client where to resume.
    ///
    /// - Parameters:
    ///   - upload: The stretch.
    ///   - storedLeaves: Reads the stored leaf hashes of sequences, in order.
    /// - Returns: The positions of the events to insert; empty when there is nothing new.
    /// - Throws: ``AuditServerError/forbidden(reason:)`` for somebody else's partition,
    ///   ``AuditServerError/conflict(partition:sequence:reason:)`` when an event, the root or the seal differs, and
    ///   whatever reading the leaves throws. The ledger is unchanged then.
    /// - Complexity: O(*n*) in the events of the stretch; a stretch that ends before the stored end costs a walk over
    ///   all leaves before its own end.
    package mutating func accept(
        _ upload: EventUpload,
        storedLeaves: (ClosedRange<UInt64>) throws -> [Digest]
    ) throws -> Range<Int> {
        guard upload.owner == owner else {
            throw AuditServerError.foreignPartition
        }
        let stored = frontier.count
        guard upload.firstSequence <= stored + 1 else { return 0..<0 }

        let known = min(upload.events.count, Int(stored + 1 - upload.firstSequence))
        if known > 0 {
            let sequences = upload.firstSequence...(upload.firstSequence + UInt64(known) - 1)
            let leaves = try storedLeaves(sequences)
            for (offset, sequence) in sequences.enumerated()
            where offset >= leaves.count || leaves[offset] != upload.leaves[offset] {
                throw conflict(at: sequence, "another event is stored there")
            }
        }
        let fresh = known..<upload.events.count
        guard fresh.isEmpty || seal == nil else {
            throw conflict(at: upload.lastSequence, "the partition is sealed before it")
        }

        var extended = frontier
        for leaf in upload.leaves[fresh] { extended.append(leaf) }
        let atEnd =
            upload.lastSequence == extended.count
            ? extended : try frontier(through: upload.lastSequence, storedLeaves)
        guard atEnd.root == upload.root else {
            throw conflict(at: upload.lastSequence, "the roots differ")
        }
        try check(upload.seal, over: extended)

        frontier = extended
        seal = seal ?? upload.seal
        return fresh
    }

    private func check(_ offered: PartitionSeal?, over frontier: MerkleFrontier) throws {
        guard let offered else { return }
        if let seal, seal != offered {
            throw conflict(at: seal.count, "another seal is stored")
        }
        do {
            try offered.verify(over: frontier)
        } catch {
            throw conflict(at: frontier.count, "the seal speaks of other events")
        }
    }

    private func frontier(
        through sequence: UInt64,
        _ storedLeaves: (ClosedRange<UInt64>) throws -> [Digest]
    ) throws -> MerkleFrontier {
        var frontier = MerkleFrontier()
        guard sequence > 0 else { return frontier }
        for leaf in try storedLeaves(1...sequence) { frontier.append(leaf) }
        return frontier
    }

    private func conflict(at sequence: UInt64, _ reason: String) -> AuditServerError {
        .conflict(partition: partition, sequence: sequence, reason: reason)
    }
}
