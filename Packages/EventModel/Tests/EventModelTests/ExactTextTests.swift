import EventModel
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
}
