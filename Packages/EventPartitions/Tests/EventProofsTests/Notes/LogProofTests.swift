import EventModel
import EventProofs
import Testing

@Suite("Proofs of logs")
struct LogProofTests {
    private static let hash = "PlRNCrwHpqhGrupue0L7gxbjbMiKA9temvuZZDDpkaw="

    private let notes: NoteSample
    private let signed: SignedCheckpoint
    private let tree: MerkleTree

    init() throws {
        notes = try NoteSample()
        tree = MerkleTree(leaves: (0..<300).map { MerkleHash.leaf(Self.entry($0)) })
        let checkpoint = try Checkpoint(origin: NoteSample.origin, size: 300, root: tree.root)
        signed = try SignedCheckpoint(checkpoint, signedBy: [notes.log])
            .adding(notes.witnesses.map { try checkpoint.cosigned(by: $0, at: NoteSample.time) })
    }

    private static func entry(_ index: Int) -> [UInt8] { Array("entry \(index)".utf8) }

    @Test("an entry is proven to be in a log that a policy believes, with the times of its witnesses")
    func proof() throws {
        let policy = try notes.policy(quorum: 3)
        for index in [0, 7, 255, 256, 299] as [UInt64] {
            let made = try LogProof(tree.inclusionProof(of: index, in: 300), in: signed)

            let read = try LogProof(made.bytes)
            let cosigned = try read.verify(Self.entry(Int(index)), by: policy)

            #expect(read == made)
            #expect(cosigned.cosignatures.count == 3)
            #expect(throws: ProofError.notInLog(index: index)) { try read.verify([1], by: policy) }
        }
    }

    @Test("a proof has the lines of the specification, and its extra data if there is any")
    func form() throws {
        let proof = try LogProof(tree.inclusionProof(of: 299, in: 300), in: signed, extra: Array("foobar".utf8))
        let lines = String(decoding: proof.bytes, as: UTF8.self)
            .split(separator: "\n", omittingEmptySubsequences: false)

        #expect(lines.prefix(3) == ["c2sp.org/tlog-proof@v1", "extra Zm9vYmFy", "index 299"])
        #expect(lines.firstIndex(of: "") == 3 + proof.path.count)
        #expect(lines[4 + proof.path.count] == "example.com/behind-the-sofa")
        #expect(try LogProof(proof.bytes).extra == Array("foobar".utf8))
    }

    @Test("no proof verifies after a change of any byte in front of its checkpoint or in it")
    func everyByte() throws {
        let policy = try notes.policy(quorum: 3)
        let bytes = try LogProof(tree.inclusionProof(of: 7, in: 300), in: signed).bytes
        for place in bytes.indices {
            var changed = bytes
            changed[place] ^= 1 << UInt8(place % 8)
            #expect(throws: ProofError.self, "byte \(place)") {
                try LogProof(changed).verify(Self.entry(7), by: policy)
            }
        }
    }

    @Test(
        "what is not a proof is refused with a sentence",
        arguments: [
            ("", "first line"),
            ("c2sp.org/tlog-proof@v2\n", "first line"),
            ("c2sp.org/tlog-proof@v1\n", "`index`"),
            ("c2sp.org/tlog-proof@v1\nextra Zg\nindex 1\n\n", "extra data is not base64"),
            ("c2sp.org/tlog-proof@v1\nindex 1\nextra Zg==\n\n", "hash 1"),
            ("c2sp.org/tlog-proof@v1\nindex 01\n\n", "`index`"),
            ("c2sp.org/tlog-proof@v1\nindex 1\n\(hash)\n", "no blank line"),
            ("c2sp.org/tlog-proof@v1\nindex 1\n\(hash)\nabcd\n\n", "hash 2"),
            ("c2sp.org/tlog-proof@v1\nindex 1\n\(String(repeating: "\(hash)\n", count: 64))\n", "more than 63"),
            ("c2sp.org/tlog-proof@v1\nindex 1\n\n", "signed note"),
        ]
    )
    func malformed(text: String, reason: String) throws {
        let error = try #require(throws: ProofError.self) { try LogProof(Array(text.utf8)) }

        #expect(error.description.contains(reason), "\(error)")
    }

    @Test("a proof for another size, and more than there is room for, are not made")
    func bounds() throws {
        let extra = [UInt8](repeating: 7, count: LogProof.maximumExtraBytes)
        let proof = tree.inclusionProof(of: 7, in: 300)

        #expect(try LogProof(LogProof(proof, in: signed, extra: extra).bytes).extra == extra)
        #expect(throws: ProofError.self) { try LogProof(proof, in: signed, extra: extra + [7]) }
        #expect(throws: ProofError.self) { try LogProof(tree.inclusionProof(of: 7, in: 299), in: signed) }
        #expect(throws: ProofError.self) { try LogProof([UInt8](repeating: 7, count: LogProof.maximumBytes + 1)) }
    }
}
