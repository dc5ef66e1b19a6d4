import ChangeModel
import ChangeModelTesting
import EventModel
import Testing

@Suite("Scenarios: existence")
struct ExistenceScenarioTests {
    private var scenario = Scenario(person.create(["name": "", "int": 0]))

    @Test("S13: a deletion wins over a later write, whose author is told")
    mutating func deletionWins() {
        scenario.commit(deviceA, at: 10, person.delete())
        scenario.commit(deviceB, at: 20, person.set("name", "b"))

        #expect(scenario.end() == RealmContents())
        #expect(scenario.outcome.results(of: deviceB).first == [.refused(.deleted)])
    }

    @Test("S14: a write that arrived before the deletion is deleted with the object")
    mutating func writeFirst() {
        scenario.commit(deviceB, at: 10, person.set("name", "b"))
        scenario.commit(deviceA, at: 20, person.delete())

        #expect(scenario.end() == RealmContents())
        #expect(scenario.outcome.results(of: deviceB).first == [.asSent])
    }

    @Test("S15: two deletions are one, and no error")
    mutating func bothDelete() {
        scenario.commit(deviceA, at: 10, person.delete())
        scenario.commit(deviceB, at: 20, person.delete())

        #expect(scenario.end() == RealmContents())
        #expect(scenario.outcome.results(of: deviceB) == [[.asSent], [.asSent]])
    }

    @Test("S16: two creations are one object with the later of the given values")
    mutating func bothCreate() {
        scenario.commit(deviceA, at: 10, created.create(["name": "a", "x": 1]))
        scenario.commit(deviceB, at: 20, created.create(["name": "b", "y": 2]))

        let end = scenario.end()
        #expect(end[created, "name"] == "b")
        #expect(end[created, "x"] == 1)
        #expect(end[created, "y"] == 2)
    }

    @Test("S17: two creations with elements in their lists are one object with all of them by time")
    mutating func bothCreateLists() {
        scenario.commit(deviceA, at: 10, created.create(), created.insert(1, "a"))
        scenario.commit(deviceB, at: 20, created.create(), created.insert(2, "b"))

        #expect(scenario.end().list(created, "list") == ["a", "b"])
    }

    @Test("S18: a creation and deletion delete the object that another device creates later without knowing of them")
    mutating func createAndDelete() {
        scenario.commit(deviceA, at: 10, created.create(["name": "a"]))
        scenario.commit(deviceA, at: 11, created.delete())
        scenario.commit(deviceB, at: 20, created.create(["name": "b"]))

        #expect(scenario.end().objects[created] == nil)
        #expect(scenario.outcome.results(of: deviceB).first == [.refused(.deleted)])
    }

    @Test("S18: with a second creation that does not depend on the order either")
    mutating func createDeleteCreate() {
        scenario.commit(deviceA, at: 10, created.create(["name": "a"]))
        scenario.commit(deviceA, at: 11, created.delete())
        scenario.commit(deviceB, at: 20, created.create(["name": "b"]))
        scenario.commit(deviceB, at: 21, created.delete())
        scenario.commit(deviceB, at: 22, created.create(["name": "c"]))

        #expect(scenario.end()[created, "name"] == "c")
    }

    @Test("S19: an object that two devices made anew is one, with the later value")
    mutating func bothReplace() {
        scenario.commit(deviceA, at: 10, person.delete(), person.create(["int": 11]))
        scenario.commit(deviceB, at: 20, person.delete(), person.create(["int": 2]))

        #expect(scenario.end()[person, "int"] == 2)
    }

    @Test("S20: an object that is created anew has nothing of the old one")
    mutating func anew() {
        scenario.commit(deviceA, at: 5, person.insert(1, 1), person.set("name", "old"))
        scenario.commit(deviceA, at: 10, person.delete())
        scenario.sync()
        scenario.commit(deviceB, at: 20, person.create(["int": 2]))

        let object = RealmContents.Object(cells: ["int": 2])
        #expect(scenario.end() == RealmContents(objects: [person: object]))
    }

    @Test("S21: a later write to the old object does not reach the new one, whenever it is uploaded")
    mutating func writeToOld() {
        let deletion = scenario.commit(deviceA, at: 10, person.delete())
        scenario.commit(deviceC, at: 20, after: deletion, person.create(["name": "new"]))
        scenario.commit(deviceB, at: 30, person.set("name", "b"))

        #expect(scenario.end()[person, "name"] == "new")
        #expect(scenario.outcome.results(of: deviceB).first == [.refused(.deleted)])
    }

    @Test("S22: a later deletion of the old object does not delete the new one")
    mutating func deletionOfOld() {
        scenario.commit(deviceA, at: 10, person.delete())
        scenario.commit(deviceA, at: 11, person.create(["name": "a"]))
        scenario.commit(deviceB, at: 20, person.delete())

        #expect(scenario.end()[person, "name"] == "a")
        #expect(scenario.outcome.results(of: deviceB).first == [.superseded])
    }

    @Test("S23: a deletion of all objects leaves the one that another device creates")
    mutating func deleteAll() {
        scenario.commit(deviceA, at: 20, person.delete())
        scenario.commit(deviceB, at: 10, other.create(["name": "b"]))

        let end = scenario.end()
        #expect(end.objects[person] == nil)
        #expect(end[other, "name"] == "b")
    }
}
