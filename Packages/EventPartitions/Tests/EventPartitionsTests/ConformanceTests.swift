import EventModel
import EventModelTesting
import EventPartitions
import EventPartitionsTesting
import EventProofs
import Testing

@Suite("Conformance")
struct ConformanceTests {
    private func root(_ events: [[UInt8]]) -> Digest {
        MerkleTree(leaves: events.map { MerkleHash.leaf($0) }).root
    }

    /// Reads all that a source offers, as its upload would.
    private func readAll(_ source: any PartitionSource) throws -> [AuditEvent] {
        try source.partitions()
            .flatMap { summary in
                try source.read(summary.partition, from: 1, maximumBytes: .max).events.decoded()
            }
    }

    @Test("the event files keep the rules of a sink")
    func filesAsSink() throws {
        let fixtures = Fixtures()
        let kit = EventSinkConformance(make: { try fixtures.make().open() }, readBack: readAll)

        #expect(kit.brokenRules() == [])
    }

    @Test("the event files keep the rules of files that are shared")
    func filesAsShared() async {
        let fixtures = Fixtures()
        let kit = EventFilesConformance { try fixtures.make().open(encryptionKey: $0) }

        #expect(await kit.brokenRules() == [])
    }

    @Test("the event files keep the rules of a sink when every append may roll over")
    func smallFilesAsSink() throws {
        let fixtures = Fixtures()
        let kit = EventSinkConformance(
            make: { try fixtures.make().open(limits: PartitionLimits(partitionBytes: 5000)) },
            readBack: readAll
        )

        #expect(kit.brokenRules() == [])
    }

    @Test("the event files keep the rules about what is not stored")
    func filesAsLedger() {
        let fixtures = Fixtures()
        let kit = LossLedgerConformance<PartitionedEventFiles>(
            make: { quota, eventBytes in
                let limits = PartitionLimits(eventBytes: eventBytes)
                return try fixtures.make().open(limits: limits, policy: StoragePolicy(quota: quota))
            },
            readBack: { try readAll($0) },
            losses: { try $0.losses() }
        )

        #expect(kit.brokenRules() == [])
    }

    @Test(
        "the event files keep the rules of a sink on every level of durability",
        arguments: [EventDurability.interval(.seconds(1)), .system]
    )
    func filesWithoutSyncAsSink(_ durability: EventDurability) {
        let fixtures = Fixtures()
        let kit = EventSinkConformance(
            make: { try fixtures.make().open(policy: StoragePolicy(durability: durability), timer: ManualTimer()) },
            readBack: readAll
        )

        #expect(kit.brokenRules() == [])
    }

    @Test("partitions in memory keep the rules about what is not stored")
    func memoryAsLedger() {
        let kit = LossLedgerConformance<InMemoryPartitions>(
            make: { InMemoryPartitions(eventBytes: $1, quota: $0) },
            readBack: { try readAll($0) },
            losses: { try $0.losses() }
        )

        #expect(kit.brokenRules() == [])
    }

    @Test("partitions in memory keep the rules of a sink")
    func memoryAsSink() {
        let kit = EventSinkConformance(make: { InMemoryPartitions() }, readBack: readAll)

        #expect(kit.brokenRules() == [])
    }

    @Test("the event files keep the rules of a source")
    func filesAsSource() throws {
        let fixtures = Fixtures()
        let kit = PartitionSourceConformance(
            make: { events in
                let files = try fixtures.make().open()
                _ = try files.append(events)
                return files
            },
            seal: { try $0.seal() },
            root: root
        )

        #expect(kit.brokenRules() == [])
    }

    @Test("event files with a frame for each event keep the rules of a source")
    func manyFramesAsSource() throws {
        let fixtures = Fixtures()
        let kit = PartitionSourceConformance(
            make: { events in
                let files = try fixtures.make().open()
                for event in events { _ = try files.append([event]) }
                return files
            },
            seal: { try $0.seal() },
            root: root
        )

        #expect(kit.brokenRules() == [])
    }

    @Test("partitions in memory keep the rules of a source")
    func memoryAsSource() {
        let kit = PartitionSourceConformance(
            make: { events in
                let partitions = InMemoryPartitions()
                _ = try partitions.append(events)
                return partitions
            },
            seal: { try $0.seal() },
            root: root
        )

        #expect(kit.brokenRules() == [])
    }

    @Test("the kit finds a source that forgets nothing and believes everything")
    func kitFindsFaults() {
        let kit = PartitionSourceConformance(
            make: { events in
                let partitions = InMemoryPartitions()
                _ = try partitions.append(events)
                return CredulousSource(base: partitions)
            },
            seal: { try $0.base.seal() },
            root: root
        )

        #expect(kit.brokenRules().count == 2)
    }
}

/// Keeps the folders of a kit's rules until the kit is done.
private final class Fixtures {
    private var all: [FilesFixture] = []

    func make() throws -> FilesFixture {
        let fixture = try FilesFixture()
        all.append(fixture)
        return fixture
    }
}

/// A source that accepts every proof and deletes nothing.
private struct CredulousSource: PartitionSource {
    let base: InMemoryPartitions

    func partitions() throws -> [PartitionSummary] { try base.partitions() }

    func read(_ partition: PartitionID, from sequence: UInt64, maximumBytes: Int) throws -> PartitionStretch {
        try base.read(partition, from: sequence, maximumBytes: maximumBytes)
    }

    func acknowledge(_ proof: DurabilityProof) throws {
        do {
            try base.acknowledge(proof)
        } catch PartitionError.rootMismatch {
            return
        }
    }

    func delete(_ partition: PartitionID) throws {
        do {
            try base.delete(partition)
            _ = try base.append([.sample(1)])
        } catch PartitionError.notDeletable {
            throw PartitionError.closed
        }
    }

    func quarantine(_ partition: PartitionID, reason: String) throws {
        try base.quarantine(partition, reason: reason)
    }
}
