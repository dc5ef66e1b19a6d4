import ChangeModel
import ChangeModelTesting
import EventModel
import Testing

@Suite("Scenarios: sets and maps")
struct SetAndMapScenarioTests {
    private var scenario = Scenario(person.create(), other.create(), person.set(key: "k", "old"), person.put("x"))

    @Test("S55: a member that one inserts and another inserts and removes later is out", arguments: [Int64(20), 10])
    mutating func insertAndRemove(later: Int64) {
        var scenario = Scenario(person.create())
        scenario.commit(deviceA, at: 10, person.put(999), person.put("Hello"))
        scenario.commit(deviceB, at: later, person.put(999), person.put("World"), person.take(999))

        #expect(scenario.end().set(person, "set") == ["Hello", "World"])
    }

    @Test("S56: a removal and a later insertion leave the member in")
    mutating func insertLater() {
        scenario.commit(deviceA, at: 10, person.take("x"))
        scenario.commit(deviceB, at: 20, person.put("x"))

        #expect(scenario.end().set(person, "set") == ["x"])
    }

    @Test("S56: a removal and an earlier insertion leave it out")
    mutating func insertEarlier() {
        scenario.commit(deviceA, at: 20, person.take("x"))
        scenario.commit(deviceB, at: 10, person.put("x"))

        #expect(scenario.end().set(person, "set") == [])
    }

    @Test("S57: two insertions are one, and so are two removals")
    mutating func twice() {
        scenario.commit(deviceA, at: 10, person.put("y"), person.take("x"))
        scenario.commit(deviceB, at: 20, person.put("y"), person.take("x"))

        #expect(scenario.end().set(person, "set") == ["y"])
    }

    @Test(
        "S58: removing a key is a write like others",
        arguments: [(Int64(20), "b"), (5, nil)] as [(Int64, CellValue?)]
    )
    mutating func removeKey(time: Int64, value: CellValue?) {
        scenario.commit(deviceA, at: 10, person.remove(key: "k"))
        scenario.commit(deviceB, at: time, person.set(key: "k", "b"))

        #expect(scenario.end().map(person, "map")["k"] == value)
    }

    @Test("S59: entries are merged key by key")
    mutating func keys() {
        let fromA = ["k", "b", "c"].map { person.set(key: ExactText($0), "A") }
        scenario.commit(deviceA, at: 10, fromA)
        scenario.commit(deviceB, at: 20, person.set(key: "b", "B"), person.set(key: "d", "B"))

        #expect(scenario.end().map(person, "map") == ["k": "A", "b": "B", "c": "A", "d": "B"])
    }

    @Test("S60: what is set after the map was cleared is alone in it")
    mutating func setAfterClear() {
        scenario.commit(deviceA, at: 10, person.clear("map"))
        scenario.commit(deviceB, at: 20, person.set(key: "n", "b"))

        #expect(scenario.end().map(person, "map") == ["n": "b"])
    }

    @Test("S60: what is set before is gone")
    mutating func setBeforeClear() {
        scenario.commit(deviceA, at: 20, person.clear("map"))
        scenario.commit(deviceB, at: 10, person.set(key: "n", "b"))

        #expect(scenario.end().map(person, "map") == [:])
    }

    @Test("S61: keys that differ in Unicode form only are two keys, on all devices")
    mutating func unicode() {
        scenario.commit(deviceA, at: 10, person.set(key: "\u{e9}", 1))
        scenario.commit(deviceB, at: 20, person.set(key: "e\u{301}", 2))

        #expect(scenario.end().map(person, "map") == ["k": "old", "\u{e9}": 1, "e\u{301}": 2])
    }

    @Test("S62: an object that was deleted is in no set")
    mutating func deletedMember() {
        scenario.commit(deviceB, at: 10, other.delete())
        scenario.commit(deviceA, at: 20, person.put(.link(other)))

        #expect(scenario.end().set(person, "set") == ["x"])
    }

    @Test("a set that is cleared keeps what is put in later, and loses what was put in before")
    mutating func clearSet() {
        scenario.commit(deviceA, at: 20, person.clear("set"))
        scenario.commit(deviceB, at: 10, person.put("early"))
        scenario.commit(deviceC, at: 30, person.put("late"))

        #expect(scenario.end().set(person, "set") == ["late"])
    }
}
