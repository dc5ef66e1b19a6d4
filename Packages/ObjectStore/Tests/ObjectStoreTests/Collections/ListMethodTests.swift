import Foundation
import ObjectStore
import ObjectStoreTesting
import Testing

@Suite("Methods of lists")
struct ListMethodTests {
    /// One way to change a list and an array.
    struct Change: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let list: @Sendable (List<String>) -> Void
        let array: @Sendable (inout [String]) -> Void
    }

    static let changes: [Change] = [
        Change(testDescription: "append") {
            $0.append("x")
        } array: {
            $0.append("x")
        },
        Change(testDescription: "append(objectsIn:)") {
            $0.append(objectsIn: ["x", "y"])
        } array: {
            $0 += ["x", "y"]
        },
        Change(testDescription: "append nothing") {
            $0.append(objectsIn: [])
        } array: { _ in
        },
        Change(testDescription: "insert first") {
            $0.insert("x", at: 0)
        } array: {
            $0.insert("x", at: 0)
        },
        Change(testDescription: "insert inside") {
            $0.insert("x", at: 2)
        } array: {
            $0.insert("x", at: 2)
        },
        Change(testDescription: "insert last") {
            $0.insert("x", at: 5)
        } array: {
            $0.insert("x", at: 5)
        },
        Change(testDescription: "insert(contentsOf:at:)") {
            $0.insert(contentsOf: ["x", "y", "z"], at: 1)
        } array: {
            $0.insert(contentsOf: ["x", "y", "z"], at: 1)
        },
        Change(testDescription: "remove") {
            $0.remove(at: 1)
        } array: {
            $0.remove(at: 1)
        },
        Change(testDescription: "removeAll") {
            $0.removeAll()
        } array: {
            $0.removeAll()
        },
        Change(testDescription: "removeFirst") {
            $0.removeFirst()
        } array: {
            $0.removeFirst()
        },
        Change(testDescription: "removeFirst(2)") {
            $0.removeFirst(2)
        } array: {
            $0.removeFirst(2)
        },
        Change(testDescription: "removeLast") {
            $0.removeLast()
        } array: {
            $0.removeLast()
        },
        Change(testDescription: "removeLast(5)") {
            $0.removeLast(5)
        } array: {
            $0.removeLast(5)
        },
        Change(testDescription: "removeSubrange(1..<3)") {
            $0.removeSubrange(1..<3)
        } array: {
            $0.removeSubrange(1..<3)
        },
        Change(testDescription: "removeSubrange(1...3)") {
            $0.removeSubrange(1...3)
        } array: {
            $0.removeSubrange(1...3)
        },
        Change(testDescription: "removeSubrange(3...)") {
            $0.removeSubrange(3...)
        } array: {
            $0.removeSubrange(3...)
        },
        Change(testDescription: "removeSubrange(..<2)") {
            $0.removeSubrange(..<2)
        } array: {
            $0.removeSubrange(..<2)
        },
        Change(testDescription: "replaceSubrange by less") {
            $0.replaceSubrange(1...3, with: ["x"])
        } array: {
            $0.replaceSubrange(1...3, with: ["x"])
        },
        Change(testDescription: "replaceSubrange by more") {
            $0.replaceSubrange(1..<2, with: ["x", "y", "z"])
        } array: {
            $0.replaceSubrange(1..<2, with: ["x", "y", "z"])
        },
        Change(testDescription: "replaceSubrange at the end") {
            $0.replaceSubrange(4..., with: ["x", "y"])
        } array: {
            $0.replaceSubrange(4..., with: ["x", "y"])
        },
        Change(testDescription: "replace") {
            $0.replace(index: 2, object: "x")
        } array: {
            $0[2] = "x"
        },
        Change(testDescription: "subscript") {
            $0[2] = "x"
        } array: {
            $0[2] = "x"
        },
        Change(testDescription: "subscript of a range") {
            $0[1..<3] = List(arrayLiteral: "x", "y", "z")[0..<2]
        } array: {
            $0[1..<3] = ["x", "y"]
        },
        Change(testDescription: "subscript of a range by more") {
            $0[1..<3] = List(arrayLiteral: "x", "y", "z")[...]
        } array: {
            $0[1..<3] = ["x", "y", "z"]
        },
        Change(testDescription: "changing a slice") { list in
            var slice = list[1..<4]
            slice[2] = "x"
            list[1..<4] = slice
        } array: {
            $0[2] = "x"
        },
        Change(testDescription: "move up") {
            $0.move(from: 1, to: 3)
        } array: {
            $0.insert($0.remove(at: 1), at: 3)
        },
        Change(testDescription: "move down") {
            $0.move(from: 4, to: 0)
        } array: {
            $0.insert($0.remove(at: 4), at: 0)
        },
        Change(testDescription: "move nowhere") {
            $0.move(from: 2, to: 2)
        } array: { _ in
        },
        Change(testDescription: "swapAt") {
            $0.swapAt(0, 3)
        } array: {
            $0.swapAt(0, 3)
        },
        Change(testDescription: "swapAt itself") {
            $0.swapAt(3, 3)
        } array: { _ in
        },
        Change(testDescription: "remove(atOffsets:)") {
            $0.remove(atOffsets: [0, 2, 3])
        } array: {
            $0 = [$0[1], $0[4]]
        },
        Change(testDescription: "remove(atOffsets:) of nothing") {
            $0.remove(atOffsets: [])
        } array: { _ in
        },
        Change(testDescription: "L12: move(fromOffsets:toOffset:) up") {
            $0.move(fromOffsets: [0, 1], toOffset: 4)
        } array: {
            $0 = [$0[2], $0[3], $0[0], $0[1], $0[4]]
        },
        Change(testDescription: "L12: move(fromOffsets:toOffset:) down") {
            $0.move(fromOffsets: [2, 4], toOffset: 1)
        } array: {
            $0 = [$0[0], $0[2], $0[4], $0[1], $0[3]]
        },
        Change(testDescription: "L12: move(fromOffsets:toOffset:) from both sides") {
            $0.move(fromOffsets: [0, 4], toOffset: 2)
        } array: {
            $0 = [$0[1], $0[0], $0[4], $0[2], $0[3]]
        },
        Change(testDescription: "L12: move(fromOffsets:toOffset:) to the end") {
            $0.move(fromOffsets: [1, 3], toOffset: 5)
        } array: {
            $0 = [$0[0], $0[2], $0[4], $0[1], $0[3]]
        },
        Change(testDescription: "L12: move(fromOffsets:toOffset:) around the destination") {
            $0.move(fromOffsets: [1, 2, 3], toOffset: 2)
        } array: { _ in
        },
        Change(testDescription: "sort and reverse in place") { list in
            var list = list
            list.reverse()
            list.sort()
        } array: {
            $0.reverse()
            $0.sort()
        },
    ]

    @Test("each method changes a list as an array, twice", arguments: changes, [false, true])
    func change(_ change: Change, isManaged: Bool) throws {
        let shelter = try ShelterRealm(isManaged: isManaged)
        var array = ["a", "b", "c", "d", "e"]
        try shelter.change { $0.tags.append(objectsIn: array) }

        for _ in 1...2 where array.count >= 5 || change.testDescription.hasPrefix("append") {
            try shelter.change { change.list($0.tags) }
            change.array(&array)

            #expect(Array(shelter.shelter.tags) == array)
            #expect(Array(try shelter.again().tags) == array)
            #expect(shelter.shelter.tags.count == array.count)
        }
    }

    @Test(
        "many changes in one transaction give what they give in an array",
        arguments: [false, true],
        [UInt64(1), 2, 3]
    )
    func manyChanges(_ isManaged: Bool, seed: UInt64) throws {
        let shelter = try ShelterRealm(isManaged: isManaged)
        var array: [String] = []
        var state = seed
        func random(_ bound: Int) -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int(state >> 33) % bound
        }
        try shelter.change { shelter in
            for step in 0..<150 {
                let (first, second) = (random(array.count + 1), random(array.count + 1))
                let range = min(first, second)..<max(first, second)
                switch random(7) {
                case 0, 1:
                    shelter.tags.insert("\(step)", at: first)
                    array.insert("\(step)", at: first)
                case 2:
                    shelter.tags.append("\(step)")
                    array.append("\(step)")
                case 3 where !array.isEmpty:
                    shelter.tags.remove(at: first % array.count)
                    array.remove(at: first % array.count)
                case 4 where !array.isEmpty:
                    let (from, to) = (first % array.count, second % array.count)
                    shelter.tags.move(from: from, to: to)
                    array.insert(array.remove(at: from), at: to)
                case 5 where !array.isEmpty:
                    shelter.tags.swapAt(first % array.count, second % array.count)
                    array.swapAt(first % array.count, second % array.count)
                default:
                    shelter.tags.replaceSubrange(range, with: ["\(step)", "x"])
                    array.replaceSubrange(range, with: ["\(step)", "x"])
                }
                #expect(shelter.tags.count == array.count)
            }
            #expect(Array(shelter.tags) == array)
        }
        #expect(Array(try shelter.again().tags) == array)
    }

    @Test("elements are found by their place", arguments: [false, true])
    func reading(_ isManaged: Bool) throws {
        let shelter = try ShelterRealm(isManaged: isManaged)
        try shelter.change { $0.tags.append(objectsIn: ["a", "b", "c", "d"]) }

        let tags = shelter.shelter.tags
        #expect(tags.objects(at: [0, 2]) == ["a", "c"])
        #expect(Array(tags[1..<3]) == ["b", "c"])
        #expect(Array(tags[2...]) == ["c", "d"])
        #expect(tags.firstIndex(of: "c") == 2)
        #expect(tags.first == "a" && tags.last == "d")
        #expect(Array(tags.reversed()) == ["d", "c", "b", "a"])
        #expect(tags.description == "List<String> [\"a\", \"b\", \"c\", \"d\"]")
        #expect((tags.realm != nil) == isManaged)
        #expect(!tags.isInvalidated)
    }

    @Test(
        "L2: assigning replaces the contents of the same instance, and itself changes nothing",
        arguments: [false, true]
    )
    func assignment(_ isManaged: Bool) throws {
        let shelter = try ShelterRealm(isManaged: isManaged)
        let tags = shelter.shelter.tags
        let given = List<String>(arrayLiteral: "x", "y")
        try shelter.change { shelter in
            shelter.tags.append("old")
            shelter.tags = given
            #expect(shelter.tags === tags)
            #expect(Array(tags) == ["x", "y"])
            shelter.tags = shelter.tags
            #expect(Array(tags) == ["x", "y"])
            given.append("z")
        }
        #expect(Array(tags) == ["x", "y"])
        #expect(given.realm == nil)
        if isManaged {
            try shelter.change { shelter in shelter.tags = try #require(shelter.realm?.objects(Shelter.self).first).tags
            }
            #expect(Array(tags) == ["x", "y"])
        }
    }

    @Test("L3: iterating goes over the elements as they were", arguments: [false, true])
    func iterating(_ isManaged: Bool) throws {
        let shelter = try ShelterRealm(isManaged: isManaged)
        try shelter.change { shelter in
            shelter.tags.append(objectsIn: ["a", "b", "c"])
            var seen: [String] = []
            for tag in shelter.tags {
                seen.append(tag)
                shelter.tags.removeFirst()
            }
            #expect(seen == ["a", "b", "c"])
            #expect(shelter.tags.isEmpty)
        }
    }

    @Test("an element that comes twice is changed twice while iterating")
    func repeatedElement() throws {
        let shelter = try ShelterRealm()
        try shelter.change { shelter in
            let dog = Dog(value: ["name": "Rex", "age": 1])
            shelter.dogs.append(objectsIn: [dog, dog])
            for dog in shelter.dogs { dog.age += 1 }
        }
        #expect(shelter.shelter.dogs.map(\.age) == [3, 3])
    }
}
