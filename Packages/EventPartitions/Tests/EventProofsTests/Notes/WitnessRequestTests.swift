import EventModel
import EventProofs
import Testing

@Suite("Requests to witnesses")
struct WitnessRequestTests {
    private static let published = """
        old 20852014
        PlRNCrwHpqhGrupue0L7gxbjbMiKA9temvuZZDDpkaw=
        jrJZDmY8Y7SyJE0MWLpLozkIVMSMZcD5kvuKxPC3swk=
        5+pKlUdi2LeF/BcMHBn+Ku6yhPGNCswZZD1X/6QgPd8=
        /6WVhPs2CwSsb5rYBH5cjHV/wSmA79abXAwhXw3Kj/0=

        example.com/behind-the-sofa
        20852163
        CsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=

        — example.com/behind-the-sofa Az3grlgtzPICa5OS8npVmf1Myq/5IZniMp+ZJurmRDeOoRDe4URYN7u5/Zhcyv2q1gGzGku9nTo+zyWE+xeMcTOAYQ8=
        — example.com/behind-the-sofa opLqBQsREYCgu6xQkYQwJr9fo45a62DN9EdmHXnZdXNqlcVGlCum2Wks+49/V6267UEjw6QUXTS5Rovnzv++qbSzm9Q=

        """
    private static let hash = "PlRNCrwHpqhGrupue0L7gxbjbMiKA9temvuZZDDpkaw="

    @Test("the request that the specification shows is read, and printed as it was")
    func request() throws {
        let request = try WitnessRequest(Array(Self.published.utf8))

        #expect(request.oldSize == 20_852_014)
        #expect(request.proof.count == 4)
        #expect(request.signed.checkpoint.size == 20_852_163)
        #expect(request.signed.note.signatures.count == 2)
        #expect(request.bytes == Array(Self.published.utf8))
    }

    @Test("the answer that the specification shows is read, and printed as it was")
    func answer() throws {
        let text = """
            — witness.example/w1 CMp+6LWBU0anHGH5aNDTJkH/gj79sG+T6+iP2ThYN5krrDJbR1HDnucjL39QsZTSvVjyQLrdk3DXDqI5G2HgLatVs0pWh6Up69HVOw==
            — witness.example/w1 I7rEps0pvK2UqkS2gSpVUDhrhVtQV9lgF6pRrWAvjJHjyWpW7VcE3SiOlVlbQNt64vWhO+DlkL0+UfzuOBMh9ChdMkP1vi/lCAsmlw==
            — witness.example/w2 AWui8Sk55XjYLOijihBjhqEH6nS1ndDymE0a+6idX7pLcnoB+dhnz0854aLZgrrKbYKA7nC3HNJhm/kWl7oJlqU3rXXvpysAdyP3wQ==

            """

        let answer = try WitnessAnswer(parsing: Array(text.utf8))

        #expect(answer.signatures.map(\.name) == ["witness.example/w1", "witness.example/w1", "witness.example/w2"])
        #expect(answer.bytes == Array(text.utf8))
        for wrong in ["", "\n", "\(text)\n\(text)", "sorry\n\n\(text)", "\n\(text)", String(text.dropLast())] {
            #expect(throws: ProofError.self) { try WitnessAnswer(parsing: Array(wrong.utf8)) }
        }
    }

    @Test(
        "what is not a request is refused with a sentence",
        arguments: [
            ("", "first line"),
            ("old\n\n", "first line"),
            ("old 01\n\n", "first line"),
            ("old -1\n\n", "first line"),
            ("new 1\n\n", "first line"),
            ("old 1", "first line"),
            ("old 1\n", "no blank line"),
            ("old 1\n\(hash)\n", "no blank line"),
            ("old 1\nabcd\n\n", "line 1 of its proof"),
            ("old 1\n\(hash)\n\(hash) \n\n", "line 2 of its proof"),
            ("old 1\n\n", "signed note"),
            ("old 1\n\nhello\n\n— a AAAAAQI=\n", "checkpoint"),
            ("old 1\n\(String(repeating: "\(hash)\n", count: 64))\n", "more than 63"),
        ]
    )
    func malformed(text: String, reason: String) throws {
        let error = try #require(throws: ProofError.self) { try WitnessRequest(Array(text.utf8)) }

        #expect(error.description.contains(reason), "\(error)")
    }

    @Test("63 hashes are not too many, and a request that nobody could read is not made")
    func bounds() throws {
        let signed = try NoteSample().signed()
        let hashes = [Digest](repeating: MerkleHash.empty, count: 63)

        let request = try WitnessRequest(oldSize: 0, proof: hashes, signed: signed)

        #expect(try WitnessRequest(request.bytes) == request)
        #expect(throws: ProofError.self) {
            try WitnessRequest(oldSize: 0, proof: hashes + [MerkleHash.empty], signed: signed)
        }
        #expect(throws: ProofError.self) { try WitnessRequest(oldSize: .max, proof: [], signed: signed) }
        let long = [UInt8](repeating: 0x61, count: WitnessRequest.maximumBytes + 1)
        #expect(throws: ProofError.self) { try WitnessRequest(long) }
    }

    @Test("the size that a witness knows is a line of its own")
    func sizes() {
        #expect(WitnessAnswer.size(parsing: WitnessAnswer.bytes(ofSize: 20_852_014)) == 20_852_014)
        for wrong in ["", "\n", "1", "01\n", "1\n\n", "-1\n", " 1\n"] {
            #expect(WitnessAnswer.size(parsing: Array(wrong.utf8)) == nil, "\(wrong)")
        }
    }
}
