import AuditServerTesting
import ChangeModel
import ChangeModelTesting
import EventModel
import EventModelTesting
import SQLiteStore
import SyncServer
import Testing

@testable import DaybookCommand

@Suite("daybook entries")
struct EntriesCommandTests {
    private struct Line: Decodable, Equatable {
        let app: String
        let realm: String
        let history: String
        let entry: Int
        let file: UInt32
        let change: Int
        let user: String
        let written: String
        let received: String
        let changed: [String]
        let refused: [String]
    }

    private let folder: TestFolder
    private var data: String { folder.file("data") }

    init() throws { folder = try TestFolder.made() }

    private static let ada = ObjectAddress.sample(1)
    private static let ben = ObjectAddress.sample(2)

    /// A ward with two files of two users, and one with nothing but a file.
    private func makeData() async throws {
        let store = try SQLiteChangeStore(path: DataFolder(data).realmsPath)
        let ward: RealmName = .sample("s_ward-1")
        var nurse = try await SampleRealmFile(boundTo: ward, in: store, user: "nurse")
        var doctor = try await SampleRealmFile(boundTo: ward, in: store, user: "doctor", milliseconds: 2000)
        _ = try await SampleRealmFile(boundTo: .sample("s_ward-2"), in: store, user: "nurse")
        func take(_ upload: ChangeUpload) async throws {
            for outcome in await store.take([upload], in: ward, received: Self.received) { _ = try outcome.get() }
        }
        try await take(nurse.upload([[Self.ada.create(["name": .string("Ada")])], [Self.ben.create()]]))
        try await take(doctor.upload([[Self.ada.set("name", "\u{1B}[2J"), Self.ben.set("name", "Ben")]], base: 2))
        try await take(nurse.upload([[ObjectAddress.sample(9).set("name", "nobody")]]))
    }

    private static let received = EventInstant(microseconds: 1_700_000_000_000_000)

    private func lines(_ options: String...) async throws -> [Line] {
        try await CommandOutcome.of(["entries", "--data", data, "--json"] + options).lines(Line.self)
    }

    @Test("a line of JSON says who wrote what, when, and what was refused")
    func json() async throws {
        try await makeData()
        let lines = try await lines()

        #expect(lines.map(\.entry) == [1, 2, 3, 4])
        #expect(lines.map(\.user) == ["nurse", "nurse", "doctor", "nurse"])
        #expect(lines.map(\.file) == [1, 1, 2, 1])
        #expect(lines.map(\.change) == [1, 2, 1, 3])
        #expect(Set(lines.map(\.received)) == ["2023-11-14T22:13:20.000000Z"])
        #expect(Set(lines.map(\.realm)) == ["s_ward-1"])
        #expect(lines.allSatisfy { $0.history.utf8.count == 32 })
        #expect(lines[2].changed == ["Person/1 set name = \"\u{1B}[2J\"", "Person/2 set name = \"Ben\""])
        #expect(Set(lines.prefix(2).map(\.written)) == ["1970-01-01T00:00:01.000000Z", "1970-01-01T00:00:01.001000Z"])
        #expect(lines[3].changed.isEmpty)
        #expect(lines[3].refused == ["operation 1 was refused: There is no such object."])
        #expect(lines[0].refused.isEmpty)
    }

    @Test("the change that an event names is found by the realm's history and the number of its file")
    func change() async throws {
        try await makeData()
        let history = try #require(try await lines().first?.history)

        let found = try await lines("--history", history, "--file", "2", "--change", "1")

        #expect(found.map(\.entry) == [3])
        #expect(try await lines("--history", history, "--file", "2", "--change", "2").isEmpty)
        #expect(try await lines("--file", "1").map(\.entry) == [1, 2, 4])
        #expect(try await lines("--user", "doctor").map(\.entry) == [3])
    }

    @Test("what was written to an object until a position is found, and nothing else of the same entries")
    func object() async throws {
        try await makeData()

        let ben = try await lines("--object", "Person/2")

        #expect(ben.map(\.entry) == [2, 3])
        #expect(ben.last?.changed == ["Person/2 set name = \"Ben\""])
        #expect(try await lines("--object", "Person/2", "--until", "2").map(\.entry) == [2])
        #expect(try await lines("--from", "2", "--until", "3").map(\.entry) == [2, 3])
        #expect(try await lines("--limit", "1").map(\.entry) == [1])
        #expect(try await lines("--from", "5").isEmpty)
    }

    @Test("a table has a row for each thing that was written, and no text takes over the terminal")
    func table() async throws {
        try await makeData()
        let outcome = await CommandOutcome.of(["entries", "--data", data])
        let lines = outcome.output.split(separator: "\n")

        #expect(lines.count == 7)
        #expect(lines.first?.hasPrefix("ENTRY") == true)
        #expect(lines.dropFirst().first?.contains("s_ward-1") == true)
        #expect(lines.dropFirst(2).first?.hasPrefix("1         2023-11-14 22:13:20  nurse") == true)
        #expect(lines.last?.contains("refused") == true)
        #expect(!outcome.output.unicodeScalars.contains("\u{1B}"))
        #expect(await CommandOutcome.of(["entries", "--data", data, "--realm", "s_ward-2"]).output.contains("ENTRY"))
    }

    @Test("an entry that changed nothing in the realm says whether something newer was there")
    func nothing() async throws {
        try await makeData()
        let store = try SQLiteChangeStore(path: DataFolder(data).realmsPath)
        let ward: RealmName = .sample("s_ward-2")
        var late = try await SampleRealmFile(boundTo: ward, in: store, user: "late")
        var early = try await SampleRealmFile(boundTo: ward, in: store, user: "early", milliseconds: 1)
        let posted = ChangeOperation(ObjectAddress("Reading", .int(1)), .post("{}"))
        let uploads = [
            try late.upload([[Self.ada.create(["name": "b"])], [posted]]),
            try early.upload([[Self.ada.create(["name": "a"])]]),
        ]
        for upload in uploads {
            for outcome in await store.take([upload], in: ward, received: Self.received) { _ = try outcome.get() }
        }

        let outcome = await CommandOutcome.of(["entries", "--data", data, "--realm", "s_ward-2", "--from", "2"])
        let lines = outcome.output.split(separator: "\n").dropFirst(2)

        #expect(lines.count == 2)
        #expect(lines.first?.hasSuffix("nothing in the realm") == true)
        #expect(lines.last?.hasSuffix("nothing: something newer was there") == true)
    }

    @Test("whoever asks for what is gone from a log is told so, and whoever does not is not")
    func gone() async throws {
        try await makeData()
        let store = try SQLiteChangeStore(path: DataFolder(data).realmsPath)
        _ = try await store.shorten(.sample("s_ward-1"), before: EventInstant(microseconds: .max), limit: 2)
        let sentence = "The entries of ward-app s_ward-1 up to 2 are gone"

        for (options, entries, isTold) in [
            ([], [3, 4], true), (["--from", "3"], [3, 4], false), (["--file", "1", "--change", "1"], [], true),
            (["--file", "2", "--change", "1"], [3], false), (["--until", "2"], [], true),
            (["--realm", "s_ward-2"], [], false),
        ] as [([String], [Int], Bool)] {
            let outcome = await CommandOutcome.of(["entries", "--data", data, "--json"] + options)
            #expect(try outcome.lines(Line.self).map(\.entry) == entries, "\(options)")
            #expect(outcome.remarks.map { $0.hasPrefix(sentence) } == (isTold ? [true] : []), "\(options)")
        }
    }

    @Test("a key of the same look with other bytes is another object")
    func exactKeys() async throws {
        try await makeData()
        let store = try SQLiteChangeStore(path: DataFolder(data).realmsPath)
        var file = try await SampleRealmFile(boundTo: .sample("s_ward-2"), in: store)
        let keys: [ExactText] = ["\u{e9}", "e\u{301}"]
        let upload = try file.upload(keys.map { [ObjectAddress("Person", .string($0)).create()] })
        _ = await store.take([upload], in: .sample("s_ward-2"), received: Self.received)

        #expect(try await lines("--object", "Person/\u{e9}").map(\.entry) == [1])
        #expect(try await lines("--object", "Person/e\u{301}").map(\.entry) == [2])
    }

    @Test(
        "a realm that is not there is an error that names those that are, and options that contradict themselves are told"
    )
    func errors() async throws {
        #expect(await CommandOutcome.of(["entries", "--data", data]).message.contains("there is no such folder"))
        try await makeData()
        let outcome = await CommandOutcome.of(["entries", "--data", data, "--realm", "s_ward-3"])
        #expect(outcome.code == 1)
        #expect(outcome.message.contains("There is ward-app s_ward-1, ward-app s_ward-2."))
        for (options, name) in [
            (["--change", "1"], "--file"), (["--history", "ab"], "32"), (["--object", "Ben"], "Patient/7"),
            (["--from", "0"], "--from"), (["--limit", "-1"], "--limit"),
        ] {
            let refused = await CommandOutcome.of(["entries", "--data", data] + options)
            #expect(refused.code == 64, "\(options)")
            #expect(refused.message.contains(name), "\(refused.message)")
        }
    }
}
