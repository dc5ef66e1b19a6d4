import AuditModel
import AuditServerTesting
import EventModel
import EventProofs
import Synchronization
import Testing

@Suite("What accepting a stretch reads")
struct PartitionLedgerTests {
    /// A stored partition that counts what is read of it.
    private final class CountedPartition: StoredPartition {
        let tree: MerkleTree
        let leafCount = Mutex(0)
        let nodeCount = Mutex(0)
        let sealCount = Mutex(0)

        init(_ tree: MerkleTree) {
            self.tree = tree
        }

        func leaves(_ sequences: ClosedRange<UInt64>) -> [Digest] {
            leafCount.withLock { $0 += sequences.count }
            return sequences.map { tree.hash(of: MerkleNode(level: 0, index: $0 - 1)) }
        }

        func hashes(of nodes: [MerkleNode]) -> [Digest] {
            nodeCount.withLock { $0 += nodes.count }
            return nodes.map { tree.hash(of: $0) }
        }

        func seal() -> PartitionSeal? {
            sealCount.withLock { $0 += 1 }
            return nil
        }
    }

    private static let count = 3000
    private static let device = {
        var device = SampleDevice()
        device.record(Array(repeating: "a", count: count))
        return device
    }()
    private static let leaves = device.events.map { MerkleHash.leaf($0.encoded) }
    private static let tree = MerkleTree(leaves: leaves)

    private func ledger(through count: Int) -> PartitionLedger {
        var frontier = MerkleFrontier()
        for leaf in Self.leaves.prefix(count) { frontier.append(leaf) }
        return PartitionLedger(owner: SampleDevice.owner, partition: Self.device.partition, frontier: frontier)
    }

    private func upload(_ sequences: Range<Int>) throws -> EventUpload {
        try EventUpload(
            PartitionStretch(
                partition: Self.device.partition,
                firstSequence: UInt64(sequences.lowerBound),
                events: EncodedEvents(Self.device.events[(sequences.lowerBound - 1)..<(sequences.upperBound - 1)]),
                root: Self.tree.root(at: UInt64(sequences.upperBound - 1))
            ),
            owner: SampleDevice.owner,
            received: SampleDevice.received,
            signedBy: SampleDevice.serverKey
        )
    }

    @Test("an empty stretch reads a dozen hashes wherever it lies, and no leaf of the events before it")
    func emptyStretches() throws {
        var ledger = ledger(through: Self.count)
        for first in 1...Self.count + 1 {
            let stored = CountedPartition(Self.tree)
            let addition = try ledger.accept(upload(first..<first), stored)

            #expect(addition.isEmpty)
            #expect(stored.leafCount.withLock(\.self) == 0)
            #expect(stored.nodeCount.withLock(\.self) <= 12)
        }
    }

    @Test(
        "a short stretch that is sent again reads its own leaves and a dozen hashes",
        arguments: [1, 7, 63, 2045, 2996]
    )
    func oldStretches(first: Int) throws {
        var ledger = ledger(through: Self.count)
        let stored = CountedPartition(Self.tree)
        let addition = try ledger.accept(upload(first..<first + 3), stored)

        #expect(addition.isEmpty)
        #expect(stored.leafCount.withLock(\.self) == 3)
        #expect(stored.nodeCount.withLock(\.self) <= 12)
        #expect(ledger.proof.durableThrough == UInt64(Self.count))
    }

    @Test("a stretch that extends the partition reads nothing, and a seal is read only to be compared")
    func extending() throws {
        var ledger = ledger(through: 2000)
        let stored = CountedPartition(Self.tree)
        let addition = try ledger.accept(upload(2001..<2501), stored)

        #expect(addition.events == 0..<500)
        #expect(stored.leafCount.withLock(\.self) + stored.nodeCount.withLock(\.self) == 0)
        #expect(stored.sealCount.withLock(\.self) == 0)
    }

    @Test("another history in front of an old stretch is a conflict")
    func otherHistory() throws {
        var ledger = ledger(through: Self.count)
        let other = try EventUpload(
            PartitionStretch(
                partition: Self.device.partition,
                firstSequence: 100,
                events: EncodedEvents(),
                root: MerkleHash.empty
            ),
            owner: SampleDevice.owner,
            received: SampleDevice.received,
            signedBy: SampleDevice.serverKey
        )

        #expect(
            throws: AuditServerError.conflict(
                partition: Self.device.partition,
                sequence: 99,
                reason: "the roots differ"
            )
        ) {
            try ledger.accept(other, CountedPartition(Self.tree))
        }
    }

    @Test(
        "the rows that stretches of any length leave hold every inner node where it is looked for",
        arguments: [1, 2, 5, 31, 32, 33, 200]
    )
    func rows(length: Int) throws {
        var frontier = MerkleFrontier()
        var rows: [PartitionNodes] = []
        for start in stride(from: 0, to: 700, by: length) {
            rows += PartitionNodes.append(Self.leaves[start..<min(start + length, 700)], to: &frontier)
        }

        #expect(rows.allSatisfy { !$0.hashes.isEmpty && $0.hashes.count <= 1024 + 32 * 10 })
        #expect(rows.reduce(0) { $0 + $1.hashes.count } == 32 * (700 - 700.nonzeroBitCount))
        for level in 1...9 {
            for index in 0..<(UInt64(700) >> UInt64(level)) {
                let node = MerkleNode(level: level, index: index)
                let row = try #require(rows.last { $0.first <= node.end })
                #expect(PartitionNodes.hash(of: node, in: row.hashes, from: row.first) == Self.tree.hash(of: node))
            }
        }
        let last = try #require(rows.last)
        #expect(PartitionNodes.hash(of: MerkleNode(level: 1, index: 400), in: last.hashes, from: last.first) == nil)
        #expect(PartitionNodes.hash(of: MerkleNode(level: 1, index: 0), in: last.hashes, from: 650) == nil)
    }
}
