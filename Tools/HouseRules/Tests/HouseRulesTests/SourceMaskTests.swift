import HouseRules
import Testing

@Suite("Masking of comments and texts")
struct SourceMaskTests {
    @Test(
        "words in comments and texts are no code",
        arguments: [
            "// try! here",
            "/* a /* nested */ try! */",
            #"let text = "try!""#,
            ##"let text = #"a " try!"#"##,
            "let text = \"\"\"\n    try! \"quoted\"\n    \"\"\"",
            #"let text = "an escaped \" try!""#,
        ]
    )
    func masked(text: String) {
        let file = SourceFile.source(text)

        #expect(!file.lines.contains { $0.says("try!") })
    }

    @Test(
        "code after comments and texts, and inside interpolations, stays code",
        arguments: [
            "/* why */ try! run()",
            #"let text = "\(try! run(")"))""#,
            ##"let text = #"\#(try! run())"#"##,
            #"let text = "a" + (try! run())"#,
        ]
    )
    func kept(text: String) {
        let file = SourceFile.source(text)

        #expect(file.lines.contains { $0.says("try!") })
    }

    @Test("a comment is kept beside the code of its line")
    func comment() throws {
        let line = try #require(SourceFile.source("let a = 1  // because").lines.first)

        #expect(line.comment.hasPrefix("// because"))
        #expect(line.code.hasPrefix("let a = 1"))
        #expect(!line.isCommentOnly)
    }

    @Test("a phrase does not match inside a longer word")
    func words() throws {
        let line = try #require(SourceFile.source("let updateDate = EventDate()").lines.first)

        #expect(!line.says("Date()"))
    }

    @Test("a file knows its package, target and role by its path")
    func place() {
        let file = SourceFile(path: "Packages/A/Tests/ATests/Deep/X.swift", text: "")

        #expect(file.package == "Packages/A")
        #expect(file.target == "ATests")
        #expect(file.role == .test)
        #expect(SourceFile(path: "Packages/A/Package.swift", text: "").role == .other)
    }
}
