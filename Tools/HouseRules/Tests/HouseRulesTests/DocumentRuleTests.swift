import HouseRules
import Testing

@Suite("Rules on documents")
struct DocumentRuleTests {
    private func house(_ page: String, beside other: String = "# Other\n") -> House {
        House(
            files: [
                SourceFile(path: "Packages/Ledger/Docs/PAGE.md", text: page),
                SourceFile(path: "Packages/Ledger/Docs/OTHER.md", text: other),
                SourceFile(path: "Packages/Ledger/Sources/Ledger/Ledger.swift", text: ""),
            ],
            pictures: ["Packages/Ledger/Docs/page.png"]
        )
    }

    @Test(
        "a link to a file, a folder, a picture or a heading that exists passes, and so does one to the web",
        arguments: [
            "[a](OTHER.md)", "[a](../Sources/Ledger)", "![a](page.png)", "[a](#my-page-2)", "[a](OTHER.md#other)",
            "[a](https://example.org/x#y)", "[a]: OTHER.md", "[a](OTHER.md \"a title\")",
        ]
    )
    func goodLink(link: String) {
        #expect(LinkRule().findings(in: house("# My page: `2`\n\n\(link)\n")) == [])
    }

    @Test(
        "a link to what does not exist, or out of the clone, is found with its line",
        arguments: [
            "[a](NONE.md)", "![a](none.png)", "[a](#none)", "[a](OTHER.md#none)", "[a](../../../../x)",
            "[a](/OTHER.md)",
            "[a]: NONE.md", "[a](page.png#part)", "[a](OTHER.md), [b](NONE.md)",
        ]
    )
    func badLink(link: String) {
        #expect(LinkRule().findings(in: house("# My page\n\n\(link)\n")).map(\.line) == [3])
    }

    @Test("what stands in code is no link and no heading")
    func code() {
        #expect(LinkRule().findings(in: house("`[a](NONE.md)`\n```\n[a](NONE.md)\n# Code\n```\n")) == [])
        #expect(LinkRule().findings(in: house("```\n# Code\n```\n[a](#code)\n")).map(\.line) == [4])
    }

    @Test("of headings with one text, the second one has an anchor with a number")
    func repeatedHeading() {
        let other = "# A\n## A\n"

        #expect(LinkRule().findings(in: house("[a](OTHER.md#a) [b](OTHER.md#a-1)\n", beside: other)) == [])
        #expect(LinkRule().findings(in: house("[a](OTHER.md#a-2)\n", beside: other)).count == 1)
    }

    @Test(
        "a page or place that a text names must exist",
        arguments: ["NONE.md", "docs/PAGE.md", "Packages/Ledger/Tests"]
    )
    func namedPage(name: String) {
        #expect(NamedFileRule().findings(in: house("see \(name).\n")).map(\.line) == [1])
        let comment = House(files: [SourceFile.source("// see \(name).\nlet a = \"\(name)\"\n")])
        #expect(NamedFileRule().findings(in: comment).map(\.line) == [1])
    }

    @Test(
        "a name that some file ends with passes, and so does a pattern",
        arguments: [
            "OTHER.md", "Docs/OTHER.md", "Packages/Ledger/Docs", "`Packages/<Name>/Tests`", "Packages/*/x", "a.swift",
            "$root/NONE.md", "Packages/X/Tests",
        ]
    )
    func existingName(name: String) {
        #expect(NamedFileRule().findings(in: house("see \(name).\n")) == [])
    }

    @Test("on the map every file must exist, and must be one")
    func map() {
        func findings(_ text: String) -> [Int?] {
            let files = ["Packages/A/Realm.swift", "Packages/B/Realm.swift", "Packages/B/Seal.swift"]
            let page = SourceFile(path: "Packages/ARCHITECTURE.md", text: text)
            return NamedFileRule().findings(in: House(files: files.map { SourceFile(path: $0, text: "") } + [page]))
                .map(\.line)
        }

        #expect(findings("`B/Realm.swift` -> Seal.swift\n") == [])
        #expect(findings("\nRealm.swift\n") == [2])
        #expect(findings("Gone.swift, B/Gone.swift\n") == [1])
    }

    @Test("a target or folder that the map does not name is found once, and those of fakes are left alone")
    func rooms() {
        let paths = [
            "Packages/A/Sources/Ledger/Books/Book.swift", "Packages/A/Sources/Ledger/Books/Page.swift",
            "Packages/A/Sources/LedgerTesting/Fakes/FakeBook.swift", "Packages/Whole/Sources/Counter/Rows/Row.swift",
            "Packages/A/Tests/LedgerTests/Trials/BookTests.swift",
        ]
        func findings(_ map: String) -> [String] {
            let files = paths.map { SourceFile(path: $0, text: "") } + [SourceFile(path: "MAP.md", text: map)]
            return MappedRoomRule(map: "MAP.md", wholeTargets: ["Packages/Whole"]).findings(in: House(files: files))
                .map(\.path)
        }

        #expect(findings("`Ledger`, `Books` and `Counter`\n") == [])
        #expect(
            findings("`Ledger` and Books\n") == ["Packages/A/Sources/Ledger/Books", "Packages/Whole/Sources/Counter"]
        )
        #expect(findings("").count == 3)
    }
}
