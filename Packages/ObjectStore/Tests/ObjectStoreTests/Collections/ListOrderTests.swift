import EventModelTesting
import Foundation
import ObjectStoreTesting
import Testing

@testable import ObjectStore

@Suite("The order of a list, in memory and in the file")
struct ListOrderTests {
    /// How the rows of the list were written.
    enum Origin: CaseIterable, CustomTestStringConvertible {
        case thisVersion, withoutGaps

        var testDescription: String { self == .thisVersion ? "by this version" : "without gaps, as older versions did" }
    }

    private func filled(_ count: Int, _ origin: Origin) throws -> TemporaryRealm {
        let file = try TemporaryRealm([Box<Int>.self])
        try autoreleasepool {
            let realm = try file.open()
            try realm.write { realm in realm.create(Box<Int>.self, value: ["id": 1, "list": Array(0..<count)]) }
        }
        if origin == .withoutGaps {
            let url = try #require(file.configuration.fileURL)
            let connection = try Connection(fileURL: url, isReadOnly: false, isDurable: true)
            let table = "\"\(Box<Int>.className()).list\""
            try connection.execute("UPDATE \(table) SET \"$position\" = \"$position\" / 256")
        }
        return file
    }

    @Test("a list stays as it was read while the next objects of its class are made, changed and deleted")
    func neighbours() throws {
        let file = try TemporaryRealm([Box<Int>.self])
        let realm = try file.open()
        let box = try realm.write { realm.create(Box<Int>.self, value: ["id": 1, "list": [1, 2, 3]]) }
        #expect(box.list.last == 3)
        let managed = try #require(box.list.managed)

        let next = try realm.write { realm.create(Box<Int>.self, value: ["id": 2, "list": [4]]) }
        #expect(managed.isCurrent)
        try realm.write { next.list.append(5) }
        #expect(managed.isCurrent)
        try realm.write { realm.delete(next) }
        #expect(managed.isCurrent)
        try realm.write { box.list.append(4) }

        #expect(Array(box.list) == [1, 2, 3, 4])
    }

    @Test(
        "random changes, many of them at one place, leave what an array has",
        arguments: Origin.allCases,
        0..<12
    )
    func random(origin: Origin, seed: Int) throws {
        var random = SeededGenerator(seed: UInt64(seed))
        let count = Int.random(in: 0...60, using: &random)
        let file = try filled(count, origin)
        var expected = Array(0..<count)
        var next = count
        for _ in 0..<6 {
            let realm = try file.open()
            let list = try #require(realm.object(ofType: Box<Int>.self, forPrimaryKey: 1)).list
            if Bool.random(using: &random) { #expect(Array(list) == expected) }
            try realm.write {
                let place = Int.random(in: 0...expected.count, using: &random)
                for _ in 0..<Int.random(in: 1...40, using: &random) {
                    change(list, &expected, &next, min(place, expected.count), &random)
                }
                #expect(Array(list) == expected)
            }
            let other = try #require(realm.freeze().object(ofType: Box<Int>.self, forPrimaryKey: 1)).list
            #expect(Array(other) == expected)
        }
        #expect(Array(try #require(try file.open().object(ofType: Box<Int>.self, forPrimaryKey: 1)).list) == expected)
    }

    private func change(
        _ list: List<Int>,
        _ expected: inout [Int],
        _ next: inout Int,
        _ place: Int,
        _ random: inout SeededGenerator
    ) {
        next += 1
        switch Int.random(in: 0..<12, using: &random) {
        case 0:
            list.append(next)
            expected.append(next)
        case 1 where place < expected.count:
            list.remove(at: place)
            expected.remove(at: place)
        case 2 where expected.count > 1:
            let (from, to) = (
                Int.random(in: 0..<expected.count, using: &random), Int.random(in: 0..<expected.count, using: &random)
            )
            list.move(from: from, to: to)
            expected.insert(expected.remove(at: from), at: to)
        case 3:
            let end = min(expected.count, place + Int.random(in: 0...3, using: &random))
            let added = (0..<Int.random(in: 0...6, using: &random)).map { next + $0 }
            next += added.count
            list.replaceSubrange(place..<end, with: added)
            expected.replaceSubrange(place..<end, with: added)
        case 4 where expected.count > 1:
            let (first, second) = (place % expected.count, Int.random(in: 0..<expected.count, using: &random))
            list.swapAt(first, second)
            expected.swapAt(first, second)
        default:
            list.insert(next, at: place)
            expected.insert(next, at: place)
        }
    }

    @Test("a list stays as it was read while another object changes, and is read anew when it changes elsewhere")
    func others() throws {
        let file = try filled(3, .thisVersion)
        let realm = try file.open()
        let list = try #require(realm.object(ofType: Box<Int>.self, forPrimaryKey: 1)).list
        #expect(Array(list) == [0, 1, 2])

        try realm.write { realm in
            let other = realm.create(Box<Int>.self, value: ["id": 2, "list": [7]])
            other.list.append(8)
            #expect(Array(list) == [0, 1, 2])
        }
        try writeElsewhere(file) { $0.object(ofType: Box<Int>.self, forPrimaryKey: 1)?.list.insert(9, at: 1) }
        realm.refresh()

        #expect(Array(list) == [0, 9, 1, 2])
    }
}
