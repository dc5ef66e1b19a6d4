import ArgumentParser
import AuditArchives
import EventModelTesting
import Foundation
import ObjectStore
import ObjectStoreTesting
import Testing

@testable import DaybookCommand

@Suite("daybook realm")
struct RealmCommandTests {
    private let folder: TestFolder
    private let realm: TemporaryRealm
    private var path: String { realm.folder.appendingPathComponent("test.realm").path }

    init() throws {
        folder = try TestFolder.made()
        realm = try TemporaryRealm { $0.schemaVersion = 4 }
        try Self.fill(realm)
    }

    private static func fill(_ file: TemporaryRealm) throws {
        let realm = try file.open()
        try realm.write { realm in
            for number in 0..<5 { realm.add(Person.numbered(number)) }
            let home: [String: Any] = ["name": "h", "dogs": [["name": "Rex\u{1B}[2J", "age": 3]], "tags": ["a"]]
            realm.create(Home.self, value: home)
        }
    }

    @Test("without a class it shows all of them, with the word show and without")
    func classes() async throws {
        let outcome = await CommandOutcome.of(["realm", path])
        let words = await CommandOutcome.of(["realm", "show", path])

        #expect(outcome.code == 0, "\(outcome.fullMessage)")
        #expect(outcome.output.hasPrefix("Schema version 4, 8 classes.\n"))
        #expect(outcome.output.contains("\nPerson  5 objects\n  _id: int, primary key\n"))
        #expect(outcome.output.contains("\nAddress  embedded, 0 objects\n"))
        #expect(outcome.output == words.output)
        let json = await CommandOutcome.of(["realm", path, "--json"])
        #expect(json.output.split(separator: "\n").count == 8)
    }

    @Test("the objects of a class come as a table that no text takes over, or as lines of JSON")
    func objects() async throws {
        let people = await CommandOutcome.of([
            "realm", path, "Person", "--where", "_id > 1", "--sort", "_id", "--descending",
        ])
        let lines = people.output.split(separator: "\n")
        #expect(lines.first?.hasPrefix("_id ") == true)
        #expect(lines.dropFirst().first?.hasPrefix("4 ") == true && lines.last == "3 of 3 objects.")

        let dogs = await CommandOutcome.of(["realm", path, "Dog"])
        #expect(dogs.output.contains("Rex\u{FFFD}[2J") && !dogs.output.contains("\u{1B}"))

        let json = await CommandOutcome.of(["realm", path, "Person", "--limit", "1", "--json"])
        #expect(json.output.hasPrefix(#"{"class":"Person","object":{"_id":0,"name":"Person 0","#))
    }

    @Test("what is exported to a file comes back into another one")
    func roundTrip() async throws {
        let lines = folder.file("out.jsonl")
        let exported = await CommandOutcome.of(["realm", "export", path, "--to", lines])
        #expect(exported.output == "7 objects written to \(lines).\n", "\(exported.fullMessage)")
        let mode = try FileManager.default.attributesOfItem(atPath: lines)[.posixPermissions] as? Int
        #expect(mode == 0o600)
        #expect(await CommandOutcome.of(["realm", "export", path, "--to", lines]).code == 1)

        let target = try TemporaryRealm()
        try Self.make(target)
        let url = target.folder.appendingPathComponent("test.realm").path
        let imported = await CommandOutcome.of(["realm", "import", lines, "--into", url])
        #expect(imported.output == "Dog  1 object\nHome  1 object\nPerson  5 objects\n", "\(imported.fullMessage)")

        let again = await CommandOutcome.of(["realm", "export", url])
        let text = try String(contentsOfFile: lines, encoding: .utf8)
        #expect(again.output.split(separator: "\n").sorted() == text.split(separator: "\n").sorted())
    }

    @Test("a file of the user's own beside the new one stays", arguments: [".unfinished", ".new", ".tmp"])
    func ownFiles(suffix: String) async throws {
        let lines = folder.file("out.jsonl")
        try Data("mine".utf8).write(to: URL(fileURLWithPath: lines + suffix))

        #expect(await CommandOutcome.of(["realm", "export", path, "--to", lines]).code == 0)

        #expect(try String(contentsOfFile: lines + suffix, encoding: .utf8) == "mine")
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        #expect(names.sorted() == ["out.jsonl", "out.jsonl\(suffix)"])
    }

    private static func make(_ file: TemporaryRealm) throws { _ = try file.open() }

    @Test("an encrypted file needs its key, from a file of 128 digits")
    func keys() async throws {
        let key = Data((0..<64).map { UInt8($0) })
        let sealed = try TemporaryRealm { $0.encryptionKey = key }
        try Self.fill(sealed)
        let path = sealed.folder.appendingPathComponent("test.realm").path
        let right = folder.file("key")
        let wrong = folder.file("wrong")
        let digits = key.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
        try Data("\(digits)\n".utf8).write(to: URL(fileURLWithPath: right))
        try Data("\(digits.dropLast(2))zz".utf8).write(to: URL(fileURLWithPath: wrong))

        #expect(await CommandOutcome.of(["realm", path, "Person", "--key-file", right]).output.contains("Person 4"))
        let locked = await CommandOutcome.of(["realm", path]).message
        #expect(locked == "The realm '\(path)' is encrypted; name the file that has its key: --key-file KEY")
        let source = await CommandOutcome.of(["realm", "import", path, "--into", folder.file("new.realm")]).message
        #expect(source.contains("it is a realm file; write its lines first: daybook realm export '\(path)'"))
        let malformed = await CommandOutcome.of(["realm", path, "--key-file", wrong])
        #expect(malformed.message.contains("should be 128 hexadecimal digits"))
        #expect(await CommandOutcome.of(["realm", path, "--key-file", "none"]).message == "There is no file none.")
    }

    @Test("in the browser it is shown at an address with a token, until the command is ended")
    func browsing() async throws {
        let path = path
        let (lines, said) = AsyncStream.makeStream(of: String.self)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                let redirection: @Sendable ([UInt8]) -> Void = { said.yield(String(decoding: $0, as: UTF8.self)) }
                try await StandardOutput.$redirection.withValue(redirection) {
                    var command = try #require(
                        try DaybookCommand.parseAsRoot(["realm", path, "--browse"]) as? any AsyncParsableCommand
                    )
                    try await command.run()
                }
            }
            for await line in lines {
                #expect(line.wholeMatch(of: #/open http://127\.0\.0\.1:\d+/\?token=[0-9a-f]{64}\n/#) != nil)
                break
            }
            group.cancelAll()
            try await group.waitForAll()
        }
    }

    @Test("options of the browser that do not go together are a sentence, and so is a port that is taken")
    func browsingWrongly() async throws {
        func message(_ arguments: String...) async -> String {
            await CommandOutcome.of(["realm", path] + arguments).message
        }
        #expect(await message("--port", "80").contains("--port is the port of --browse"))
        #expect(await message("--browse", "--port", "65536").contains("A port is a number from 0 to 65535"))
        #expect(await message("Person", "--browse").contains("--browse shows the whole file"))
        #expect(
            await CommandOutcome.of(["realm", folder.file("none"), "--browse"]).message.hasPrefix("There is no file ")
        )
        #expect(
            await CommandOutcome.of(["realm", path, "--browse", "--key-file", "none"]).message
                == "There is no file none."
        )
    }

    @Test("what is asked for wrongly is a sentence, and nothing is made")
    func wrong() async throws {
        func message(_ arguments: String...) async -> String {
            let outcome = await CommandOutcome.of(["realm"] + arguments)
            #expect(outcome.code != 0)
            return outcome.message
        }
        let none = folder.file("none.realm")
        #expect(await message(none) == "There is no file \(none).")
        #expect(await message(path, "Nobody").hasPrefix("The file has no class 'Nobody'; it has "))
        #expect(await message(path, "Person", "--where", "age >").hasPrefix("The condition cannot be used: "))
        #expect(await message(path, "--sort", "name") == "--where, --sort and --limit need a class.")
        #expect(await message(path, "Person", "--descending").contains("--sort"))
        #expect(await message(path, "Person", "--limit", "0") == "--limit needs a number from 1 on.")
        #expect(await message("import", none, "--into", path) == "There is no file \(none).")
        let bad = folder.file("bad.jsonl")
        try Data("{\"class\":\"Person\",\"object\":{\"_id\":9}}\n\u{FF}{".utf8).write(to: URL(fileURLWithPath: bad))
        #expect(await message("import", bad, "--into", path).hasPrefix("Line 2 of the import cannot be used: "))
        #expect(!FileManager.default.fileExists(atPath: none))
    }

    @Test("a file of Realm is told from others, with the command that brings it over")
    func original() async throws {
        let file = folder.file("default.realm")
        var header = [UInt8](repeating: 0, count: 24)
        header.replaceSubrange(16..<20, with: Array("T-DB".utf8))
        try Data(header).write(to: URL(fileURLWithPath: file))

        let shown = await CommandOutcome.of(["realm", file])
        #expect(
            shown.message.contains("was written by Realm")
                && shown.message.contains("daybook realm import '\(file)' --into")
        )
        let made = folder.file("made.realm")
        let imported = await CommandOutcome.of(["realm", "import", file, "--into", made])
        #expect(imported.code == 0 && imported.output.hasPrefix("Format 0, schema version 0, 0 objects."))
        #expect(await CommandOutcome.of(["realm", made]).output == "Schema version 0, 0 classes.\n")
    }

    @Test("lines that are no text end the import, and nothing of it is in the file")
    func noText() async throws {
        let bad = folder.file("bad.jsonl")
        var bytes = Data("{\"class\":\"Person\",\"object\":{\"_id\":9}}\n".utf8)
        bytes.append(contentsOf: [0xFF, 0xFE])
        try bytes.write(to: URL(fileURLWithPath: bad))

        let outcome = await CommandOutcome.of(["realm", "import", bad, "--into", path])

        #expect(outcome.message.contains("a line is not UTF-8"))
        #expect(await CommandOutcome.of(["realm", path, "Person"]).output.hasSuffix("5 of 5 objects.\n"))
    }
}
