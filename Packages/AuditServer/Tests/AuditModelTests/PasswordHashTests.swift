import EventModel
import Testing

@testable import AuditModel

@Suite("Hashes of passwords")
struct PasswordHashTests {
    private static let cost = PasswordHash.Cost(logarithm: 10)

    @Test("the right password matches, and any other does not")
    func matching() throws {
        let hash = try PasswordHash(of: "correct horse", cost: Self.cost)

        #expect(try hash.matches("correct horse"))
        for other in ["correct hors", "correct horse ", "Correct horse", ""] {
            #expect(try !hash.matches(other), "\(other)")
        }
    }

    @Test("the text that is stored gives the same hash back, holds no password, and differs for equal passwords")
    func text() throws {
        let hash = try PasswordHash(of: "correct horse", cost: Self.cost)
        let other = try PasswordHash(of: "correct horse", cost: Self.cost)

        let read = try #require(PasswordHash(text: hash.text))
        #expect(read == hash)
        #expect(try read.matches("correct horse"))
        #expect(hash.text.hasPrefix("scrypt$10$8$1$"))
        #expect(!hash.text.contains("horse"))
        #expect(hash.text != other.text)
    }

    @Test("the result is that of RFC 7914 for its salt and costs")
    func vector() throws {
        // Computed with Python's hashlib.scrypt: N = 1024, r = 8, p = 1, 32 bytes.
        let stored =
            "scrypt$10$8$1$30313233343536373839616263646566$a37cc18a53dcf3aaf468dba68afc43a8625bb350959156322df1b35522054b45"
        let hash = try #require(PasswordHash(text: stored))

        #expect(try hash.matches("pleaseletmein"))
    }

    @Test("one text typed with other bytes is one password")
    func normalization() throws {
        let hash = try PasswordHash(of: "caf\u{E9}-secret", cost: Self.cost)

        #expect(try hash.matches("cafe\u{301}-secret"))
    }

    @Test(
        "a text of another form is no hash",
        arguments: [
            "", "scrypt", "scrypt$10$8$1$00$00", "bcrypt$10$8$1$00112233445566778899aabbccddeeff$00",
            "scrypt$40$8$1$00112233445566778899aabbccddeeff$"
                + "00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff",
            "scrypt$10$8$1$00112233445566778899aabbccddeefg$"
                + "00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff",
        ]
    )
    func malformed(text: String) {
        #expect(PasswordHash(text: text) == nil)
    }

    @Test("what is hashed by default costs 32 MiB")
    func cost() throws {
        #expect(try PasswordHash(of: "x").text.hasPrefix("scrypt$15$8$1$"))
    }
}
