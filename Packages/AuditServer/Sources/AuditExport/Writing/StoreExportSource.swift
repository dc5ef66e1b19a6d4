package import AuditModel
package import AuditVerifying
package import EventModel
import EventProofs

/// The events of a server's store, with the server's receipts and the way to a checkpoint of its log.
package struct StoreExportSource: ExportSource {
    /// How many events are read at once.
    private static let pageEvents = 1000
    /// A bound for the payloads that are read at once, in bytes.
    private static let pageBytes = 8_388_608
    /// How many partitions are read at once.
    private static let partitionPage = 250

    package let events: any EventReading
    package let proofs: any PartitionProving & SealLog
    package let filter: EventFilter
    package let key: SigningKey
    package let log: PublishedLog?
    package let stamps: (any StampedCheckpoints)?
    package let created: EventInstant

    package init(
        events: any EventReading,
        proofs: any PartitionProving & SealLog,
        filter: EventFilter,
        key: SigningKey,
        log: PublishedLog?,
        stamps: (any StampedCheckpoints)? = nil,
        created: EventInstant
    ) {
        self.events = events
        self.proofs = proofs
        self.filter = filter
        self.key = key
        self.log = log
        self.stamps = stamps
        self.created = created
    }

    package func eventCount() async throws -> UInt64 {
        var count: UInt64 = 0
        try await records { count += $0.count }
        return count
    }

    package func partitions(_ body: (ExportedPartition) async throws -> Void) async throws {
        try await records { record in
            let receipt = try key.signed(record.proof, for: record.owner, at: created).receipt
            try await body(
                ExportedPartition(
                    partition: record.partition,
                    owner: record.owner,
                    count: record.count,
                    root: record.root,
                    seal: record.seal,
                    receipt: receipt,
                    logged: record.seal == nil ? nil : try await logged(record.partition)
                )
            )
        }
    }

    /// Calls the closure with the partitions that the filter can have events of.
    private func records(_ body: (PartitionRecord) async throws -> Void) async throws {
        if let partition = filter.partition {
            if let record = try await events.partition(partition), includes(record) { try await body(record) }
            return
        }
        var last: PartitionID?
        repeat {
            try Task.checkCancellation()
            let page = try await events.partitions(after: last, limit: Self.partitionPage)
            for record in page where includes(record) { try await body(record) }
            last = page.last?.partition
        } while last != nil
    }

    private func includes(_ record: PartitionRecord) -> Bool {
        guard record.count > 0, filter.access.includes(record.partition, of: record.owner) else { return false }
        if let device = filter.device, record.seal?.publicKey != device { return false }
        // What auditors did is found by those who ask for it, as in a search.
        return filter.app.map { $0 == record.app } ?? (record.app != TrailEvent.app)
    }

    private func logged(_ partition: PartitionID) async throws -> ExportedPartition.Logged? {
        // A partition that was sealed since the checkpoint was signed is not in that log yet.
        guard let size = log?.checkpoint?.checkpoint.size,
            let entry = try await proofs.logEntry(of: partition), entry.index < size
        else { return nil }
        let proof = try await proofs.withLog(durably: false) { try $0.inclusionProof(of: entry.index, in: size) }
        return .init(entry: entry, proof: proof)
    }

    package func events(of partition: ExportedPartition, _ body: ([StoredEvent]) async throws -> Void) async throws {
        var filter = filter
        filter.partition = partition.partition
        var cursor: EventCursor?
        repeat {
            let page = try await self.events.events(
                filter,
                after: cursor,
                limit: Self.pageEvents,
                maximumBytes: Self.pageBytes
            )
            if !page.events.isEmpty { try await body(page.events) }
            cursor = page.next.flatMap { $0.sequence < partition.count ? $0 : nil }
        } while cursor != nil
    }

    package func leaves(of partition: ExportedPartition, _ sequences: ClosedRange<UInt64>) async throws -> [Digest] {
        try await proofs.leaves(of: partition.partition, sequences)
    }
}
