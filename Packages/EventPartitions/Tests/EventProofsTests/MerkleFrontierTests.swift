import EventModel
import EventProofs
import Testing

@Suite("MerkleFrontier")
struct MerkleFrontierTests {
    @Test("it has the root of the whole tree at every count")
    func sameRoots() {
        let leaves = MerkleTreeTests.leaves(300)
        let tree = MerkleTree(leaves: leaves)
        var frontier = MerkleFrontier()
        for (index, leaf) in leaves.enumerated() {
            frontier.append(leaf)

            #expect(frontier.root == tree.root(at: UInt64(index + 1)))
        }
    }

    @Test("its bytes bring it back, and it goes on from there")
    func storedForm() throws {
        let leaves = MerkleTreeTests.leaves(40)
        for count in 0..<40 {
            var frontier = MerkleFrontier()
            for leaf in leaves.prefix(count) { frontier.append(leaf) }

            var restored = try #require(MerkleFrontier(bytes: frontier.bytes))

            #expect(restored == frontier)
            for leaf in leaves.dropFirst(count) { restored.append(leaf) }
            #expect(restored.root == MerkleTree(leaves: leaves).root)
        }
    }

    @Test("bytes that do not fit the count are refused")
    func wrongBytes() {
        var frontier = MerkleFrontier()
        for leaf in MerkleTreeTests.leaves(3) { frontier.append(leaf) }

        #expect(MerkleFrontier(bytes: frontier.bytes.dropLast()) == nil)
        #expect(MerkleFrontier(bytes: frontier.bytes + [0]) == nil)
        #expect(MerkleFrontier(bytes: [1, 2, 3]) == nil)
    }
}
