import EventModel
import EventPartitionsTesting
import EventProofs
import Testing

@testable import EventPartitions

@Suite("Events that share a frame")
struct EventBlockTests {
    /// Enough events for several packed frames.
    private static let events = AuditEvent.samples(0..<9000)

    private func batch(_ events: [AuditEvent], limits: PartitionLimits = PartitionLimits()) -> LeafBatch {
        LeafBatch(events, limits: limits, clock: SystemClock())
    }

    /// Reads back what a block holds.
    private func contents(_ block: EventBlock) throws -> [AuditEvent] {
        let payload = try #require(block.content.map(\.plain) ?? block.framed.payload)
        let ranges = try #require(FramedEvents.ranges(in: payload, count: block.leaves.count))
        return try ranges.map { range in
            try payload.withUnsafeBytes { try AuditEvent(encoded: UnsafeRawBufferPointer(rebasing: $0[range])) }
        }
    }

    @Test("large calls become packed frames of at most 256 KiB, in order, with the leaves of their events")
    func large() throws {
        let batch = batch(Self.events)
        #expect(batch.blocks.count > 1)
        #expect(batch.blocks.allSatisfy { $0.content?.isPacked == true })
        #expect(try batch.blocks.flatMap(contents) == Self.events)
        #expect(batch.leaves.map(\.hash) == Self.events.map { MerkleHash.leaf($0.encoded) })
        #expect(batch.leaves.map(\.byteCount) == Self.events.map(\.encodedByteCount))
        #expect(batch.leaves.map(\.byteCount) == Self.events.map(\.encoded.count))
    }

    @Test("one large event is a frame by itself")
    func single() throws {
        let event = AuditEvent.sample(1, data: [UInt8](repeating: 0x61, count: 300_000))
        let batch = batch([event])
        #expect(batch.blocks.count == 1)
        #expect(try contents(#require(batch.blocks.first)) == [event])
        #expect(batch.leaves.map(\.hash) == [MerkleHash.leaf(event.encoded)])
        #expect(batch.byteCount < 10_000)
    }

    @Test("the first events of a call can be taken out of packed frames", arguments: [0, 1, 8000, 9000])
    func prefix(count: Int) throws {
        let blocks = batch(Self.events).blocks(first: count)
        #expect(try blocks.flatMap(contents) == Array(Self.events.prefix(count)))
        #expect(blocks.reduce(0) { $0 + $1.leaves.count } == count)
    }

    @Test("in small partitions a block is small, so that a file does not end long before its limit")
    func smallPartitions() {
        let blocks = batch(AuditEvent.samples(0..<50), limits: PartitionLimits(partitionBytes: 2000)).blocks
        #expect(blocks.count > 10)
        #expect(blocks.allSatisfy { $0.byteCount <= 250 })
    }

    @Test("a frame that is read in small stretches is read from the file and unpacked once")
    func partialReads() throws {
        let fixture = try FilesFixture()
        let files = try fixture.open()
        let events = AuditEvent.samples(0..<2000)
        _ = try files.append(events)
        let partition = try #require(try files.partitions().first?.partition)
        let before = fixture.faulty.count(.read)

        var read: [AuditEvent] = []
        while read.count < events.count {
            let stretch = try files.read(partition, from: UInt64(read.count) + 1, maximumBytes: 1000)
            read += try stretch.events.decoded()
        }

        #expect(read == events)
        #expect(fixture.faulty.count(.read) - before < 20)
    }
}
