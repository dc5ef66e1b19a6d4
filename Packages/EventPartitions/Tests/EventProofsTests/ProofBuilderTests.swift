import EventModel
import EventProofs
import Testing

@Suite("Proofs without the tree")
struct ProofBuilderTests {
    private func inclusion(_ index: Int, _ count: Int, of leaves: [Digest]) -> InclusionProof? {
        var builder = InclusionProofBuilder(index: UInt64(index), count: UInt64(count))
        for leaf in leaves { builder.append(leaf) }
        return builder.proof
    }

    private func consistency(_ first: Int, _ second: Int, of leaves: [Digest]) -> ConsistencyProof? {
        var builder = ConsistencyProofBuilder(from: UInt64(first), to: UInt64(second))
        for leaf in leaves { builder.append(leaf) }
        return builder.proof
    }

    @Test("the paths in the tree of seven leaves are those that RFC 6962 prints in section 2.1.3")
    func standard() {
        let leaves = MerkleTreeTests.leaves(7)
        let (a, b, c, d, e, f, j) = (leaves[0], leaves[1], leaves[2], leaves[3], leaves[4], leaves[5], leaves[6])
        let (g, h, i) = (MerkleHash.node(a, b), MerkleHash.node(c, d), MerkleHash.node(e, f))
        let (k, l) = (MerkleHash.node(g, h), MerkleHash.node(i, j))

        #expect(inclusion(0, 7, of: leaves)?.path == [b, h, l])
        #expect(inclusion(3, 7, of: leaves)?.path == [c, g, l])
        #expect(inclusion(4, 7, of: leaves)?.path == [f, j, k])
        #expect(inclusion(6, 7, of: leaves)?.path == [i, k])
        #expect(consistency(3, 7, of: leaves)?.path == [c, d, g, l])
        #expect(consistency(4, 7, of: leaves)?.path == [l])
        #expect(consistency(6, 7, of: leaves)?.path == [i, j, k])
        #expect(MerkleTree(leaves: leaves).root == MerkleHash.node(k, l))
    }

    @Test("the path of the sixth leaf of Certificate Transparency's tree is the published one")
    func published() throws {
        let leaves = try MerkleTreeTests.vectors.map { MerkleHash.leaf(try #require(Hexadecimal.bytes($0.leaf))) }
        let proof = try #require(inclusion(5, 8, of: leaves))

        #expect(
            proof.path.map(\.hex) == [
                "bc1a0643b12e4d2d7c77918f44e0f4f79a838b6cf9ec5b5c283e1f4d88599e6b",
                "ca854ea128ed050b41b35ffc1b87b8eb2bde461e9e3b5596ece6b9d5975a0ae0",
                "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
            ]
        )
        let root = try #require(Digest(hex: MerkleTreeTests.vectors[7].root))
        #expect(proof.verify(leaf: leaves[5], root: root))
    }

    @Test("every proof of every small tree is the one that the whole tree gives")
    func equality() {
        let leaves = MerkleTreeTests.leaves(21)
        let tree = MerkleTree(leaves: leaves)
        for count in 1...21 {
            for index in 0..<count {
                let proof = inclusion(index, count, of: leaves)
                #expect(proof == tree.inclusionProof(of: UInt64(index), in: UInt64(count)))
            }
            for first in 0...count {
                let proof = consistency(first, count, of: leaves)
                #expect(proof == tree.consistencyProof(from: UInt64(first), to: UInt64(count)))
            }
        }
    }

    @Test("there is no proof before the last leaf has come by")
    func unfinished() {
        let leaves = MerkleTreeTests.leaves(7)

        #expect(inclusion(2, 8, of: leaves) == nil)
        #expect(consistency(3, 8, of: leaves) == nil)
        #expect(inclusion(7, 8, of: leaves) == nil)
    }

    @Test("asking for a leaf that the tree does not have stops the program")
    func misuse() async {
        await #expect(processExitsWith: .failure) { _ = InclusionProofBuilder(index: 3, count: 3) }
        await #expect(processExitsWith: .failure) { _ = ConsistencyProofBuilder(from: 4, to: 3) }
    }
}
