import EventModel
import EventModelTesting
import EventPartitions
import EventPartitionsTesting
import EventProofs
import Testing

@Suite("PartitionedEventFiles")
struct PartitionedEventFilesTests {
    let fixture: FilesFixture

    init() throws {
        fixture = try FilesFixture()
    }

    @Test("appended events are on the disk, in order, and their receipt says where")
    func roundTrip() throws {
        let files = try fixture.open()

        let first = try files.append(AuditEvent.samples(1..<4))
        let second = try files.append([.sample(4)])

        let partition = try #require(first.places.first?.partition)
        #expect(first.places == [.init(partition: partition, sequences: 1...3)])
        #expect(second.places == [.init(partition: partition, sequences: 4...4)])
        #expect(try fixture.storedEvents() == AuditEvent.samples(1..<5))
        #expect(files.persistedCount == 4)
    }

    @Test("an append of nothing makes no file, and closing without events leaves none")
    func nothing() throws {
        let files = try fixture.open()

        let receipt = try files.append([])
        try files.seal()
        try files.close()

        #expect(receipt.places.isEmpty)
        #expect(try fixture.paths() == [])
    }

    @Test("files and folders are readable by their owner alone")
    func permissions() throws {
        let files = try fixture.open()
        _ = try files.append([.sample(1)])

        let system = POSIXFileSystem()

        #expect(try system.status(#require(try fixture.paths().first))?.permissions == 0o600)
        #expect(try system.status(fixture.folder.path)?.permissions == 0o700)
        #expect(try system.status("\(fixture.temporary.path)/realm-audit")?.permissions == 0o700)
    }

    @Test("a sealed partition verifies, and names the one before it")
    func sealing() throws {
        let files = try fixture.open()
        _ = try files.append(AuditEvent.samples(1..<3))
        try files.seal()
        _ = try files.append([.sample(3)])
        try files.close()

        let reports = try fixture.paths().map { try PartitionFiles.verify($0) }

        try #require(reports.count == 2)
        for report in reports { #expect(report.problems == []) }
        let first = try #require(reports[0].seal)
        #expect(first.count == 2)
        #expect(first.first == EventInstant(microseconds: 1))
        #expect(first.last == EventInstant(microseconds: 2))
        #expect(first.previousRoot == nil)
        #expect(first.publicKey == FilesFixture.key.publicKey)
        #expect(reports[1].seal?.previousRoot == first.root)
    }

    @Test("after closing, every call throws")
    func closed() throws {
        let files = try fixture.open()
        try files.close()

        #expect(throws: PartitionError.closed) { try files.append([.sample(1)]) }
        #expect(throws: PartitionError.closed) { try files.append([]) }
        #expect(throws: PartitionError.closed) { try files.partitions() }
        #expect(files.persistedCount == 0)
    }

    @Test("a partition that is full is sealed, and no event is split")
    func rollOver() throws {
        let files = try fixture.open(limits: PartitionLimits(partitionBytes: 1000))

        var receipts: [AppendReceipt] = []
        for start in stride(from: 0, to: 40, by: 8) {
            receipts.append(try files.append(AuditEvent.samples(start..<start + 8)))
        }
        try files.close()

        let reports = try fixture.paths().map { try PartitionFiles.verify($0) }
        #expect(reports.count > 3)
        #expect(reports.allSatisfy { $0.problems == [] && $0.seal != nil && $0.eventCount > 0 })
        #expect(try fixture.storedEvents() == AuditEvent.samples(0..<40))
        #expect(receipts.contains { $0.places.count > 1 })
        #expect(receipts.reduce(0) { $0 + $1.count } == 40)
    }

    @Test("an event larger than an upload is left out, named, and entered in the ledger")
    func tooLarge() throws {
        let files = try fixture.open(limits: PartitionLimits(eventBytes: 500))
        let large = AuditEvent.sample(2, data: [UInt8](repeating: 0x61, count: 600))

        let receipt = try files.append([.sample(1), large, .sample(3)])
        try files.close()

        #expect(receipt.count == 2)
        #expect(receipt.rejections == [.init(index: 1, byteCount: large.encoded.count, limit: 500)])
        #expect(try fixture.storedEvents() == [.sample(1), .sample(3)])
        let report = try PartitionFiles.verify(#require(try fixture.paths().first))
        #expect(report.problems == [])
        #expect(report.seal?.losses.map(\.reason) == [.tooLarge])
        #expect(report.seal?.losses.map(\.count) == [1])
    }

    @Test("an event of exactly the limit is stored")
    func atTheLimit() throws {
        let event = AuditEvent.sample(1, data: [UInt8](repeating: 0x61, count: 600))
        let files = try fixture.open(limits: PartitionLimits(eventBytes: event.encoded.count))

        let receipt = try files.append([event])

        #expect(receipt.rejections.isEmpty)
        #expect(try fixture.storedEvents() == [event])
    }

    @Test("the stream of changes has an element after an append and ends with closing")
    func changes() async throws {
        let files = try fixture.open()
        var changes = files.changes().makeAsyncIterator()

        _ = try files.append([.sample(1)])
        _ = try files.append([.sample(2)])

        #expect(await changes.next() != nil)
        try files.close()
        while await changes.next() != nil {}
        var late = files.changes().makeAsyncIterator()
        #expect(await late.next() == nil)
    }

    @Test("calls that arrive together share syncs, and each finds its events where the receipt says")
    func groupCommit() async throws {
        let fixture = try FilesFixture(passesSyncs: true)
        let files = try fixture.open()
        _ = try files.append([.sample(0)])
        let before = fixture.faulty.count(.synchronize)

        let receipts = try await withThrowingTaskGroup(of: (Int, AppendReceipt).self) { group in
            for number in 1...64 {
                group.addTask { (number, try await onThread { try files.append([.sample(number)]) }) }
            }
            return try await group.reduce(into: [:]) { $0[$1.0] = $1.1 }
        }

        let syncs = fixture.faulty.count(.synchronize) - before
        #expect(syncs < 64)
        let partition = try #require(try files.partitions().last)
        #expect(partition.count == 65)
        let events = try files.read(partition.partition, from: 1, maximumBytes: .max).events.decoded()
        for (number, receipt) in receipts {
            let sequence = try #require(receipt.places.first?.sequences.lowerBound)
            #expect(events[Int(sequence) - 1] == .sample(number))
        }
    }

    @Test("two instances on one folder write files of their own and leave the other's alone")
    func twoInstances() throws {
        let first = try fixture.open()
        let second = try fixture.open()
        for number in 0..<10 {
            _ = try first.append([.sample(number)])
            _ = try second.append([.sample(100 + number)])
        }

        #expect(try first.partitions().map(\.count) == [10])
        #expect(try second.partitions().map(\.count) == [10])
        #expect(try fixture.paths().count == 2)

        try first.close()

        let claimed = try second.partitions()
        #expect(claimed.map(\.count) == [10, 10])
        #expect(claimed.map(\.isSealed) == [true, false])
    }
}
