import ChangeModel
import ChangeModelTesting
import EventModel
import Testing

@Suite("Scenarios: properties")
struct PropertyScenarioTests {
    private var scenario = Scenario(person.create(["name": "", "age": 0]))

    @Test("S1: the later assignment wins")
    mutating func later() {
        scenario.commit(deviceA, at: 10, person.set("name", "a"))
        scenario.commit(deviceB, at: 20, person.set("name", "b"))

        #expect(scenario.end()[person, "name"] == "b")
    }

    @Test("S2: assignments of two properties are both kept")
    mutating func twoProperties() {
        scenario.commit(deviceA, at: 10, person.set("name", "a"))
        scenario.commit(deviceB, at: 20, person.set("age", 7))

        let end = scenario.end()
        #expect(end[person, "name"] == "a")
        #expect(end[person, "age"] == 7)
    }

    @Test("S3: at equal times the higher file wins")
    mutating func equalTimes() {
        scenario.commit(deviceA, at: 10, person.set("name", "a"))
        scenario.commit(deviceB, at: 10, person.set("name", "b"))

        #expect(scenario.end()[person, "name"] == "b")
    }

    @Test("S4: a write of 10:00 that is uploaded a day later loses to one of 11:00")
    mutating func lateUpload() {
        scenario.commit(deviceA, at: 36_000_000, person.set("name", "a"))
        scenario.commit(deviceB, at: 39_600_000, person.set("name", "b"))

        #expect(scenario.end()[person, "name"] == "b")
    }

    @Test("S5: a write of 12:00 that is uploaded last wins over one of 11:00")
    mutating func lateUploadWins() {
        scenario.commit(deviceB, at: 39_600_000, person.set("name", "b"))
        scenario.commit(deviceA, at: 43_200_000, person.set("name", "a"))

        #expect(scenario.end()[person, "name"] == "a")
    }

    @Test("S6: a default is older than a given value, however late the object was created")
    mutating func defaultLoses() {
        scenario.commit(deviceA, at: 10, created.create(["j": 456]))
        scenario.commit(deviceB, at: 20, created.create(defaults: ["j": 789]))

        #expect(scenario.end()[created, "j"] == 456)
    }

    @Test("S7: of two defaults the later one is kept")
    mutating func twoDefaults() {
        scenario.commit(deviceA, at: 10, created.create(defaults: ["j": 1]))
        scenario.commit(deviceB, at: 20, created.create(defaults: ["j": 2]))

        #expect(scenario.end()[created, "j"] == 2)
    }

    @Test("S8: texts are not merged")
    mutating func texts() {
        scenario.commit(deviceA, at: 10, person.set("name", "abcX"))
        scenario.commit(deviceB, at: 20, person.set("name", "abcY"))

        #expect(scenario.end()[person, "name"] == "abcY")
    }

    @Test("S9: assigning the value that is there already is a write")
    mutating func equalValue() {
        scenario.commit(deviceB, at: 10, person.set("name", "b"))
        scenario.commit(deviceA, at: 20, person.set("name", ""))

        #expect(scenario.end()[person, "name"] == "")
    }

    @Test("S10: null is a value")
    mutating func null() {
        scenario.commit(deviceB, at: 10, person.set("age", 5))
        scenario.commit(deviceA, at: 20, person.set("age", .null))

        #expect(scenario.end()[person, "age"] == .null)
    }

    @Test("S11: of two assignments in one change the last one holds")
    mutating func twice() {
        scenario.commit(deviceA, at: 10, person.set("name", "a"), person.set("name", "b"))

        #expect(scenario.end()[person, "name"] == "b")
    }

    @Test("S12: a clock that is a year ahead does not win for a year")
    func future() throws {
        #expect(try nameAfterWrongClock(rules: .all) == "b")
    }

    @Test("S12: it would, if stamps from the future were not lowered")
    func futureUnlowered() throws {
        #expect(try nameAfterWrongClock(rules: .all.subtracting(.futureIsLowered)) == "a")
    }

    @Test("S12: a write that is lowered is still newer than the one that its author saw")
    func futureSeen() throws {
        #expect(try nameAfterSeenWrite(rules: .all) == "b")
    }

    @Test("S12: it would be older, if what was seen did not count")
    func futureUnseen() throws {
        #expect(try nameAfterSeenWrite(rules: .all.subtracting(.seenIsOlder)) == "a")
    }

    /// The name after A wrote four seconds ahead of the server, and B saw that and wrote with a clock a year ahead.
    private func nameAfterSeenWrite(rules: RuleSet) throws -> CellValue? {
        try name(
            after: [
                (99, base: 0, wall: 1, server: 1, person.create(["name": ""])),
                (deviceA, base: 1, wall: 104_000, server: 100_000, person.set("name", "a")),
                (deviceB, base: 2, wall: 31_536_000_000, server: 101_000, person.set("name", "b")),
            ],
            rules: rules
        )
    }

    /// The name after A wrote with a clock that is a year ahead, and B ten seconds later.
    private func nameAfterWrongClock(rules: RuleSet) throws -> CellValue? {
        try name(
            after: [
                (99, base: 0, wall: 1, server: 1, person.create(["name": ""])),
                (deviceA, base: 1, wall: 31_536_000_000, server: 10_000, person.set("name", "a")),
                (deviceB, base: 1, wall: 20_000, server: 20_000, person.set("name", "b")),
            ],
            rules: rules
        )
    }

    private func name(
        after commits: [(file: UInt32, base: Int, wall: Int64, server: Int64, operation: ChangeOperation)],
        rules: RuleSet
    ) throws -> CellValue? {
        var state = InMemoryRealmState()
        for commit in commits {
            _ = try state.accept(
                Change.sample(base: commit.base, milliseconds: commit.wall, operations: [commit.operation]),
                of: commit.file,
                user: 1,
                received: EventInstant(microseconds: commit.server * 1000),
                digest: .sample,
                rules: rules,
                refusing: { _, _ in nil }
            )
        }
        return RealmContents(state)[person, "name"]
    }
}
