import EventModel
import EventModelTesting
import EventProofs
import Testing

@Suite("Logs as tiles")
struct TileWriterTests {
    @Test(
        "growing in any steps writes exactly the files that are new, and every proof is that of the tree",
        arguments: 0..<6
    )
    func growth(run: Int) throws {
        let seed = UInt64.random(in: .min ... .max)
        var random = SeededGenerator(seed: seed)
        let steps: [UInt64] = [3, 40, 300, 600, 900, 1200]
        var log = try LogSample(InMemoryTiles())
        var older: UInt64 = 0
        while log.tree.count < 2_000 {
            let size = min(2_000, log.tree.count + random.next() % steps[run])
            if run == 0, size > 300 { break }
            try log.grow(to: Int(size))
            let checkpoint = try log.publish()

            #expect(checkpoint.size == size, "seed \(seed)")
            #expect(checkpoint.root == log.tree.root, "seed \(seed), size \(size)")
            #expect(Set(log.storage.takeWritten()) == Set(Tile.growth(from: older, to: size)), "seed \(seed)")
            try check(log, checkpoint, older: older, &random, "seed \(seed), size \(size)")
            older = size
        }
    }

    private func check(
        _ log: LogSample<InMemoryTiles>,
        _ checkpoint: Checkpoint,
        older: UInt64,
        _ random: inout SeededGenerator,
        _ comment: Comment
    ) throws {
        var reader = try TileReader(log.storage, checkpoint: checkpoint)
        let size = checkpoint.size
        let sample = size == 0 ? [] : [0, size - 1, size / 2] + (0..<6).map { _ in random.next() % size }
        for index in sample {
            let proof = try reader.inclusionProof(of: index)
            let entry = try reader.entry(at: index)

            #expect(entry == LogSample<InMemoryTiles>.entry(Int(index)), comment)
            #expect(proof == log.tree.inclusionProof(of: index, in: size), comment)
            #expect(proof.verify(leaf: MerkleHash.leaf(entry), root: checkpoint.root), comment)
        }
        for first in sample + [0, older, size] {
            let proof = try reader.consistencyProof(from: first)
            let root = try reader.root(at: first)

            #expect(root == log.tree.root(at: first), comment)
            #expect(proof == log.tree.consistencyProof(from: first, to: size), comment)
            #expect(proof.verify(firstRoot: root, secondRoot: checkpoint.root), comment)
        }
    }

    @Test("every proof of a log of 513 entries is that of the tree")
    func everyProof() throws {
        var log = try LogSample(InMemoryTiles())
        try log.grow(to: 513)
        var reader = try TileReader(log.storage, checkpoint: log.publish())
        for index in 0..<UInt64(513) {
            #expect(try reader.inclusionProof(of: index) == log.tree.inclusionProof(of: index, in: 513))
            #expect(try reader.consistencyProof(from: index) == log.tree.consistencyProof(from: index, to: 513))
        }
        var count: UInt64 = 0
        try reader.forEachEntry { index, entry in
            #expect(index == count)
            #expect(Array(entry) == LogSample<InMemoryTiles>.entry(Int(index)))
            count += 1
        }
        #expect(count == 513)
        try reader.verify()
    }

    @Test("a log of more than 65,536 entries has a third level, and proofs reach through it")
    func thirdLevel() throws {
        var log = try LogSample(InMemoryTiles())
        try log.grow(to: 65_700)
        let checkpoint = try log.publish()
        var reader = try TileReader(log.storage, checkpoint: checkpoint)

        #expect(log.storage.files.count == 257 + 257 + 1 + 1)
        for index in [0, 255, 256, 40_000, 65_535, 65_536, 65_699] as [UInt64] {
            let proof = try reader.inclusionProof(of: index)
            #expect(proof == log.tree.inclusionProof(of: index, in: 65_700))
            #expect(try reader.consistencyProof(from: index) == log.tree.consistencyProof(from: index, to: 65_700))
        }
    }

    @Test("a log is taken up at its last checkpoint, also after a crash in the midst of the next one")
    func takenUp() throws {
        var log = try LogSample(InMemoryTiles())
        try log.grow(to: 300)
        let checkpoint = try log.publish()
        try log.grow(to: 700)

        log.writer = try TileWriter(log.storage, from: checkpoint)
        log.tree = MerkleTree(leaves: (0..<300).map { MerkleHash.leaf(LogSample<InMemoryTiles>.entry($0)) })
        #expect(log.writer.size == 300)
        #expect(log.writer.published == 300)
        try log.grow(to: 800)
        var reader = try TileReader(log.storage, checkpoint: log.publish())

        try reader.verify()
        #expect(reader.checkpoint.root == log.tree.root)
    }

    @Test("other entries than those whose tiles are there are refused, and what is there is kept")
    func otherEntries() throws {
        var log = try LogSample(InMemoryTiles())
        try log.grow(to: 300)
        let before = log.storage.files
        var other = try TileWriter(log.storage, from: nil)
        for index in 0..<255 { try other.append(LogSample<InMemoryTiles>.entry(index)) }

        #expect(throws: ProofError.immutableTile(path: "tile/entries/000")) { try other.append([1]) }
        #expect(log.storage.files == before)
        #expect(other.size == 255)
        try other.append(LogSample<InMemoryTiles>.entry(255))
        #expect(other.size == 256)
    }

    @Test("an entry of 65,535 bytes has room, and a longer one is refused with nothing appended")
    func largeEntries() throws {
        var log = try LogSample(InMemoryTiles())
        let large = [UInt8](repeating: 7, count: 65_535)
        try log.writer.append(large)

        #expect(throws: ProofError.entryTooLarge(index: 1, bytes: 65_536)) { try log.writer.append(large + [7]) }
        #expect(log.writer.size == 1)
        var reader = try TileReader(log.storage, checkpoint: log.publish())
        #expect(try reader.entry(at: 0) == large)
    }

    @Test("what a log does not have is an error, whoever asks")
    func beyond() throws {
        var log = try LogSample(InMemoryTiles())
        try log.grow(to: 3)
        var reader = try TileReader(log.storage, checkpoint: log.publish())
        let error = ProofError.beyondLog(size: 3)

        #expect(throws: error) { try reader.entry(at: 3) }
        #expect(throws: error) { try reader.inclusionProof(of: 3) }
        #expect(throws: error) { try reader.consistencyProof(from: 4) }
        #expect(throws: error) { try reader.root(at: .max) }
        #expect(throws: error) { try reader.hash(of: MerkleNode(level: 1, index: 1)) }
        #expect(throws: error) { try reader.hash(of: MerkleNode(level: 64, index: 0)) }
        #expect(throws: error) { try reader.hash(of: MerkleNode(level: 0, index: .max)) }
        #expect(throws: error) { try reader.forEachEntry(in: 0..<4) { _, _ in } }
        #expect(throws: ProofError.self) {
            try TileReader(log.storage, checkpoint: Checkpoint(origin: "a", size: 0, root: log.tree.root))
        }
    }

    @Test("a checkpoint of another tree than the one that was written is not published")
    func otherCheckpoint() throws {
        var log = try LogSample(InMemoryTiles())
        try log.grow(to: 3)
        let signed = try log.notes.signed()

        #expect(throws: ProofError.logMismatch(size: 3)) { try log.writer.publish { _, _ in signed } }
        #expect(log.storage.checkpoint(limit: 1000) == nil)
    }
}
