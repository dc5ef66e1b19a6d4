import EventModel
import EventProofs
import Testing

@Suite("Trees whose hashes are stored")
struct StoredMerkleTreeTests {
    @Test("the hashes stored with each leaf make every root and proof of the tree")
    func proofs() throws {
        var frontier = MerkleFrontier()
        var tree = MerkleTree()
        var rows: [[Digest]] = []
        for number in 0..<UInt8(20) {
            let leaf = MerkleHash.leaf([number])
            rows.append(frontier.completing(leaf))
            tree.append(leaf)
            let stored = StoredMerkleTree(count: frontier.count) { level, index in
                rows[Int((index + 1) << UInt64(level)) - 1][level]
            }

            #expect(frontier.root == tree.root)
            for count in 0...frontier.count {
                #expect(stored.root(at: count) == tree.root(at: count))
                let consistency = stored.consistencyProof(from: count, to: frontier.count)
                #expect(consistency.verify(firstRoot: tree.root(at: count), secondRoot: frontier.root))
                for index in 0..<count {
                    let proof = stored.inclusionProof(of: index, in: count)
                    #expect(proof.verify(leaf: MerkleHash.leaf([UInt8(index)]), root: tree.root(at: count)))
                }
            }
        }
        #expect(rows.map(\.count).prefix(8) == [1, 2, 1, 3, 1, 2, 1, 4])
    }

    @Test("the peaks of any size are complete subtrees, one for each bit, and make the tree's root")
    func peaks() throws {
        let tree = MerkleTree(leaves: MerkleTreeTests.leaves(70))
        for count in 0...tree.count {
            let peaks = MerkleNode.peaks(of: count)
            let hashes = peaks.map { node in
                var frontier = MerkleFrontier()
                for leaf in MerkleTreeTests.leaves(Int(node.end)).suffix(1 << node.level) { frontier.append(leaf) }
                return frontier.root
            }
            let frontier = try #require(MerkleFrontier(count: count, peaks: hashes))

            #expect(peaks.count == count.nonzeroBitCount)
            #expect(peaks.last?.end ?? 0 == count)
            #expect(frontier.root == tree.root(at: count))
            #expect(MerkleFrontier(count: count, peaks: hashes + [tree.root]) == nil)
        }
    }

    @Test("what an inclusion proof needs is a few hashes, known before any is looked up")
    func inclusion() {
        let tree = MerkleTree(leaves: MerkleTreeTests.leaves(300))
        for (index, count) in [(0, 1), (0, 300), (299, 300), (255, 256), (256, 300), (17, 201)] as [(UInt64, UInt64)] {
            let nodes = MerkleNode.inclusion(of: index, in: count)
            var asked: [MerkleNode] = []
            let stored = StoredMerkleTree<Never>(count: 300) { level, index in
                asked.append(MerkleNode(level: level, index: index))
                return tree.root(at: 300)
            }
            _ = stored.inclusionProof(of: index, in: count)

            #expect(asked == nodes)
            #expect(nodes.count <= 16)
            #expect(nodes.allSatisfy { $0.end <= count })
        }
    }

    @Test("what a look-up throws is thrown, and nothing is made up")
    func failure() {
        struct Missing: Error {}
        let tree = StoredMerkleTree(count: 3) { _, _ throws(Missing) in throw Missing() }

        #expect(throws: Missing.self) { try tree.root(at: 3) }
        #expect(throws: Missing.self) { try tree.inclusionProof(of: 1, in: 2) }
        #expect(throws: Missing.self) { try tree.consistencyProof(from: 1, to: 3) }
        #expect(throws: Never.self) { try tree.root(at: 0) }
    }
}
