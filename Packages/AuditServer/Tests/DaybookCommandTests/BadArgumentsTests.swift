import AuditServerTesting
import EventModelTesting
import Foundation
import Testing

@testable import DaybookCommand

@Suite("Arguments that make no sense")
struct BadArgumentsTests {
    /// A command line, where FOLDER, FILE and NOTHING are a folder, a file of one byte and a path where nothing is.
    struct Line: Sendable, CustomTestStringConvertible {
        let arguments: String
        let code: Int32
        /// What is named, the first in the message itself.
        let names: [String]

        init(_ arguments: String, _ code: Int32 = 1, _ names: String...) {
            (self.arguments, self.code, self.names) = (arguments, code, names)
        }

        var testDescription: String { arguments }
    }

    private static let server = "--server http://127.0.0.1:1 --token t"

    private static let lines = [
        Line("events --files NOTHING", 1, "NOTHING", "no such folder"),
        Line("events --files FILE", 1, "FILE", "the folder that it lies in"),
        Line("events --files FOLDER --since yesterday", 1, "yesterday", "2026-01-31", "2h"),
        Line("events --files FOLDER --since 2026-02-30", 1, "2026-02-30"),
        Line("events --files FOLDER --partition x", 1, "partition"),
        Line("events --files FOLDER --key-file NOTHING", 1, "NOTHING"),
        Line("events --files FOLDER --key-file FILE", 1, "FILE", "64 hex"),
        Line("events --files FOLDER --outcome odd", 64, "odd", "interrupted", "erased"),
        Line("events --server ftp://a --token t", 1, "ftp://a", "http://"),
        Line("events --server http://127.0.0.1:1 --token-file NOTHING", 1, "NOTHING"),
        Line("events \(server)", 1, "http://127.0.0.1:1", "cannot be reached"),
        Line("show ID --files FOLDER", 64, "ID", "24 hex digits", "PARTITION/NUMBER"),
        Line("show 5f1b0c2ee4b0a1b2c3d4e5f6 --files FOLDER", 1, "5f1b0c2ee4b0a1b2c3d4e5f6"),
        Line("verify NOTHING", 1, "NOTHING", "export"),
        Line("verify FILE", 1, "FILE", "export"),
        Line("verify --files FOLDER --key abc", 64, "--key", "export"),
        Line("export --files FOLDER --format pdf --out NOTHING", 64, "pdf", "csv", "ocsf"),
        Line("export --files FOLDER --out FOLDER", 1, "FOLDER"),
        Line("partitions --files FILE", 1, "FILE"),
        Line("backup --data NOTHING --out NOTHING", 1, "NOTHING", "no such folder"),
        Line("serve --config NOTHING", 1, "NOTHING"),
        Line("serve --data FILE", 1, "FILE", "not a directory"),
        Line("serve --port 99999", 64, "port", "65535"),
        Line("hold add \(server) --reason r", 64, "<name>"),
        Line("hold lift \(server) --reason r x", 64, "'x'", "number"),
        Line("erase \(server) --class Patient --confirm many --reason r", 64, "many"),
        Line("retention \(server) --run", 1, "cannot be reached"),
        Line("token issue \(server) --role king Ada", 64, "king", "reviewer"),
        Line("schema add \(server) userId", 64, "--app"),
        Line("users remove \(server) --app ward", 64, "<user>"),
    ]

    @Test("each is named with its remedy, ends with its code, and changes nothing", arguments: lines)
    func line(_ line: Line) async throws {
        let place = try TestFolder.made()
        let paths = [
            "FOLDER": "\(place.path)/folder", "FILE": "\(place.path)/file", "NOTHING": "\(place.path)/nothing",
        ]
        try FileManager.default.createDirectory(atPath: paths["FOLDER"] ?? "", withIntermediateDirectories: false)
        try Data("x".utf8).write(to: URL(filePath: paths["FILE"] ?? ""))

        let outcome = await CommandOutcome.of(line.arguments.split(separator: " ").map { paths["\($0)"] ?? "\($0)" })
        #expect(outcome.code == line.code)
        #expect(outcome.output.isEmpty)
        let names = line.names.map { paths[$0] ?? $0 }
        // The remedy may stand in the help of the option, which the parser prints below.
        #expect(outcome.message.contains(try #require(names.first)))
        for name in names { #expect(outcome.fullMessage.contains(name)) }
        #expect(try FileManager.default.contentsOfDirectory(atPath: place.path).sorted() == ["file", "folder"])
        #expect(try FileManager.default.contentsOfDirectory(atPath: paths["FOLDER"] ?? "").isEmpty)
    }
}
