import EventModel
import EventProofs
import Testing

@testable import AuditVerifying

@Suite("Trees by blocks")
struct BlockTreeTests {
    private static func leaves(_ count: Int) -> [Digest] {
        (0..<count).map { MerkleHash.leaf(Array("\($0)".utf8)) }
    }

    @Test(
        "a tree by blocks has the roots and paths of a whole one",
        arguments: [1, 2, 3, 1023, 1024, 1025, 2048, 3100]
    )
    func sameAsWhole(count: Int) throws {
        let leaves = Self.leaves(count)
        let whole = MerkleTree(leaves: leaves)
        var tree = BlockTree()
        // In pieces of an odd size, as a store may give them.
        for start in stride(from: 0, to: count, by: 700) { tree.append(Array(leaves[start..<min(start + 700, count)])) }

        #expect(tree.count == UInt64(count))
        #expect(tree.root == whole.root)
        for sequence in stride(from: 1, through: count, by: max(1, count / 41)) {
            let sequence = UInt64(sequence)
            if let missing = tree.missingLeaves(for: sequence) {
                let block = leaves[Int(missing.lowerBound - 1)..<Int(missing.upperBound)]
                let isLoaded = tree.load(Array(block), for: sequence)
                #expect(isLoaded)
            }
            let proof = tree.proof(of: sequence)
            #expect(proof == whole.inclusionProof(of: sequence - 1, in: UInt64(count)))
        }
    }

    @Test("leaves that differ from those that were appended are refused")
    func otherLeaves() {
        let leaves = Self.leaves(2100)
        var tree = BlockTree()
        tree.append(leaves)
        var block = Array(leaves[0..<1024])
        block[5] = leaves[6]

        #expect(tree.missingLeaves(for: 1) == 1...1024)
        let isChangedLoaded = tree.load(block, for: 1)
        let isShortLoaded = tree.load([], for: 1)
        #expect(!isChangedLoaded)
        #expect(!isShortLoaded)
        #expect(tree.missingLeaves(for: 2100) == nil)
    }
}
