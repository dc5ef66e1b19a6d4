import EventModel
import EventPartitions
import EventPartitionsTesting
import EventProofs
import Testing

@Suite("PartitionedEventFiles as a source")
struct PartitionSourceTests {
    let fixture: FilesFixture

    init() throws {
        fixture = try FilesFixture()
    }

    @Test("every stretch carries the root of all events up to its last")
    func roots() throws {
        let files = try fixture.open()
        _ = try files.append(AuditEvent.samples(0..<20))
        let partition = try #require(try files.partitions().first?.partition)
        let tree = MerkleTree(leaves: (0..<20).map { MerkleHash.leaf(AuditEvent.sample($0).encoded) })

        for (from, bytes) in [(1, 1), (2, 200), (20, 500), (5, 1), (3, 10_000), (21, 10)] {
            let stretch = try files.read(partition, from: UInt64(from), maximumBytes: bytes)

            #expect(stretch.root == tree.root(at: stretch.lastSequence))
            #expect(stretch.events.count >= (from == 21 ? 0 : 1))
            #expect(stretch.events.count == 1 || stretch.events.bytes.count <= bytes)
            #expect(try stretch.events.decoded() == AuditEvent.samples(from - 1..<Int(stretch.lastSequence)))
        }
    }

    @Test("a partition that is kept aside while the partitions are listed is listed once")
    func keptAsideMeanwhile() throws {
        let fileSystem = InterruptedFileSystem()
        let files = try PartitionedEventFiles(fixture.folder, key: FilesFixture.key, fileSystem: fileSystem)
        _ = try files.append([.sample(1)])
        try files.seal()
        let partition = try #require(try files.partitions().first?.partition)

        // The first listing looks for files of dead processes, the second one for those that are kept aside.
        fileSystem.interrupt(listing: 2) {
            do {
                try files.quarantine(partition, reason: "a test says so")
            } catch {
                Issue.record("The partition cannot be kept aside: \(error)")
            }
        }
        let summaries = try files.partitions()

        #expect(summaries.map(\.partition) == [partition])
        #expect(summaries.map(\.quarantineReason) == ["a test says so"])
    }

    @Test("a sequence behind the end is refused")
    func behindTheEnd() throws {
        let files = try fixture.open()
        _ = try files.append([.sample(1)])
        let partition = try #require(try files.partitions().first?.partition)

        for sequence: UInt64 in [0, 3] {
            #expect(throws: PartitionError.sequenceOutOfRange(partition, sequence: sequence, count: 1)) {
                try files.read(partition, from: sequence, maximumBytes: 100)
            }
        }
    }

    @Test("a partition is deleted only when it is sealed and wholly proven with its seal")
    func deletion() throws {
        let files = try fixture.open()
        _ = try files.append(AuditEvent.samples(0..<5))
        let partition = try #require(try files.partitions().first?.partition)
        func refuses() -> Bool {
            do {
                try files.delete(partition)
                return false
            } catch PartitionError.notDeletable {
                return true
            } catch {
                return false
            }
        }

        #expect(refuses())
        _ = try files.upload(partition)
        #expect(refuses())
        try files.seal()
        #expect(refuses())
        let end = try files.read(partition, from: 6, maximumBytes: 1)
        #expect(end.seal != nil)
        let withoutSeal = DurabilityProof(partition: partition, durableThrough: 5, root: end.root, isSealed: false)
        try files.acknowledge(withoutSeal)
        #expect(refuses())
        let half = try files.read(partition, from: 1, maximumBytes: 200)
        let early = DurabilityProof(
            partition: partition,
            durableThrough: half.lastSequence,
            root: half.root,
            isSealed: true
        )
        try files.acknowledge(early)
        #expect(refuses())
        #expect(try fixture.paths().count == 1)

        #expect(try files.upload(partition) == AuditEvent.samples(0..<5))
        try files.delete(partition)

        #expect(try files.partitions() == [])
        // What is left beside the locks is the room that this instance has for losses.
        let names = try POSIXFileSystem().list(fixture.folder.path).filter { !$0.hasSuffix(".ledger") }
        #expect(names.sorted() == [".claims", ".lock"])
    }

    @Test("a proof with another root is refused and notes nothing")
    func wrongRoot() throws {
        let files = try fixture.open()
        _ = try files.append(AuditEvent.samples(0..<5))
        try files.seal()
        let summary = try #require(try files.partitions().first)
        let own = try files.read(summary.partition, from: 1, maximumBytes: .max).root

        #expect(
            throws: PartitionError.rootMismatch(
                summary.partition,
                sequence: 5,
                own: own,
                proven: MerkleHash.empty
            )
        ) {
            try files.acknowledge(
                DurabilityProof(
                    partition: summary.partition,
                    durableThrough: 5,
                    root: MerkleHash.empty,
                    isSealed: true
                )
            )
        }
        #expect(throws: PartitionError.proofBeyondEnd(summary.partition, durableThrough: 6, count: 5)) {
            try files.acknowledge(
                DurabilityProof(partition: summary.partition, durableThrough: 6, root: own, isSealed: true)
            )
        }
        #expect(try files.partitions() == [summary])
    }

    @Test("what was acknowledged is known after reopening")
    func acknowledgedAfterReopening() throws {
        let files = try fixture.open()
        _ = try files.append(AuditEvent.samples(0..<9))
        let partition = try #require(try files.partitions().first?.partition)
        let stretch = try files.read(partition, from: 1, maximumBytes: 300)
        try files.acknowledge(
            DurabilityProof(
                partition: partition,
                durableThrough: stretch.lastSequence,
                root: stretch.root,
                isSealed: false
            )
        )
        try files.close()

        let reopened = try fixture.open()

        let summary = try #require(try reopened.partitions().first)
        #expect(summary.acknowledgedThrough == stretch.lastSequence)
        #expect(summary.isSealed)
        #expect(try reopened.upload(partition) == AuditEvent.samples(0..<9))
        #expect(try reopened.partitions().first?.isSealAcknowledged == true)
        try reopened.delete(partition)
    }

    @Test("a torn record of what was acknowledged only sends events again")
    func tornAcknowledgement() throws {
        let files = try fixture.open()
        _ = try files.append(AuditEvent.samples(0..<3))
        let partition = try #require(try files.partitions().first?.partition)
        _ = try files.upload(partition)
        try files.close()
        let system = POSIXFileSystem()
        let name = try #require(try system.list(fixture.folder.path).first { $0.hasSuffix(".acknowledged") })
        let record = try system.open("\(fixture.folder.path)/\(name)", .write)
        try record.truncate(to: 20)

        let reopened = try fixture.open()

        #expect(try reopened.partitions().map(\.acknowledgedThrough) == [0])
        #expect(try reopened.upload(partition) == AuditEvent.samples(0..<3))
    }

    @Test("a quarantined partition is kept with its reason, and appending goes on in another")
    func quarantine() throws {
        let files = try fixture.open()
        _ = try files.append(AuditEvent.samples(0..<3))
        let partition = try #require(try files.partitions().first?.partition)

        try files.quarantine(partition, reason: "The server holds other events.")
        _ = try files.append([.sample(3)])

        let summaries = try files.partitions()
        #expect(summaries.map(\.partition.id) == [partition.id, summaries[1].partition.id])
        #expect(summaries.map(\.count) == [3, 1])
        #expect(summaries.map(\.quarantineReason) == ["The server holds other events.", nil])
        #expect(throws: PartitionError.unknownPartition(partition)) { try files.delete(partition) }
        #expect(try fixture.storedEvents() == AuditEvent.samples(0..<4))
        try files.close()
        #expect(try fixture.open().partitions().first?.quarantineReason == "The server holds other events.")
    }
}
