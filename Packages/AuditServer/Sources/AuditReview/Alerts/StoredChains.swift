import AuditModel
import EventModel
import EventProofs

/// The chains of sealed partitions that are stored.
///
/// The log of sealed partitions does not count here: what is in the log and is not stored any more is missing, too.
struct StoredChains: Sendable {
    /// How many partitions are read at once.
    private static let pageSize = 1000

    let store: any EventReading

    /// Returns the partitions that follow one which is not stored, in the order of their listing.
    ///
    /// Memory grows with the devices and the gaps. Where one is missing, the partitions are read twice: the one that two others follow
    /// is no end of a chain any more when the second one comes.
    ///
    /// - Throws: `unavailable` when the store fails.
    /// - Complexity: O(*n*) in the partitions.
    func gaps() async throws -> [StoredGap] {
        var chains = PartitionChains<Void>(remembering: .ends)
        try await visit { seal, owner in _ = chains.add(seal, of: owner, as: ()) }
        var missing = Set(chains.gaps.map(\.name))
        guard !missing.isEmpty else { return [] }
        var followers: [(name: ChainName, gap: StoredGap)] = []
        try await visit { seal, owner in
            if let name = seal.chainName(of: owner) { missing.remove(name) }
            guard let name = seal.previousName(of: owner), missing.contains(name) else { return }
            followers.append((name, StoredGap(follower: seal.partition, owner: owner)))
        }
        return followers.filter { missing.contains($0.name) }.map(\.gap)
    }

    /// Visits the sealed partitions of apps.
    private func visit(_ body: (PartitionSeal, EventOwner) -> Void) async throws {
        var last: PartitionID?
        while true {
            let page = try await store.partitions(after: last, limit: Self.pageSize)
            guard let end = page.last else { return }
            last = end.partition
            for record in page where record.app != TrailEvent.app {
                if let seal = record.seal { body(seal, record.owner) }
            }
        }
    }
}
