import EventModel
import Testing

@testable import EventProofs

@Suite("Keys of notes")
struct NoteVerifierKeyTests {
    private static let text = "PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW"

    @Test("no other text is taken for a key: no part of it, and none with a changed letter")
    func changed() throws {
        let text = Array(Self.text)
        for first in text.indices {
            for last in (first + 1)...text.count where last - first < text.count {
                let part = String(text[first..<last])
                #expect(throws: ProofError.self) { try NoteVerifierKey(parsing: part) }
            }
        }
        // The digits of the id may be of either case.
        for place in text.indices where text[place] != "a" {
            var changed = text
            changed[place] = changed[place] == "A" ? "B" : "A"
            #expect(throws: ProofError.self) { try NoteVerifierKey(parsing: String(changed)) }
        }
    }

    @Test("an unknown algorithm, a key that anybody can sign for, and a name with a space are refused")
    func useless() throws {
        let unknown = "a+00000000+\(Base64Text.text([6] + [UInt8](repeating: 1, count: 1312)))"
        let error = try #require(throws: ProofError.self) { try NoteVerifierKey(parsing: unknown) }

        #expect(error.description.contains("signature type 6 is not understood"))
        #expect(throws: ProofError.self) {
            try NoteVerifierKey(name: "a", algorithm: .ed25519, publicKey: [UInt8](repeating: 0, count: 32))
        }
        for name in ["", "a b", "a+b", "a\u{A0}b", "a\nb", String(repeating: "a", count: 256)] {
            #expect(throws: ProofError.self) { try EdwardsNoteSigner(name: ExactText(name), algorithm: .ed25519) }
        }
        #expect(throws: ProofError.self) {
            try EdwardsNoteSigner(name: "a", algorithm: .ed25519, rawRepresentation: [1, 2, 3])
        }
    }

    @Test("one key pair has another id for each name and algorithm")
    func ids() throws {
        let sample = try NoteSample()
        let log = sample.log.verifierKey
        let others = [
            try NoteVerifierKey(name: log.name, algorithm: .cosignature, publicKey: log.publicKey),
            try NoteVerifierKey(name: "example.com", algorithm: .ed25519, publicKey: log.publicKey),
        ]

        #expect(Set(others.map(\.id) + [log.id]).count == 3)
        for key in others + [log] { #expect(try NoteVerifierKey(parsing: key.description) == key) }
    }

    @Test("base64 has one spelling for all bytes")
    func base64() throws {
        // RFC 4648, section 10.
        let known = [
            "": "", "f": "Zg==", "fo": "Zm8=", "foo": "Zm9v", "foob": "Zm9vYg==", "fooba": "Zm9vYmE=",
            "foobar": "Zm9vYmFy",
        ]
        for (bytes, text) in known {
            #expect(Base64Text.text(Array(bytes.utf8)) == text)
            #expect(Base64Text.bytes(Array(text.utf8)) == Array(bytes.utf8))
        }
        for text in [
            "Zg", "Zg=", "Zg===", "Zh==", "Zm9=", "Z===", "====", "Zg==Zg==", "Zm9v\n", " Zm9", "Zm-_", "Z=g=",
        ] {
            #expect(Base64Text.bytes(Array(text.utf8)) == nil, "\(text)")
        }
    }

    @Test("numbers have one spelling, and none is beyond 2^63 - 1")
    func decimal() {
        #expect(DecimalText.number(Array("0".utf8)) == 0)
        #expect(DecimalText.number(Array("9223372036854775807".utf8)) == UInt64(Int64.max))
        for text in ["", "00", "01", "-1", "+1", "1 ", "0x1", "9223372036854775808", "99999999999999999999", "١"] {
            #expect(DecimalText.number(Array(text.utf8)) == nil, "\(text)")
        }
    }
}
