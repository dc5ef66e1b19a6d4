import HouseRules
import Testing

@Suite("Rules on code")
struct CodeRuleTests {
    @Test("a file over the limit is found, one at the limit passes, an exempt one passes")
    func fileLength() {
        let long = SourceFile.source("1\n2\n3\n4\n")

        #expect(FileLengthRule(limit: 3).findings(in: long).count == 1)
        #expect(FileLengthRule(limit: 4).findings(in: long) == [])
        #expect(FileLengthRule(limit: 3, exempt: [long.path]).findings(in: long) == [])
    }

    @Test("two files of one name are found, wherever they lie, and manifests are left alone")
    func sameName() {
        let paths = [
            "Packages/A/Sources/A/Ledger.swift", "Integration/Sources/B/Ledger.swift",
            "Packages/A/Sources/A/Book.swift",
            "Packages/A/Package.swift", "Packages/B/Package.swift",
        ]
        let house = House(files: paths.map { SourceFile(path: $0, text: "") })

        #expect(UniqueNameRule().findings(in: house).map(\.path) == ["Packages/A/Sources/A/Ledger.swift"])
    }

    @Test(
        "a live call without its mark is found",
        arguments: ["let now = Date()", "let id = UUID()", "let now = Date.now", "FileManager.default.remove()"]
    )
    func liveCall(text: String) {
        #expect(LiveDefaultRule().findings(in: .source(text)).map(\.line) == [1])
    }

    @Test(
        "a live call with its mark on the line or above, or in a test, passes",
        arguments: [
            SourceFile.source("let now = Date()  // LIVE: the outermost layer"),
            SourceFile.source("// LIVE: the outermost layer,\n// where nobody injects.\nlet now = Date()"),
            SourceFile.test("let now = Date()"),
        ]
    )
    func markedCall(file: SourceFile) {
        #expect(LiveDefaultRule().findings(in: file) == [])
    }

    @Test("a database pool is found that does not say whether its commits are synced")
    func unsyncedPool() {
        let pool = "let pool = try DatabasePool(path: path)"

        #expect(DurablePoolRule().findings(in: .source(pool)).map(\.line) == [1])
        #expect(DurablePoolRule().findings(in: .source("// SYNC: set below.\n\(pool)")) == [])
        #expect(DurablePoolRule().findings(in: .source("let pool: DatabasePool")) == [])
        #expect(DurablePoolRule().findings(in: .test(pool)) == [])
    }

    @Test("trapping on errors and casts is found in sources")
    func trapping() {
        let file = SourceFile.source("let a = try! run()\nlet b = a as! Int\nlet c = try run()\nlet d = c as? Int")

        #expect(ForbiddenCallRule().findings(in: file).map(\.line) == [1, 2])
    }

    @Test(
        "an error that may lose the caller's executor is found",
        arguments: [
            "try await withCheckedThrowingContinuation { $0.resume() }",
            "try await withUnsafeThrowingContinuation { $0.resume() }",
            "@concurrent\nfunc a(_ b: Int) async throws {}",
            "@concurrent func a(\n    b: Int\n)\n    async throws(Bad) -> Int\n{}",
        ]
    )
    func lostExecutor(text: String) {
        #expect(LostExecutorRule().findings(in: .source(text)).map(\.line) == [1])
        #expect(LostExecutorRule().findings(in: .test(text)) == [])
    }

    @Test(
        "the end of what is filtered lazily is found, also at the end of a chain",
        arguments: [
            "let a = b.values.lazy.compactMap(\\.object).first",
            "b.lazy.filter { $0.isOpen }.last?.close()",
            "b.values.lazy\n    .compactMap(\\.object)\n    .first",
        ]
    )
    func lazyEnd(text: String) {
        #expect(LazyEndRule().findings(in: .source(text)).map(\.line) == [1])
    }

    @Test(
        "a search in it passes, and so does the end of what is not lazy or not filtered",
        arguments: [
            "b.lazy.compactMap(\\.object).first { $0.isOpen }",
            "b.lazy.filter { $0.isOpen }.first(where: \\.isNew)",
            "b.compactMap(\\.object).first",
            "b.lazy.map(\\.object).first",
            "lazy var first = b.filter { $0.isOpen }.first",
        ]
    )
    func notLazyEnd(text: String) {
        #expect(LazyEndRule().findings(in: .source(text)) == [])
    }

    @Test(
        "a result that is awaited as a value passes, and so does a parameter that throws",
        arguments: [
            "await withCheckedContinuation { $0.resume() }",
            "@concurrent\nfunc a(_ b: () async throws -> Int) async -> Result<Int, any Error> { try c() }",
            "func a() async throws {}",
        ]
    )
    func keptExecutor(text: String) {
        #expect(LostExecutorRule().findings(in: .source(text)) == [])
    }

    @Test(
        "a public error without words for apps is found",
        arguments: [
            "public enum LedgerError: Error, Sendable {}", "    public struct Error: Swift.Error {}",
            "public struct Failure: Sendable, Error {}\nextension Other: LocalizedError {}",
        ]
    )
    func wordless(text: String) {
        #expect(ErrorWordsRule().findings(in: .source(text)).map(\.line) == [1])
        #expect(ErrorWordsRule().findings(in: .test(text)) == [])
    }

    @Test(
        "a public error with words passes, and so does what is no error or not public",
        arguments: [
            "public enum LedgerError: Error {}\nextension LedgerError: LocalizedError {}",
            "public struct Error: Swift.Error {}\nextension Ledger.Error: LocalizedError {}",
            "public struct Failure: Error, LocalizedError {}", "struct Failure: Error {}",
            "public struct Tree<Failure: Error> {}", "public final class Ledger: ErrorHandler {}",
        ]
    )
    func worded(text: String) {
        #expect(ErrorWordsRule().findings(in: .source(text)) == [])
    }

    @Test("sleeping is found in tests and left alone in sources and fakes")
    func sleeping() {
        let text = """
            try await Task.sleep(for: .seconds(1))
            usleep(10)
            _ = sleep(1)
            try await manual.sleep(.seconds(1))
            func sleep(_ duration: Duration) {}
            """

        #expect(SleepRule().findings(in: .test(text)).map(\.line) == [1, 2, 3])
        #expect(SleepRule().findings(in: .source(text)) == [])
    }

    @Test(
        "a switched-off check without its reason is found",
        arguments: ["class A: @unchecked Sendable {}", "nonisolated(unsafe) var a = 1", "unowned(unsafe) let a: A"]
    )
    func unsafe(text: String) {
        #expect(SafetyCommentRule().findings(in: .source(text)).map(\.line) == [1])
    }

    @Test("a reason within three lines, or at the top of a comment right above, passes")
    func safe() {
        let near = "class A: @unchecked Sendable {\n    // SAFETY: `state` has one writer.\n}"
        let above = "// SAFETY: one\n// two\n// three\n// four\n// five\nnonisolated(unsafe) var a = 1"

        #expect(SafetyCommentRule().findings(in: .source(near)) == [])
        #expect(SafetyCommentRule().findings(in: .source(above)) == [])
    }

    @Test(
        "a key of text in a room that takes text from outside is found, unless it says why or is compared by bytes",
        arguments: ["var a: [String: Int] = [:]", "let a: Set<String> = []", "let a = Dictionary<String, Int>()"]
    )
    func outsideText(text: String) {
        let room = "Packages/AuditServer/Sources/AuditServer/Ledger.swift"

        #expect(OutsideTextRule().findings(in: SourceFile(path: room, text: text)).map(\.line) == [1])
        #expect(OutsideTextRule().findings(in: SourceFile(path: room, text: "// TEXT: ours.\n\(text)")) == [])
        #expect(OutsideTextRule().findings(in: SourceFile(path: room, text: "var a: [ExactText: Int] = [:]")) == [])
        #expect(OutsideTextRule().findings(in: .source(text)) == [])
    }

    @Test("a first paragraph that is too long or no sentence is found, a long discussion passes")
    func abstracts() {
        let long = "/// " + String(repeating: "word ", count: 30) + "end."
        let file = SourceFile.source(
            """
            \(long)
            let a = 1
            /// no period
            let b = 2
            /// A value.
            ///
            \(long)
            let c = 3
            """
        )

        #expect(AbstractRule().findings(in: file).map(\.line) == [1, 3])
    }

    @Test("a mark of unfinished work is found in comments and scripts, not in names or guides")
    func openEnds() {
        let mark = "TO" + "DO"
        let house = House(files: [
            .source("// \(mark): later\nlet todo = \"\(mark)\""),
            SourceFile(path: "Tools/run", text: "# \(mark)"),
            SourceFile(path: "README.md", text: "\(mark)"),
        ])

        #expect(OpenEndRule().findings(in: house).map(\.path) == [house.swiftFiles[0].path, "Tools/run"])
    }

    @Test("a path of somebody's machine is found, the same word inside another path is not")
    func machinePaths() {
        let folder = "/" + "work/"
        let house = House(files: [
            .source("let path = \"\(folder)main\""),
            SourceFile(path: "README.md", text: "See ./docs\(folder)x and $home\(folder)x."),
        ])

        #expect(MachinePathRule().findings(in: house).map(\.path) == [house.swiftFiles[0].path])
    }
}
