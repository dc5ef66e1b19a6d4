import EventModel
import EventPartitions
import EventPartitionsTesting
import EventProofs
import Testing

@Suite("InMemoryPartitions")
struct InMemoryPartitionsTests {
    @Test("a power cut costs what was not durable, and nothing else", arguments: [EventDurability.system, .eachCommit])
    func powerCut(_ durability: EventDurability) throws {
        let partitions = InMemoryPartitions(durability: durability)
        _ = try partitions.append(AuditEvent.samples(0..<3))
        try partitions.synchronize()
        _ = try partitions.append(AuditEvent.samples(3..<5))

        try partitions.powerCut()

        let summary = try #require(try partitions.partitions().first)
        #expect(summary.count == (durability == .eachCommit ? 5 : 3))
        #expect(summary.isSealed)
        let stretch = try partitions.read(summary.partition, from: 1, maximumBytes: .max)
        try stretch.seal?.verifySignature()
        #expect(stretch.root == stretch.seal?.root)
    }

    @Test("what the upload was offered survives a power cut on every level")
    func offered() throws {
        let partitions = InMemoryPartitions(durability: .system)
        _ = try partitions.append(AuditEvent.samples(0..<3))
        let offered = try partitions.partitions().map(\.count)

        try partitions.powerCut()

        #expect(offered == [3])
        #expect(try partitions.partitions().map(\.count) == [3])
    }

    @Test("the oldest closed partitions are dropped at the quota, and the ledger names them as the files' does")
    func dropping() throws {
        let partitions = InMemoryPartitions(quota: EventQuota(bytes: 4000, policy: .dropOldest))
        for number in 0..<100 { #expect(try partitions.append([.sample(number)]).rejections.isEmpty) }

        let summaries = try partitions.partitions()
        let losses = try partitions.losses()
        #expect(summaries.reduce(0) { $0 + $1.byteCount } <= 4000)
        #expect(losses.reduce(0) { $0 + $1.count } + summaries.reduce(0) { $0 + $1.count } == 100)
        #expect(losses.allSatisfy { $0.reason == .quota && $0.sequences != nil && $0.root != nil })
    }

    @Test("after closing, every call throws")
    func closed() throws {
        let partitions = InMemoryPartitions()
        _ = try partitions.append([.sample(1)])
        try partitions.close()

        #expect(throws: PartitionError.closed) { try partitions.append([.sample(2)]) }
        #expect(throws: PartitionError.closed) { try partitions.partitions() }
        #expect(throws: PartitionError.closed) { try partitions.losses() }
        #expect(throws: PartitionError.closed) { try partitions.synchronize() }
        #expect(throws: PartitionError.closed) { try partitions.close() }
    }
}
