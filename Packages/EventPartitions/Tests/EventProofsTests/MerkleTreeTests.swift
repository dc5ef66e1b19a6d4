import EventModel
import EventProofs
import Testing

@Suite("MerkleTree")
struct MerkleTreeTests {
    /// The leaves and roots that the Certificate Transparency implementations test with.
    static let vectors: [(leaf: String, root: String)] = [
        ("", "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d"),
        ("00", "fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125"),
        ("10", "aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77"),
        ("2021", "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7"),
        ("3031", "4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4"),
        ("40414243", "76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef"),
        ("5051525354555657", "ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c"),
        (
            "606162636465666768696a6b6c6d6e6f",
            "5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328"
        ),
    ]

    static func leaves(_ count: Int) -> [Digest] {
        (0..<count).map { MerkleHash.leaf([UInt8(truncatingIfNeeded: $0), UInt8(truncatingIfNeeded: $0 >> 8)]) }
    }

    @Test("the tree without leaves has the hash of nothing")
    func emptyRoot() {
        let expected = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"

        #expect(MerkleTree().root.hex == expected)
        #expect(MerkleFrontier().root.hex == expected)
    }

    @Test("the roots are those of Certificate Transparency")
    func knownRoots() throws {
        var tree = MerkleTree()
        var frontier = MerkleFrontier()
        for vector in Self.vectors {
            let leaf = MerkleHash.leaf(try #require(Hexadecimal.bytes(vector.leaf)))
            tree.append(leaf)
            frontier.append(leaf)

            #expect(tree.root.hex == vector.root)
            #expect(frontier.root.hex == vector.root)
        }
    }

    @Test("the inclusion path of the sixth of eight leaves is that of Certificate Transparency")
    func knownPath() throws {
        let leaves = try Self.vectors.map { MerkleHash.leaf(try #require(Hexadecimal.bytes($0.leaf))) }

        let proof = MerkleTree(leaves: leaves).inclusionProof(of: 5, in: 8)

        #expect(
            proof.path.map(\.hex) == [
                "bc1a0643b12e4d2d7c77918f44e0f4f79a838b6cf9ec5b5c283e1f4d88599e6b",
                "ca854ea128ed050b41b35ffc1b87b8eb2bde461e9e3b5596ece6b9d5975a0ae0",
                "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
            ]
        )
    }

    @Test("every leaf of every small tree is proven, and nowhere else")
    func inclusion() {
        let leaves = Self.leaves(33)
        let tree = MerkleTree(leaves: leaves)
        for count in 1...33 {
            let root = tree.root(at: UInt64(count))
            for index in 0..<count {
                let proof = tree.inclusionProof(of: UInt64(index), in: UInt64(count))

                #expect(proof.verify(leaf: leaves[index], root: root))
                #expect(!proof.verify(leaf: MerkleHash.leaf([7, 7, 7]), root: root))
                #expect(!proof.verify(leaf: leaves[index], root: MerkleHash.empty))
                let moved = InclusionProof(index: proof.index ^ 1, count: proof.count, path: proof.path)
                if count > 1 { #expect(!moved.verify(leaf: leaves[index], root: root)) }
                let longer = InclusionProof(index: proof.index, count: proof.count, path: proof.path + [root])
                #expect(!longer.verify(leaf: leaves[index], root: root))
            }
        }
    }

    @Test("every small tree is proven to be the beginning of every larger one")
    func consistency() {
        let tree = MerkleTree(leaves: Self.leaves(33))
        for second in 0...33 {
            for first in 0...second {
                let proof = tree.consistencyProof(from: UInt64(first), to: UInt64(second))
                let older = tree.root(at: UInt64(first))
                let newer = tree.root(at: UInt64(second))

                #expect(proof.verify(firstRoot: older, secondRoot: newer))
                guard first != second else { continue }
                #expect(!proof.verify(firstRoot: newer, secondRoot: newer))
                if first > 0 { #expect(!proof.verify(firstRoot: older, secondRoot: older)) }
            }
        }
    }

    @Test("a tree with a changed early leaf is not consistent with the old root")
    func rewrittenHistory() {
        var leaves = Self.leaves(20)
        let oldRoot = MerkleTree(leaves: leaves).root(at: 11)
        leaves[3] = MerkleHash.leaf([9])
        let rewritten = MerkleTree(leaves: leaves)

        let proof = rewritten.consistencyProof(from: 11, to: 20)

        #expect(!proof.verify(firstRoot: oldRoot, secondRoot: rewritten.root))
    }
}
