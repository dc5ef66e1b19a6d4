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
