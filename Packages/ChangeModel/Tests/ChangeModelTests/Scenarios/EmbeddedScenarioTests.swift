import ChangeModel
import ChangeModelTesting
import EventModel
import Testing

@Suite("Scenarios: embedded objects and values of any type")
struct EmbeddedScenarioTests {
    private let address: CellPath = "address"
    private let any: CellPath = "any"
    private let homes: CellPath = "homes"
    private var scenario = Scenario(
        person.create(["any": .null]),
        person.embed(1, at: "address", ["street": "s", "city": "c"])
    )

    @Test("S69: two properties of an embedded object are both kept")
    mutating func twoProperties() {
        scenario.commit(deviceA, at: 10, person.set(address.inside(1, "street"), "A"))
        scenario.commit(deviceB, at: 20, person.set(address.inside(1, "city"), "B"))

        let end = scenario.end()
        #expect(end[person, address.inside(1, "street")] == "A")
        #expect(end[person, address.inside(1, "city")] == "B")
    }

    @Test("S70: an embedded object that is set to null is gone with what is written into it later")
    mutating func null() {
        scenario.commit(deviceA, at: 10, person.set(address, .null))
        scenario.commit(deviceB, at: 20, person.set(address.inside(1, "city"), "B"))

        #expect(scenario.end().objects[person]?.cells == ["any": .null, address: .null])
    }

    @Test("S71: a new embedded object is as it was assigned, whatever is written into the old one later")
    mutating func assignment() {
        scenario.commit(deviceA, at: 10, person.embed(2, at: address, ["street": "A"]))
        scenario.commit(deviceB, at: 20, person.set(address.inside(1, "city"), "B"))

        let life = CellValue.life(Life(.sample(2), .embedded))
        #expect(
            scenario.end().objects[person]?.cells
                == ["any": .null, address: life, address.inside(2, "street"): "A"]
        )
    }

    @Test("S72: of two new embedded objects the later one is whole, without a mixture")
    mutating func bothAssign() {
        scenario.commit(deviceA, at: 10, person.embed(2, at: address, ["street": "A", "city": "A"]))
        scenario.commit(deviceB, at: 20, person.embed(3, at: address, ["street": "B"]))

        let life = CellValue.life(Life(.sample(3), .embedded))
        #expect(
            scenario.end().objects[person]?.cells
                == ["any": .null, address: life, address.inside(3, "street"): "B"]
        )
    }

    @Test("S73: an embedded element that is removed is gone with what is written into it")
    mutating func removedElement() {
        addHomes()
        scenario.commit(deviceA, at: 10, person.remove(1, from: homes))
        scenario.commit(deviceB, at: 20, person.set(homes.element(1).inside(11, "city"), "B"))

        #expect(scenario.end().elements(person, homes) == [.sample(2)])
    }

    @Test("S73: what is written into an embedded element stays with it when another one is inserted before")
    mutating func insertedBefore() {
        addHomes()
        scenario.commit(
            deviceA,
            at: 10,
            person.insert(3, .life(Life(.sample(13), .embedded)), into: homes, before: 1)
        )
        scenario.commit(deviceB, at: 20, person.set(homes.element(2).inside(12, "city"), "B"))

        let end = scenario.end()
        #expect(end.elements(person, homes) == [3, 1, 2].map(ElementID.sample))
        #expect(end[person, homes.element(2).inside(12, "city")] == "B")
        #expect(end[person, homes.element(1).inside(11, "city")] == nil)
    }

    @Test("S74: a value of any type is replaced with its type")
    mutating func types() {
        scenario.commit(deviceA, at: 10, person.set(any, 5))
        scenario.commit(deviceB, at: 20, person.set(any, "x"))

        #expect(scenario.end()[person, any] == "x")
    }

    @Test("S74: an increment after a text does nothing")
    mutating func incrementOfText() {
        scenario.commit(deviceA, at: 10, person.set(any, "x"))
        scenario.commit(deviceB, at: 20, person.add(1, to: any))

        #expect(scenario.end()[person, any] == "x")
    }

    @Test("S75: keys that two devices add to one dictionary are both there")
    mutating func oneDictionary() {
        scenario.commit(deviceC, at: 5, person.begin(7, .dictionary, at: any))
        scenario.sync()
        scenario.commit(deviceA, at: 10, person.set(key: "a", of: any.inside(7), 1))
        scenario.commit(deviceB, at: 20, person.set(key: "b", of: any.inside(7), 2))

        #expect(scenario.end().map(person, any.inside(7)) == ["a": 1, "b": 2])
    }

    @Test("S75: of two new dictionaries the later one is whole")
    mutating func twoDictionaries() {
        scenario.commit(
            deviceA,
            at: 10,
            person.begin(7, .dictionary, at: any),
            person.set(key: "a", of: any.inside(7), 1)
        )
        scenario.commit(
            deviceB,
            at: 20,
            person.begin(8, .dictionary, at: any),
            person.set(key: "b", of: any.inside(8), 2)
        )

        let end = scenario.end()
        #expect(end[person, any] == .life(Life(.sample(8), .dictionary)))
        #expect(end.map(person, any.inside(8)) == ["b": 2])
        #expect(end.map(person, any.inside(7)) == [:])
    }

    @Test("S75: of a list and a dictionary the later one holds")
    mutating func listAndDictionary() {
        scenario.commit(deviceA, at: 20, person.begin(7, .list, at: any), person.insert(1, 1, into: any.inside(7)))
        scenario.commit(deviceB, at: 10, person.begin(8, .dictionary, at: any))

        let end = scenario.end()
        #expect(end[person, any] == .life(Life(.sample(7), .list)))
        #expect(end.list(person, any.inside(7)) == [1])
    }

    @Test("S76: a list that one device clears is replaced by the value that another sets later")
    mutating func clearAndSet() {
        scenario.commit(deviceC, at: 5, person.begin(7, .list, at: any), person.insert(1, 1, into: any.inside(7)))
        scenario.sync()
        scenario.commit(deviceA, at: 10, person.clear(any.inside(7)))
        scenario.commit(deviceB, at: 20, person.set(any, 5))

        #expect(scenario.end()[person, any] == 5)
    }

    private mutating func addHomes() {
        for index in 1...2 {
            let life = CellValue.life(Life(.sample(10 + index), .embedded))
            scenario.commit(deviceC, at: Int64(1 + index), person.insert(index, life, into: homes))
        }
        scenario.sync()
    }
}
