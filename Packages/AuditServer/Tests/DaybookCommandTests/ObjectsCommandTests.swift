import AuditServerTesting
import ChangeModel
import EventModel
import EventModelTesting
import SQLiteStore
import SyncServer
import Testing

@testable import DaybookCommand

@Suite("daybook objects")
struct ObjectsCommandTests {
    private struct Line: Decodable, Equatable {
        struct Reading: Decodable, Equatable {
            let _id: [String: String]
            let text: String
        }

        let app: String
        let realm: String
        let entry: Int
        let operation: Int
        let file: UInt32
        let user: String
        let received: String
        let object: Reading
    }

    private let folder: TestFolder
    private var data: String { folder.file("data") }

    init() throws { folder = try TestFolder.made() }

    private static func reading(_ number: Int64) -> ChangeOperation {
        ChangeOperation(
            ObjectAddress("Reading", .int(number)),
            .post(ExactText(#"{"_id":{"$numberLong":"\#(number)"},"text":"\u001b[2J"}"#))
        )
    }

    /// A folder with a realm of two wards, each with readings of a device.
    private func makeData() async throws {
        let store = try SQLiteChangeStore(path: DataFolder(data).realmsPath)
        let schema = SyncSchema([
            .init("Reading", key: "_id", isAsymmetric: true, properties: ["_id": .init(.int), "text": .init(.string)]),
            .init("Note", key: "_id", isAsymmetric: true, properties: ["_id": .init(.int)]),
            .init("Ward", key: "_id", properties: ["_id": .init(.int)]),
        ])
        _ = try await store.admit(schema, of: "ward-app", isExtending: true)
        for (realm, numbers) in [("s_ward-1", 1...3), ("s_ward-2", 4...5)] as [(ExactText, ClosedRange<Int64>)] {
            var file = try await SampleRealmFile(boundTo: .sample(realm), in: store, user: "62b3")
            let upload = try file.upload(numbers.map { [Self.reading($0)] })
            _ = await store.take(
                [upload],
                in: .sample(realm),
                received: EventInstant(microseconds: 1_700_000_000_000_000)
            )
        }
    }

    @Test("a line of JSON has the object, and where it came from")
    func json() async throws {
        try await makeData()
        let outcome = await CommandOutcome.of(["objects", "Reading", "--data", data, "--json"])
        let lines = try outcome.lines(Line.self)

        #expect(lines.map(\.realm) == ["s_ward-1", "s_ward-1", "s_ward-1", "s_ward-2", "s_ward-2"])
        #expect(lines.map(\.entry) == [1, 2, 3, 1, 2])
        #expect(
            lines.first
                == Line(
                    app: "ward-app",
                    realm: "s_ward-1",
                    entry: 1,
                    operation: 0,
                    file: 1,
                    user: "62b3",
                    received: "2023-11-14T22:13:20.000000Z",
                    object: Line.Reading(_id: ["$numberLong": "1"], text: "\u{1B}[2J")
                )
        )
    }

    @Test("one realm, one app or so many objects can be asked for")
    func selections() async throws {
        try await makeData()
        func count(_ options: String...) async throws -> Int {
            try await CommandOutcome.of(["objects", "Reading", "--data", data, "--json"] + options).lines(Line.self)
                .count
        }
        #expect(try await count("--realm", "s_ward-2") == 2)
        #expect(try await count("--app", "ward-app") == 5)
        #expect(try await count("--limit", "4") == 4)
        #expect(await CommandOutcome.of(["objects", "Note", "--data", data, "--json"]).output.isEmpty)
    }

    @Test("a table shows time, realm, user and object, and no text takes over the terminal")
    func table() async throws {
        try await makeData()
        let outcome = await CommandOutcome.of(["objects", "Reading", "--data", data])
        let lines = outcome.output.split(separator: "\n")

        #expect(lines.count == 6)
        #expect(lines.first?.hasPrefix("TIME (UTC)") == true)
        #expect(lines.dropFirst().first?.hasPrefix("2023-11-14 22:13:20  s_ward-1") == true)
        #expect(!outcome.output.unicodeScalars.contains("\u{1B}"))
    }

    @Test("a folder that is not there, one without realms, and a class that nobody posts are errors with a remedy")
    func errors() async throws {
        #expect(
            await CommandOutcome.of(["objects", "Reading", "--data", data]).message.contains("there is no such folder")
        )
        _ = try DataFolder(data)
        #expect(await CommandOutcome.of(["objects", "Reading", "--data", data]).message.contains("shares no realms"))
        try await makeData()
        let outcome = await CommandOutcome.of(["objects", "Ward", "--data", data])
        #expect(outcome.code == 1)
        #expect(outcome.message == "No app of this folder has an asymmetric class 'Ward'. There is Note, Reading.")
        #expect(await CommandOutcome.of(["objects", "X", "--data", data, "--limit", "0"]).code == 64)
    }
}
