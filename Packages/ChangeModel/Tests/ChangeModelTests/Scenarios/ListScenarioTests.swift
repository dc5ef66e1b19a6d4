import ChangeModel
import ChangeModelTesting
import EventModel
import Testing

@Suite("Scenarios: lists")
struct ListScenarioTests {
    private let list: CellPath = "list"

    /// A scenario in which the list holds values under the ids 1, 2, 3 and so on.
    private func scenario(_ values: CellValue...) -> Scenario {
        var scenario = Scenario(person.create())
        for (index, value) in values.enumerated() {
            scenario.commit(99, at: Int64(2 + index), person.insert(index + 1, value))
        }
        scenario.sync()
        return scenario
    }

    @Test("S33: appends of two devices stand in the order of time")
    func appends() {
        var scenario = scenario()
        scenario.commit(deviceA, at: 10, person.insert(1, "a"))
        scenario.commit(deviceB, at: 20, person.insert(2, "b"))

        #expect(scenario.end().list(person, list) == ["a", "b"])
    }

    @Test("S34: several appends stand in the order of time, between each other")
    func severalAppends() {
        var scenario = scenario()
        scenario.commit(deviceA, at: 10, person.insert(1, 1))
        scenario.commit(deviceB, at: 20, person.insert(2, 2), person.insert(3, 2))
        scenario.commit(deviceA, at: 30, person.insert(4, 3))

        #expect(scenario.end().list(person, list) == [1, 2, 2, 3])
    }

    @Test("S35: a run that was appended before another device's stays together")
    func runs() {
        var scenario = scenario()
        scenario.commit(deviceA, at: 10, person.insert(1, "a1"), person.insert(2, "a2"), person.insert(3, "a3"))
        scenario.commit(deviceB, at: 20, person.insert(4, "b1"))

        #expect(scenario.end().list(person, list) == ["a1", "a2", "a3", "b1"])
    }

    @Test("S36: insertions at the beginning stand in the order of time before what was there")
    func atBeginning() {
        var scenario = scenario("x")
        scenario.commit(deviceA, at: 10, person.insert(11, "A", before: 1))
        scenario.commit(deviceB, at: 20, person.insert(12, "B", before: 1))

        #expect(scenario.end().list(person, list) == ["A", "B", "x"])
    }

    @Test("S37: an insertion before an own element stays before it")
    func beforeOwn() {
        var scenario = scenario()
        scenario.commit(deviceA, at: 10, person.insert(1, "X1"))
        scenario.commit(deviceB, at: 20, person.insert(3, "Y"))
        scenario.commit(deviceA, at: 30, person.insert(2, "X2", before: 1))

        #expect(scenario.end().list(person, list) == ["X2", "X1", "Y"])
    }

    @Test("S38: an insertion before an element that is removed stays where that was")
    func beforeRemoved() {
        var scenario = scenario("w", "x", "y")
        scenario.commit(deviceA, at: 10, person.insert(11, "A", before: 2))
        scenario.commit(deviceB, at: 20, person.remove(2))

        #expect(scenario.end().list(person, list) == ["w", "A", "y"])
    }

    @Test("S39: two removals of an element are one, and its neighbours stay")
    func removeTwice() {
        var scenario = scenario("w", "x", "y")
        scenario.commit(deviceA, at: 10, person.remove(2))
        scenario.commit(deviceB, at: 20, person.remove(2))

        #expect(scenario.end().list(person, list) == ["w", "y"])
    }

    @Test("S40: a removed element is gone, also when another device sets it later")
    func setRemoved() {
        var scenario = scenario("w", "x")
        scenario.commit(deviceA, at: 10, person.remove(2))
        scenario.commit(deviceB, at: 20, person.set(element: 2, "B"))

        #expect(scenario.end().list(person, list) == ["w"])
    }

    @Test("S41: the later value of an element wins, and nothing else moves")
    func setTwice() {
        var scenario = scenario("v", "w", "x")
        scenario.commit(deviceA, at: 10, person.set(element: 2, "A"))
        scenario.commit(deviceB, at: 20, person.set(element: 2, "B"))

        #expect(scenario.end().list(person, list) == ["v", "B", "x"])
    }

    @Test("S42: a value goes with its element when one before it is removed")
    func removeAndSet() {
        var scenario = scenario("v", "w")
        scenario.commit(deviceA, at: 10, person.remove(1))
        scenario.commit(deviceB, at: 20, person.set(element: 2, "B"))

        #expect(scenario.end().list(person, list) == ["B"])
    }

    @Test("S43: of two moves the later one wins, and the element is there once")
    func moveTwice() {
        var scenario = scenario("v", "x", "w")
        scenario.commit(deviceA, at: 10, person.move(2))
        scenario.commit(deviceB, at: 20, person.move(2, before: 1))

        #expect(scenario.end().list(person, list) == ["x", "v", "w"])
    }

    @Test("S44: an element that one moves and another removes is gone", arguments: [Int64(5), 20])
    func moveAndRemove(removal: Int64) {
        var scenario = scenario("x", "w")
        scenario.commit(deviceA, at: 10, person.move(1))
        scenario.commit(deviceB, at: removal, person.remove(1))

        #expect(scenario.end().list(person, list) == ["w"])
    }

    @Test("S45: an element that one moves and another sets is moved and set")
    func moveAndSet() {
        var scenario = scenario("x", "w")
        scenario.commit(deviceA, at: 10, person.move(1))
        scenario.commit(deviceB, at: 20, person.set(element: 1, "B"))

        #expect(scenario.end().list(person, list) == ["w", "B"])
    }

    @Test("S46: two elements that are moved before each other are both there once")
    func crossing() {
        var scenario = scenario("y", "x")
        scenario.commit(deviceA, at: 10, person.move(2, before: 1))
        scenario.commit(deviceB, at: 20, person.move(1, before: 2))

        // Each stands before the place at which its author saw the other one.
        #expect(scenario.end().list(person, list) == ["x", "y"])
    }

    @Test("S47: of two devices that clear and fill a list the later one's elements are there")
    func clearTwice() {
        var scenario = scenario(1, 2)
        scenario.commit(deviceA, at: 10, person.clear(list), person.insert(3, 3), person.insert(4, 4))
        scenario.commit(deviceB, at: 20, person.clear(list), person.insert(5, 5), person.insert(6, 6))

        #expect(scenario.end().list(person, list) == [5, 6])
    }

    @Test("S48: what is appended after the list was cleared stays")
    func appendAfterClear() {
        var scenario = scenario(1, 2)
        scenario.commit(deviceA, at: 10, person.clear(list))
        scenario.commit(deviceB, at: 20, person.insert(7, 7))

        #expect(scenario.end().list(person, list) == [7])
    }

    @Test("S49: what is appended before is gone")
    func appendBeforeClear() {
        var scenario = scenario(1, 2)
        scenario.commit(deviceB, at: 10, person.insert(7, 7))
        scenario.commit(deviceA, at: 20, person.clear(list))

        #expect(scenario.end().list(person, list) == [])
    }

    @Test("S50: of two assigned lists the later one is there, and not both")
    func assignTwice() {
        var scenario = scenario(1)
        scenario.commit(deviceA, at: 10, person.clear(list), person.insert(2, "a"), person.insert(3, "a"))
        scenario.commit(deviceB, at: 20, person.clear(list), person.insert(4, "b"))

        #expect(scenario.end().list(person, list) == ["b"])
    }

    @Test("S51: of equal elements those are removed that were meant")
    func equalElements() {
        var scenario = scenario(1, 1, 1)
        scenario.commit(deviceA, at: 10, person.remove(1))
        scenario.commit(deviceB, at: 20, person.remove(3))

        let end = scenario.end()
        #expect(end.list(person, list) == [1])
        #expect(end.elements(person, list) == [.sample(2)])
    }

    @Test("S52: a list that one sorts and another appends to has all elements once, the new one at the end")
    func sortAndAppend() {
        var scenario = scenario(3, 1, 2)
        scenario.commit(deviceA, at: 10, person.move(1), person.move(2, before: 3))
        scenario.commit(deviceB, at: 20, person.insert(4, 0))

        #expect(scenario.end().list(person, list) == [1, 2, 3, 0])
    }

    @Test("S52: what is inserted before a neighbour that is moved stays where the author saw that")
    func sortAndInsert() {
        var scenario = scenario(3, 1, 2)
        scenario.commit(deviceA, at: 10, person.move(1))
        scenario.commit(deviceB, at: 20, person.insert(4, 0, before: 1))

        #expect(scenario.end().list(person, list) == [0, 1, 2, 3])
    }

    @Test("S53: an object that is added twice is there twice")
    func twice() {
        var scenario = scenario()
        scenario.commit(deviceA, at: 10, person.insert(1, .link(person)), person.insert(2, .link(person)))

        #expect(scenario.end().list(person, list) == [.link(person), .link(person)])
    }

    @Test("S54: ten thousand appends of each of two devices are twenty thousand elements by time")
    func many() {
        var state = InMemoryRealmState()
        let base = Change.sample(milliseconds: 1, operations: [person.create()])
        state.takeOwn(base, of: 99)
        // Everything of A arrives before everything of B; each commit of one lies between two of the other.
        for file in [deviceA, deviceB] {
            for commit in 0..<100 {
                let first = commit * 200 + Int(file - 1) * 100
                let inserts = (1...100).map { person.insert(first + $0, .int(Int64(first + $0))) }
                state.takeOwn(
                    .sample(number: commit + 1, base: 1, milliseconds: Int64(10 + first), operations: inserts),
                    of: file
                )
            }
        }

        let elements = state.elements(of: CellAddress(person, list))

        #expect(elements == (1...20_000).map(ElementID.sample))
    }
}
