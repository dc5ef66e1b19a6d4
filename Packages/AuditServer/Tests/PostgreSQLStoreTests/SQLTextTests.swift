import Testing

@testable import PostgreSQLStore

@Suite("Texts in PostgreSQL")
struct SQLTextTests {
    @Test(
        "a refusal's code is found at the end of its line, and a port is none",
        arguments: [
            ("connection to server at \"db1\", port 28509 failed: FATAL:  28P01\n", "28P01"),
            ("connection to server at \"db1\", port 28509 failed: Connection refused\n", nil),
            (
                "connection to server at \"a\", port 28509 failed: Connection refused\nserver \"b\" failed: FATAL:  57P03\n",
                "57P03"
            ),
            ("", nil),
        ] as [(String, String?)]
    )
    func refusalCodes(message: String, state: String?) {
        #expect(PostgreSQLConnection.state(in: message) == state)
    }

    @Test(
        "any bytes come back as they were, and what is stored is UTF-8 without a zero byte",
        arguments: [
            [], Array("plain".utf8), Array("ünïcödé 🩺".utf8), [0], [0x1A], [0x41, 0, 0x1A, 0x42], [0xFF], [0xC3],
            [0xC3, 0xBC, 0xFF, 0], [0xED, 0xA0, 0x80], Array(0...255),
        ] as [[UInt8]]
    )
    func roundTrip(bytes: [UInt8]) {
        let stored = SQLText.stored(bytes)

        #expect(SQLText.original(stored) == bytes)
        #expect(!stored.contains(0))
        #expect(String(validating: stored, as: UTF8.self) != nil)
    }

    @Test("a text that PostgreSQL can hold is stored as it is")
    func plain() {
        #expect(SQLText.stored("a\n\"ü\"") == Array("a\n\"ü\"".utf8))
    }

    @Test(
        "a form that is never written is damage",
        arguments: ["\u{1A}", "\u{1A}q", "\u{1A}x4", "\u{1A}x41", "\u{1A}xzz", "ü\u{1A}xff", "\u{1A}xFF"]
    )
    func damage(stored: String) {
        #expect(SQLText.original(Array(stored.utf8)) == nil)
    }
}
