import EventModel
import EventProofs
import Testing

@Suite("Checkpoints of logs")
struct LogCheckpointTests {
    private static let root = "CsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I="

    @Test("the checkpoint that the specification shows is read, and printed as it was")
    func published() throws {
        let text = """
            example.com/behind-the-sofa
            20852163
            CsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=

            — example.com/behind-the-sofa Az3grlgtzPICa5OS8npVmf1Myq/5IZniMp+ZJurmRDeOoRDe4URYN7u5/Zhcyv2q1gGzGku9nTo+zyWE+xeMcTOAYQ8=
            — witness.example.com/w1 jWbPPwAAAABkGFDLEZMHwSRaJNiIDoe9DYn/zXcrtPHeolMI5OWXEhZCB9dlrDJsX3b2oyin1nPZqhf5nNo0xUe+mbIUBkBIfZ+qnA==

            """

        let signed = try SignedCheckpoint(Array(text.utf8))

        #expect(signed.checkpoint.origin == NoteSample.origin)
        #expect(signed.checkpoint.size == 20_852_163)
        #expect(signed.checkpoint.extensions.isEmpty)
        #expect(signed.checkpoint.text == NoteSample.text)
        #expect(signed.note.bytes == Array(text.utf8))
        #expect(Cosignature(signed.note.signatures[1].bytes)?.seconds == 1_679_315_147)
    }

    @Test("extension lines are kept and belong to the text")
    func extensions() throws {
        let text = ExactText("a\n0\n\(Self.root)\nfirst\n second \n")

        let checkpoint = try Checkpoint(parsing: text)

        #expect(checkpoint.extensions == ["first", " second "])
        #expect(checkpoint.text == text)
    }

    @Test(
        "what is not a checkpoint is refused with a sentence",
        arguments: [
            ("", "three lines"),
            ("a\n1\n", "three lines"),
            ("a\n1\n\(root)", "three lines"),
            ("\n1\n\(root)\n", "origin"),
            ("a\n\n\(root)\n", "size"),
            ("a\n01\n\(root)\n", "size"),
            ("a\n-1\n\(root)\n", "size"),
            ("a\n+1\n\(root)\n", "size"),
            ("a\n1 \n\(root)\n", "size"),
            ("a\n9223372036854775808\n\(root)\n", "size"),
            ("a\n1\n\(root) \n", "root"),
            ("a\n1\nCsUY\n", "root"),
            ("a\n1\n\(root.dropLast())\n", "root"),
            ("a\n1\nCsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2J=\n", "root"),
            ("a\n1\n\(root)\n\n", "extension"),
            ("a\n1\n\(root)\n\nb\n", "extension"),
        ]
    )
    func malformed(text: String, reason: String) throws {
        let error = try #require(throws: ProofError.self) { try Checkpoint(parsing: ExactText(text)) }

        #expect(error.description.contains(reason), "\(error)")
    }

    @Test("the message of a cosignature is that of the specification")
    func message() {
        let expected = """
            cosignature/v1
            time 1679315147
            example.com/behind-the-sofa
            20852163
            CsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=

            """

        let message = Cosignature.message(seconds: 1_679_315_147, text: Array(NoteSample.text.string.utf8))

        #expect(message == Array(expected.utf8))
    }

    @Test("a cosignature states its time, and is its own witness's")
    func cosignature() throws {
        let sample = try NoteSample()
        let signed = try sample.signed(by: 0..<2)

        let found = try signed.note.signatures(by: [sample.witnesses[1].verifierKey])

        #expect(found.map(\.cosignedSeconds) == [1_679_315_147])
        #expect(found.first?.cosigned == EventInstant(microseconds: 1_679_315_147_000_000))
        let past = EventInstant(microseconds: -1)
        #expect(throws: ProofError.self) { try sample.checkpoint().cosigned(by: sample.witnesses[0], at: past) }
        #expect(Cosignature([0x80] + [UInt8](repeating: 0, count: 71)) == nil)
        #expect(Cosignature([UInt8](repeating: 0, count: 71)) == nil)
    }
}
