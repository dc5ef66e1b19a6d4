import Foundation
import Testing

@testable import OriginalFiles

@Suite("Files of the original")
struct OriginalFileTests {
    @Test("classes and objects are those that Realm's own database told", arguments: GoldenOriginal.allCases)
    func reading(golden: GoldenOriginal) throws {
        let expected = try golden.lines
        let file = try OriginalFile(path: golden.path)

        let lines = try OriginalDump(file: file).lines()

        #expect(lines.count == expected.count - 1)
        for (line, wanted) in zip(lines, expected.dropFirst()) {
            try #require(line == wanted)
        }
        let version = file.schemaVersion.map { "\"schemaVersion\":\($0)," } ?? "\"schemaVersion\":null,"
        #expect(expected[0].contains("\"format\":\(file.format),") && expected[0].contains(version))
    }

    @Test("a second pass reads the same", arguments: GoldenOriginal.allCases)
    func twice(golden: GoldenOriginal) throws {
        let dump = OriginalDump(file: try OriginalFile(bytes: golden.bytes))

        let first = try dump.lines()

        #expect(try dump.lines() == first)
    }

    @Test("each object is found by its key", arguments: GoldenOriginal.allCases)
    func finding(golden: GoldenOriginal) throws {
        let file = try OriginalFile(bytes: golden.bytes)
        file.beginPass()

        for index in file.classes.indices {
            for number in 0..<file.batchCount(of: index) {
                let batch = try file.batch(number, of: index)
                for row in 0..<batch.count {
                    #expect(try file.position(of: batch.key(at: row), in: index) == batch.first + row)
                }
            }
            #expect(try file.position(of: -2, in: index) == nil)
            #expect(try file.position(of: .max, in: index) == nil)
        }
    }

    @Test("a file that was never written to has no classes")
    func neverWritten() throws {
        var bytes = [UInt8](repeating: 0, count: 24)
        bytes.replaceSubrange(16..<20, with: Array("T-DB".utf8))

        let file = try OriginalFile(bytes: bytes)

        #expect(file.classes.isEmpty)
        #expect(file.schemaVersion == nil)
    }

    // MARK: Other files

    @Test(
        "what is no file of the original is told by what it looks like",
        arguments: [
            ([], OriginalFileError.foreign(looksLike: "an empty file")),
            (
                Array("SQLite format 3\0".utf8) + [UInt8](repeating: 0, count: 4080),
                .foreign(looksLike: "a SQLite database")
            ),
            (Array("a text of some length, with\nlines".utf8), .foreign(looksLike: "text")),
            ([1, 2, 3], .foreign(looksLike: "another kind of file")),
            ([UInt8](repeating: 7, count: 4096), .encrypted),
        ]
    )
    func foreign(bytes: [UInt8], error: OriginalFileError) {
        #expect(throws: error) { _ = try OriginalFile(bytes: bytes) }
        #expect(error.description.hasSuffix("."))
        #expect(error.localizedDescription == error.description)
    }

    @Test(
        "a format that is too old or too new is told by its number",
        arguments: [(9, false), (19, false), (25, true), (255, true)]
    )
    func formats(format: UInt8, isNew: Bool) throws {
        var bytes = try GoldenOriginal.tiny.bytes
        bytes[20] = format
        let expected = isNew ? OriginalFileError.tooNew(format: Int(format)) : .tooOld(format: Int(format))

        #expect(throws: expected) { _ = try OriginalFile(bytes: bytes) }
        #expect(expected.description.contains("\(format)"))
    }

    @Test("a path without a file, and one of a folder, are told")
    func unreadable() {
        #expect(throws: OriginalFileError.self) { _ = try OriginalFile(path: "/nowhere/at/all.realm") }
        #expect(throws: OriginalFileError.unreadable(path: "/", reason: "it is not a file")) {
            _ = try OriginalFile(path: "/")
        }
    }

    @Test("the first bytes say whether a file is one of the original")
    func header() throws {
        #expect(OriginalFile.isOriginal(header: Array(try GoldenOriginal.types.bytes.prefix(24))))
        #expect(!OriginalFile.isOriginal(header: Array("SQLite format 3\0 and more".utf8)))
        #expect(!OriginalFile.isOriginal(header: []))
    }
}
