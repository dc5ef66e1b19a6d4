import Testing

@testable import AuditModel

@Suite("Words of names as they are compared")
struct FoldedWordTests {
    @Test(
        "case, accents, signs and ways of writing make no difference",
        arguments: [
            ("Müller", ["muller/mueller"]), ("MUELLER", ["mueller"]), ("Mu\u{308}ller", ["muller/mueller"]),
            ("O’Neill O'Neill", ["oneill", "oneill"]), ("Meyer-Schmidt, Ann", ["meyer", "schmidt", "ann"]),
            ("Weiß", ["weiss"]), ("Łukasz Sørensen", ["lukasz", "sorensen/soerensen"]), ("ＡＮＮＡ", ["anna"]),
            ("Ngô Đình", ["ngo", "dinh"]), ("İbrahim Işık", ["ibrahim", "isik"]), ("Παπαδόπουλος", ["παπαδοπουλοσ"]),
            ("山田 太郎", ["山田", "太郎"]), ("A-17 №4", ["a", "17", "no4"]), ("  ,;- ", []), ("", []),
        ] as [(String, [String])]
    )
    func forms(text: String, words: [String]) {
        #expect(FoldedWord.all(in: text).map { $0.forms.joined(separator: "/") } == words)
    }

    @Test("a word begins another in any of the ways that it is written")
    func beginning() {
        func begins(_ text: String, _ other: String) -> Bool {
            guard let word = FoldedWord.all(in: text).first, let name = FoldedWord.all(in: other).first else {
                return false
            }
            return word.begins(name)
        }
        #expect(
            begins("mül", "Mueller") && begins("muel", "Müller") && begins("mul", "Müller") && begins("mü", "Müller")
        )
        #expect(!begins("mul", "Mueller") && !begins("uller", "Müller") && !begins("mullers", "Müller"))
    }

    @Test("no more words and bytes are compared than fit")
    func bounded() {
        let words = FoldedWord.all(in: (0..<40).map { "w\($0)" }.joined(separator: " "))
        #expect(words.count == FoldedWord.maximumCount)
        let long = FoldedWord.all(in: String(repeating: "山", count: 100))
        #expect(long.map { $0.forms[0].utf8.count } == [48])
        #expect(long[0].forms[0].allSatisfy { $0 == "山" })
    }
}
