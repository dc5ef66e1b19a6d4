import EventModel
import EventProofs
import Testing

@Suite("Signed notes")
struct SignedNoteTests {
    /// The key and note that Go's documentation of notes shows.
    private static let key = "PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW"
    private static let note = """
        If you think cryptography is the answer to your problem,
        then you don't know what your problem is.

        — PeterNeumann x08go/ZJkuBS9UG/SffcvIAQxVBtiFupLLr8pAcElZInNIuGUgYN1FFYC2pZSNXgKvqfqdngotpRZb6KE6RyyBwJnAM=

        """
    /// The note that signed-note shows; its key is not in the specification.
    private static let poem = """
        Ognuno sta solo sul cuor della terra
        trafitto da un raggio di sole:

        ed è subito sera.

        — quasimodo.example/salvatore NnugSzTjtVAewIS+Z/iJhUPeFDkO/5QQ2i5ddnGITLlC+EhfLW9oJKONrMouFSQU0xMcXxj99ihAQwaqP3ZekRwNtIc=

        """
    private static let line = "— a AAAAAQI=\n"

    @Test("the note and key that others publish verify, and are printed as they were read")
    func published() throws {
        let key = try NoteVerifierKey(parsing: Self.key)
        let note = try SignedNote(Array(Self.note.utf8))

        #expect(key.description == Self.key)
        #expect(key.id == 0xc74f_20a3)
        #expect(try note.signatures(by: [key]).map(\.key) == [key])
        #expect(note.bytes == Array(Self.note.utf8))
    }

    @Test("a text may have blank lines: the last one ends it")
    func blankLines() throws {
        let note = try SignedNote(Array(Self.poem.utf8))

        #expect(note.text.string.hasSuffix("sole:\n\ned è subito sera.\n"))
        #expect(note.signatures.map(\.name) == ["quasimodo.example/salvatore"])
        #expect(note.signatures.first?.keyID == 0x367b_a04b)
        #expect(note.bytes == Array(Self.poem.utf8))
        #expect(try SignedNote(Array("\n\n\(Self.line)".utf8)).text == "\n")
    }

    @Test("a key signs a text, and what it made is its own")
    func signing() throws {
        let sample = try NoteSample()

        let note = try SignedNote(text: "hello\n", signedBy: [sample.log])

        #expect(try SignedNote(note.bytes) == note)
        #expect(try note.signatures(by: [sample.log.verifierKey]).count == 1)
        let moved = try SignedNote(text: "hallo\n", signatures: note.signatures)
        #expect(throws: ProofError.invalidNoteSignature(name: NoteSample.origin.string)) {
            try moved.signatures(by: [sample.log.verifierKey])
        }
    }

    @Test("signatures of unknown keys are passed over, also under a known name or id, and of unknown algorithms")
    func unknownKeys() throws {
        let sample = try NoteSample()
        let known = sample.log.verifierKey
        let namesake = try NoteSample.signer(NoteSample.origin, .ed25519, 9)
        let note = try SignedNote(text: "hello\n", signedBy: [namesake])
        let sameID = try NoteSignature(parsing: "— other.example \(Self.payload(known.id))")
        // As long as one of ML-DSA-44 with its time.
        let longName = try NoteSignature(parsing: "— \(String(repeating: "n", count: 1000)) AAAAAQI=")
        let large = try NoteSignature(parsing: "— \(known.name) \(String(repeating: "A", count: 3244))")

        let all = try note.adding([sameID, longName, large])

        #expect(try all.signatures(by: [known]).isEmpty)
        #expect(try all.signatures(by: [known, namesake.verifierKey]).map(\.key) == [namesake.verifierKey])
    }

    private static func payload(_ id: UInt32) throws -> String {
        // The id in front of two bytes: eight letters.
        let sample = try SignedNote(text: "x\n", signedBy: [NoteSample().log])
        let line = try #require(sample.signatures.first).description
        #expect(id == sample.signatures.first?.keyID)
        return String(try #require(line.split(separator: " ").last).prefix(8))
    }

    @Test(
        "what is not a note is refused with a sentence",
        arguments: [
            ("", "does not end with a newline"),
            ("hello\n\n— a AAAAAQI=", "does not end with a newline"),
            ("hello\n", "no blank line"),
            ("hello\n— a AAAAAQI=\n", "no blank line"),
            ("hello\n\n", "no signature"),
            ("hello\n\n\n", "no signature"),
            ("hello\t\n\n— a AAAAAQI=\n", "control character"),
            ("hello\r\n\n— a AAAAAQI=\n", "control character"),
            ("hello\n\n- a AAAAAQI=\n", "line 1 does not begin"),
            ("hello\n\n—a AAAAAQI=\n", "line 1 does not begin"),
            ("hello\n\n— a AAAAAQI=\nhello\n", "line 2 does not begin"),
            ("hello\n\n—  AAAAAQI=\n", "not the name"),
            ("hello\n\n— a+b AAAAAQI=\n", "not the name"),
            ("hello\n\n— a\u{2003}b AAAAAQI=\n", "not the name"),
            ("hello\n\n— a\u{85}b AAAAAQI=\n", "not the name"),
            ("hello\n\n— a\n", "not base64"),
            ("hello\n\n— a  AAAAAQI=\n", "not base64"),
            ("hello\n\n— a AAAAAQI= \n", "not base64"),
            ("hello\n\n— a AAAAAQ==\n", "not base64"),
            ("hello\n\n— a AAAAAQI\n", "not base64"),
            ("hello\n\n— a AAAAAQJ=\n", "not base64"),
            ("hello\n\n— a AAAA_QI=\n", "not base64"),
            ("hello\n\n— a AAAAAQI=\n— a AAAAAQI=\n", "same signature line twice"),
        ]
    )
    func malformed(text: String, reason: String) throws {
        let error = try #require(throws: ProofError.self) { try SignedNote(Array(text.utf8)) }

        #expect(error.description.contains(reason), "\(error)")
    }

    @Test("bytes that are not UTF-8, and notes beyond the bounds, are refused; 64 signatures are not too many")
    func bounds() throws {
        let lines = (0..<65).map { "— a\($0) AAAAAQI=\n" }
        func note(_ count: Int) -> [UInt8] { Array("hello\n\n\(lines.prefix(count).joined())".utf8) }

        #expect(try SignedNote(note(64)).signatures.count == 64)
        #expect(throws: ProofError.malformedNote(reason: "it has more than 64 signatures")) { try SignedNote(note(65)) }
        #expect(throws: ProofError.malformedNote(reason: "it is not UTF-8")) {
            try SignedNote([0xFF] + note(1))
        }
        let long = [UInt8](repeating: 0x61, count: SignedNote.maximumBytes)
        #expect(throws: ProofError.malformedNote(reason: "it has more than 262144 bytes")) {
            try SignedNote(long + note(1))
        }
    }

    @Test("a signer that makes something else than its key's signature signs nothing")
    func wrongSigner() throws {
        struct Liar: NoteSigner {
            let verifierKey: NoteVerifierKey
            func signature(for message: [UInt8]) -> [UInt8] { [UInt8](repeating: 7, count: 64) }
        }
        let sample = try NoteSample()
        let checkpoint = try sample.checkpoint()

        #expect(throws: ProofError.self) {
            try SignedNote(text: "hello\n", signedBy: [Liar(verifierKey: sample.log.verifierKey)])
        }
        #expect(throws: ProofError.self) {
            try checkpoint.cosigned(by: Liar(verifierKey: sample.witnesses[0].verifierKey), at: NoteSample.time)
        }
        // A key of the other kind would sign something else than the line says.
        #expect(throws: ProofError.self) { try SignedNote(text: "hello\n", signedBy: [sample.witnesses[0]]) }
        #expect(throws: ProofError.self) { try checkpoint.cosigned(by: sample.log, at: NoteSample.time) }
    }

    @Test("what has no form that others could read is not made")
    func unreadable() throws {
        let signatures = try SignedNote(Array("hello\n\n\(Self.line)".utf8)).signatures

        #expect(throws: ProofError.self) { try SignedNote(text: "hello", signatures: signatures) }
        #expect(throws: ProofError.self) { try SignedNote(text: "hello\u{7}\n", signatures: signatures) }
        #expect(throws: ProofError.self) { try SignedNote(text: "hello\n", signatures: []) }
        #expect(throws: ProofError.self) { try SignedNote(text: "hello\n", signatures: signatures + signatures) }
    }
}
