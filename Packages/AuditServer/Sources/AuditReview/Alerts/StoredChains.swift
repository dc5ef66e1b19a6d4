package import AuditModel
package import EventModel
import EventProofs

/// The chains of sealed partitions that are stored, as far as somebody may read them.
///
/// The log of sealed partitions does not count here: what is in the log and is not stored any more is missing, too.
package struct StoredChains: Sendable {
    /// How many partitions are read at once.
    private static let pageSize = 1000

    package let store: any EventReading
    package let access: EventAccess

    package init(store: any EventReading, access: EventAccess) {
        self.store = store
        self.access = access
    }

    /// Returns the partitions that follow one which is not stored, in the order of their listing.
    ///
    /// Its memory is that of ``LogWatch``. Where one is missing, the partitions are read twice: the one that two others follow is no
    /// end of a chain any more when the second one comes.
    ///
    /// - Throws: `unavailable` when the store fails.
    /// - Complexity: O(*n*) in the partitions.
    package func gaps() async throws -> [PartitionID] {
        var watch = LogWatch()
        try await visit { _ = watch.see($0) }
        var missing = Set(watch.overdue(at: EventInstant(microseconds: .max), after: 0).map(\.name))
        guard !missing.isEmpty else { return [] }
        var followers: [(name: LogWatch.Name, partition: PartitionID)] = []
        try await visit { entry in
            let owner = EventOwner(app: entry.app, user: entry.user)
            missing.remove(LogWatch.Name(owner: owner, root: entry.seal.root))
            guard let root = entry.seal.previousRoot else { return }
            let name = LogWatch.Name(owner: owner, root: root)
            if missing.contains(name) { followers.append((name, entry.partition)) }
        }
        return followers.filter { missing.contains($0.name) }.map(\.partition)
    }

    /// Visits the sealed partitions of apps, as the log would have them.
    private func visit(_ body: (PartitionLogEntry) -> Void) async throws {
        var last: PartitionID?
        while true {
            let page = try await store.partitions(after: last, limit: Self.pageSize)
            guard let end = page.last else { return }
            last = end.partition
            for record in page where record.app != TrailEvent.app {
                guard let seal = record.seal, access.includes(record.partition, of: record.owner) else { continue }
                body(
                    PartitionLogEntry(
                        index: 0,
                        app: record.app,
                        user: record.user,
                        received: record.received,
                        seal: seal
                    )
                )
            }
        }
    }
}
