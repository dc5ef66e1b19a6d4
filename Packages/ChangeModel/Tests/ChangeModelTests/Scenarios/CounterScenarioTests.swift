import ChangeModel
import ChangeModelTesting
import EventModel
import Testing

@Suite("Scenarios: counters")
struct CounterScenarioTests {
    private var scenario = Scenario(person.create(["count": 0]))

    @Test("S63: increments of two devices are both counted")
    mutating func both() {
        scenario.commit(deviceA, at: 10, person.add(5, to: "count"))
        scenario.commit(deviceB, at: 20, person.add(4, to: "count"))

        #expect(scenario.end()[person, "count"] == 9)
    }

    @Test("S64: an assignment takes the increments before it and not those after it")
    mutating func assignment() {
        scenario.commit(deviceB, at: 10, person.add(2, to: "count"))
        scenario.commit(deviceA, at: 20, person.set("count", 100))
        scenario.commit(deviceB, at: 30, person.add(3, to: "count"))

        #expect(scenario.end()[person, "count"] == 103)
    }

    @Test("S65: null with an increment is null")
    mutating func null() {
        scenario.commit(deviceA, at: 10, person.set("count", .null))
        scenario.commit(deviceB, at: 30, person.add(1, to: "count"))

        #expect(scenario.end()[person, "count"] == .null)
    }

    @Test("S65: the increment is there when a number between the two arrives")
    mutating func nullAndNumber() {
        scenario.commit(deviceA, at: 10, person.set("count", .null))
        scenario.commit(deviceB, at: 30, person.add(1, to: "count"))
        scenario.commit(deviceC, at: 20, person.set("count", 10))

        #expect(scenario.end()[person, "count"] == 11)
    }

    @Test("S66: a default that is written later does not undo an increment")
    mutating func laterDefault() {
        scenario.commit(deviceA, at: 10, created.create(defaults: ["count": 0]), created.add(1, to: "count"))
        scenario.commit(deviceB, at: 20, created.create(defaults: ["count": 0]))

        #expect(scenario.end()[created, "count"] == 1)
    }

    @Test("S67: overflow wraps")
    mutating func overflow() {
        scenario.commit(deviceA, at: 10, person.set("count", .int(.max)))
        scenario.commit(deviceB, at: 20, person.add(1, to: "count"))

        #expect(scenario.end()[person, "count"] == .int(.min))
    }

    @Test("S68: adding to what was read and assigning it is an assignment, so one of two is lost")
    mutating func readAndAssign() {
        scenario.commit(deviceA, at: 10, person.set("count", 1))
        scenario.commit(deviceB, at: 20, person.set("count", 1))

        #expect(scenario.end()[person, "count"] == 1)
    }
}
