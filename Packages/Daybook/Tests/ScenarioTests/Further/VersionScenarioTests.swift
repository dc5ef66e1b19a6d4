import Daybook
import Testing

@Suite("Scenarios: several versions and instances")
struct VersionScenarioTests {
    private let recorded: RecordedRealm

    private var realm: Realm { recorded.realm }

    init() throws {
        recorded = try RecordedRealm(holding: [Target(1), Target(2)])
    }

    private func look(in realm: Realm) -> Int? { realm.object(ofType: Target.self, forPrimaryKey: 1)?.value }

    private func target(value: Int) -> String { read("Target", #"{"_id":1,"value":\#(value)}"#) }

    @Test(
        "Scenario 55: three instances at different versions record what each sees, and repeats once they agree are dropped",
        .tags(.scenario55)
    )
    func threeVersions() throws {
        let oldest = try OtherInstance(of: realm)
        oldest.run { #expect(look(in: $0) == 10) }
        try realm.write { realm.create(Target.self, value: ["_id": 1, "value": 11], update: .modified) }
        let older = try OtherInstance(of: realm)
        older.run { #expect(look(in: $0) == 11) }
        try realm.write { realm.create(Target.self, value: ["_id": 1, "value": 12], update: .modified) }

        try recorded.record {
            #expect(look(in: realm) == 12)
            older.run { #expect(look(in: $0) == 11) }
            oldest.run { #expect(look(in: $0) == 10) }
            older.run { realm in
                realm.refresh()
                #expect(look(in: realm) == 12)
            }
            oldest.run { realm in
                #expect(look(in: realm) == 10)
                realm.refresh()
                #expect(look(in: realm) == 12)
            }
            older.run { #expect(look(in: $0) == 12) }
            #expect(look(in: realm) == 12)
        }

        #expect(try recorded.lines() == [12, 11, 10, 12, 10, 12].map(target))
    }

    @Test(
        "Scenario 56: alternating reads in one scope are all events, 300,000 of them in a release build",
        .tags(.scenario56)
    )
    func alternating() throws {
        #if DEBUG
        // A debug build takes ten times as long for each.
        let count = 30_000
        #else
        let count = 300_000
        #endif

        try recorded.record {
            for index in 0..<count { _ = realm.object(ofType: Target.self, forPrimaryKey: 1 + index % 2) }
        }

        let stored = try recorded.stored()
        let payloads = [1, 2].map { #"{"type":"Target","value":[\#(Target.json($0))]}"# }
        #expect(stored.count == count)
        #expect(stored.indices.allSatisfy { stored[$0].dataText == payloads[$0 % 2] })
    }

    @Test(
        "Scenario 99: commits of another instance after the last write of a scope cost it nothing",
        .tags(.scenario99)
    )
    func foreignCommits() throws {
        let other = try OtherInstance(of: realm)
        var expected: [String] = []

        try recorded.record {
            try realm.write { realm.create(Target.self, value: ["_id": 1, "value": 11], update: .modified) }
            expected.append(target(value: 10))
            expected.append(write("Target", modifications: [(#"{"value":11}"#, Target.json(1))]))
            for number in 0..<100 {
                try other.run { realm in
                    try realm.write { realm.create(Target.self, value: ["_id": 100 + number, "value": number]) }
                }
                expected.append(write("Target", insertions: #"{"_id":\#(100 + number),"value":\#(number)}"#))
            }
        }

        #expect(try recorded.lines() == expected)
    }

    @Test("reads of frozen objects and of background instances are recorded with what they show")
    func frozen() throws {
        let frozen = realm.freeze()
        try realm.write { realm.create(Target.self, value: ["_id": 1, "value": 11], update: .modified) }
        let other = try OtherInstance(of: realm)

        try recorded.record {
            _ = look(in: frozen)
            other.run { _ = look(in: $0) }
        }

        #expect(try recorded.lines() == [10, 11].map(target))
    }

    @Test(
        "Scenario 111: an open scope pins no version: 2,000 small writes grow the file by less than twice their rows and notes",
        .tags(.scenario111)
    )
    func pinning() throws {
        let text = String(repeating: "x", count: 200)
        let before = try size("")

        try recorded.record {
            for number in 1...2_000 {
                try realm.write { realm.create(Record.self, value: ["_id": number, "string": text]) }
            }
            // What nobody reads any more goes from the log to the file, and the log begins anew at 1,000 pages.
            #expect(try size("-wal") < 2 * 1_000 * 4_096)
        }

        let growth = try size("") - before
        // Beside each row lies the note of its write until the event is durable; on a slow disk that is all of them at once.
        #expect(growth < 2 * 2 * 2_000 * text.utf8.count)
        #expect(try recorded.stored().count == 2_000)
    }

    /// The size of the realm's file, or of what SQLite keeps beside it.
    private func size(_ ending: String) throws -> Int {
        let path = try #require(realm.configuration.fileURL).path + ending
        guard FileManager.default.fileExists(atPath: path) else { return 0 }
        return try #require(FileManager.default.attributesOfItem(atPath: path)[.size] as? Int)
    }
}
