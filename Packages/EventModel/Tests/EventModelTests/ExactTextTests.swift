import EventModel
import EventModelTesting
import Foundation
import Testing

@Suite("ExactText")
struct ExactTextTests {
    /// The same to Unicode, in pairs: other bytes each.
    static let twins = [
        ("caf\u{E9}", "cafe\u{301}"), ("\u{212B}", "\u{C5}"), ("\u{1E0B}\u{323}", "\u{1E0D}\u{307}"),
        ("\u{D55C}", "\u{1112}\u{1161}\u{11AB}"),
    ]

    @Test("texts that Unicode takes for equal are two", arguments: twins)
    func unequal(left: String, right: String) {
        #expect(left == right)
        #expect(ExactText(left) != ExactText(right))
        #expect(Set([ExactText(left), ExactText(right)]).count == 2)
        #expect((ExactText(left) < ExactText(right)) != (ExactText(right) < ExactText(left)))
    }

    @Test("texts of the same bytes are one, wherever they come from", arguments: ["", "a", "caf\u{E9}", "🩺 \u{0}"])
    func equal(text: String) throws {
        let slice = "-\(text)-".dropFirst().dropLast()
        let read = try JSONDecoder().decode(ExactText.self, from: JSONEncoder().encode(ExactText(text)))

        #expect(Set([ExactText(text), ExactText(slice), read]).count == 1)
        #expect(ExactText(text).description == text)
    }

    @Test("one other byte makes another text, wherever it stands", arguments: 0...40)
    func everyByte(count: Int) {
        let text = String(repeating: "a", count: count)
        #expect(ExactText(text) == ExactText("-\(text)".dropFirst()))

        for index in 0..<count {
            let other = "\(String(repeating: "a", count: index))b\(String(repeating: "a", count: count - index - 1))"
            #expect(ExactText(text) != ExactText(other), "byte \(index)")
        }
    }

    @Test("order is that of the bytes")
    func order() {
        #expect(
            ["b", "\u{E9}", "e\u{301}", "", "ab", "a"].map { ExactText($0) }.sorted().map(\.string) == [
                "", "a", "ab", "b", "e\u{301}", "\u{E9}",
            ]
        )
    }

    @Test("an owner is another one in other bytes", arguments: twins)
    func owners(left: String, right: String) {
        let owners = [
            EventOwner(app: left, user: "a"), EventOwner(app: right, user: "a"), EventOwner(app: left, user: right),
        ]

        #expect(Set(owners).count == 3)
        #expect(EventOwner(app: "ab", user: "c") != EventOwner(app: "a", user: "bc"))
    }

    @Test("bytes are read as the text that they are, and those that are no UTF-8 as none")
    func validUTF8() {
        func read(_ bytes: [UInt8]) -> String? { bytes.withUnsafeBufferPointer { String(validUTF8: $0) } }
        for text in [
            "", "a", "Zoë", "e\u{301}", "\u{FFFD}", "日本", "\u{1F600}", "\0", String(repeating: "ä", count: 999),
        ] {
            #expect(read(Array(text.utf8))?.hasSameBytes(as: text) == true)
        }
        // The last one is replaced by as many bytes as it has.
        for bytes in [[0xFF], [0xC3], [0x61, 0x80], [0xED, 0xA0, 0x80], [0xC0, 0xAF], [0xF0, 0x9F, 0x98]] as [[UInt8]] {
            #expect(read(bytes) == nil, "\(bytes)")
        }
        var random = SeededGenerator(seed: 3)
        for _ in 0..<20_000 {
            var bytes = Array("aé日\u{1F600}z".utf8)
            bytes[random.below(bytes.count)] = UInt8(truncatingIfNeeded: random.next())
            #expect(read(bytes) == String(validating: bytes, as: UTF8.self), "\(bytes)")
        }
    }
}
