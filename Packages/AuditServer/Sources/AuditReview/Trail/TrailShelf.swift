import AuditModel
import EventModel
import EventProofs

/// A partition of the trail that is open, as the process that writes it knows it.
struct TrailShelf: Sendable {
    let partition: PartitionID
    private(set) var frontier = MerkleFrontier()
    private var first: EventInstant?
    private var last: EventInstant?

    init(_ partition: PartitionID) {
        self.partition = partition
    }

    /// Returns the partition with one more event.
    func adding(_ event: AuditEvent) -> TrailShelf {
        var extended = self
        extended.frontier.append(MerkleHash.leaf(event.encoded))
        extended.first = first ?? event.timestamp
        extended.last = event.timestamp
        return extended
    }

    /// Closes the partition.
    ///
    /// - Parameters:
    ///   - key: The server's key for it.
    ///   - previousRoot: The root of the partition that the process sealed before.
    /// - Returns: The signed seal, which names no loss.
    /// - Throws: Whatever the system's cryptography throws when it cannot sign.
    func seal(by key: DeviceKey, behind previousRoot: Digest?) throws -> PartitionSeal {
        try key.seal(
            partition,
            of: TrailEvent.owner,
            over: frontier,
            first: first,
            last: last,
            previousRoot: previousRoot,
            losses: []
        )
    }
}
