import AuditFormats
import AuditModel
package import EventModel
package import EventProofs

/// The tree over a partition, of which only the upper part and two blocks of leaves are in memory.
///
/// ```
///         root                 the upper part: one hash for each block, and what is above
///      /        \
///   block 0   block 1 …        a block: 1,024 leaves, loaded when an event of it is to be proven
/// ```
/// A partition of a million events takes 64 KiB, and the paths of its events cost no second tree.
package struct BlockTree: Sendable {
    /// The level of the blocks: each has so many leaves to the power of two.
    package static let level = 10
    /// How many leaves a block has.
    package static let blockSize: UInt64 = 1 << UInt64(level)

    /// The hashes of one block: `levels[k][i]` covers `1 << k` leaves.
    private struct Block: Sendable {
        let index: UInt64
        private(set) var levels: [[Digest]]

        init(_ index: UInt64, _ leaves: [Digest]) {
            self.index = index
            levels = [leaves]
            while let below = levels.last, below.count > 1, levels.count <= BlockTree.level {
                levels.append(
                    stride(from: 0, to: below.count - 1, by: 2).map { MerkleHash.node(below[$0], below[$0 + 1]) }
                )
            }
        }
    }

    /// How many leaves there are.
    package private(set) var count: UInt64 = 0
    private var upperHashes: [[Digest]] = [[]]
    private var tail: [Digest] = []
    private var last = Block(0, [])
    private var loaded: Block?

    package init() {}

    /// Appends the next leaves; a full block is forgotten but for its hash.
    package mutating func append(_ leaves: [Digest]) {
        for leaf in leaves {
            tail.append(leaf)
            count += 1
            if UInt64(tail.count) == Self.blockSize { close() }
        }
        last = Block(count / Self.blockSize, tail)
    }

    private mutating func close() {
        var hash = Block(0, tail).levels[Self.level][0]
        tail.removeAll(keepingCapacity: true)
        for level in 0... {
            if level == upperHashes.count { upperHashes.append([]) }
            upperHashes[level].append(hash)
            let hashes = upperHashes[level]
            guard hashes.count.isMultiple(of: 2) else { return }
            hash = MerkleHash.node(hashes[hashes.count - 2], hashes[hashes.count - 1])
        }
    }

    /// The root over all leaves.
    package var root: Digest { tree.root(at: count) }

    /// The sequences of the events whose leaves ``load(_:)`` takes before an event is proven; nil when they are there.
    package func missingLeaves(for sequence: UInt64) -> ClosedRange<UInt64>? {
        let block = (sequence - 1) / Self.blockSize
        if block == last.index || block == loaded?.index { return nil }
        return (block * Self.blockSize + 1)...((block + 1) * Self.blockSize)
    }

    /// Takes the leaves of the block of an event.
    ///
    /// - Returns: Whether they are those that were appended.
    package mutating func load(_ leaves: [Digest], for sequence: UInt64) -> Bool {
        let index = (sequence - 1) / Self.blockSize
        let block = Block(index, leaves)
        guard UInt64(leaves.count) == Self.blockSize, block.levels[Self.level][0] == upperHashes[0][Int(index)] else {
            return false
        }
        loaded = block
        return true
    }

    /// Proves that an event is in the tree.
    ///
    /// - Precondition: The leaves of its block are loaded.
    package func proof(of sequence: UInt64) -> InclusionProof { tree.inclusionProof(of: sequence - 1, in: count) }

    private var tree: StoredMerkleTree<Never> {
        StoredMerkleTree(count: count) { level, index in
            if level >= Self.level { return upperHashes[level - Self.level][Int(index)] }
            let block = (index << UInt64(level)) / Self.blockSize
            let offset = Int(index - (block * Self.blockSize >> UInt64(level)))
            if block == last.index { return last.levels[level][offset] }
            guard let loaded, loaded.index == block else {
                preconditionFailure("The leaves of an event's block are loaded before the event is proven.")
            }
            return loaded.levels[level][offset]
        }
    }
}
