import EventModelTesting
import Foundation
import ObjectStore
import ObjectStoreTesting
import Testing

private class IndexShelf: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted var numbers: List<Int>
    @Persisted var books: List<IndexBook>
    @Persisted var boxes: List<IndexBox>
    @Persisted var values: List<AnyRealmValue>
    @Persisted var payload: AnyRealmValue
    @Persisted var next: IndexShelf?
}

private class IndexBook: Object {
    @Persisted(primaryKey: true) var number: Int
}

private class IndexBox: EmbeddedObject {
    @Persisted var number: Int
}

@Suite("Queries by the index of a list")
struct ListIndexQueryTests {
    private let file: TemporaryRealm
    private let realm: Realm

    init() throws {
        file = try TemporaryRealm([IndexShelf.self, IndexBook.self, IndexBox.self])
        realm = try file.open()
    }

    @Test("an index counts the elements that are there, also after elements before it were removed")
    func removal() throws {
        let shelf = try realm.write { realm in
            realm.create(IndexShelf.self, value: ["numbers": [1, 2, 3], "payload": ["a", "b"]])
        }
        try realm.write {
            shelf.numbers.remove(at: 0)
            shelf.payload.listValue?.remove(at: 0)
        }

        let all = realm.objects(IndexShelf.self)
        #expect(all.filter("numbers[0] == 2").count == 1)
        #expect(all.filter("numbers[1] == 3").count == 1)
        #expect(all.filter("numbers[2] == 3").isEmpty)
        #expect(all.filter("payload[0] == 'b'").count == 1)
    }

    @Test("an index behind links, of another object's list, and of what is inserted before all others")
    func links() throws {
        let shelf = try realm.write { realm in
            let other = realm.create(IndexShelf.self, value: ["id": 2, "books": [["number": 1], ["number": 2]]])
            return realm.create(IndexShelf.self, value: ["id": 1, "next": other])
        }
        try realm.write { realm in shelf.next?.books.insert(realm.create(IndexBook.self, value: ["number": 7]), at: 0) }

        let all = realm.objects(IndexShelf.self)
        #expect(all.filter("next.books[0].number == 7").map(\.id) == [1])
        #expect(all.filter("next.books[2].number == 2").map(\.id) == [1])
        #expect(all.filter("books[1].number == 1").map(\.id) == [2])
        #expect(all.filter("SUBQUERY(books, $book, $book.number == 7).@count == 1 AND books[0] != nil").count == 1)
    }

    @Test(
        "after random edits every index finds what a plain array has there, in every kind of list",
        arguments: 1...3 as ClosedRange<UInt64>
    )
    func random(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        var model: [Int] = []
        let shelf = try realm.write { realm in
            for number in 0..<10 { realm.create(IndexBook.self, value: ["number": number]) }
            return realm.create(IndexShelf.self, value: ["payload": ["list": [Int]()], "values": [[Int]()]])
        }
        for round in 0..<60 {
            try realm.write { for _ in 0...generator.below(3) { edit(shelf, &model, &generator) } }

            let paths = ["numbers[%d]", "books[%d].number", "boxes[%d].number", "payload['list'][%d]", "values[0][%d]"]
            for path in paths {
                for index in 0..<(model.count + 2) {
                    let found = (0..<10)
                        .filter { number in
                            let format = path.replacingOccurrences(of: "%d", with: "\(index)")
                            return !realm.objects(IndexShelf.self).filter("\(format) == \(number)").isEmpty
                        }
                    let expected = index < model.count ? [model[index]] : []
                    try #require(found == expected, "seed \(seed), round \(round), \(path) at \(index) of \(model)")
                }
            }
        }
    }

    /// Makes the same change in every list and in the model.
    private func edit(_ shelf: IndexShelf, _ model: inout [Int], _ generator: inout SeededGenerator) {
        let new = (0..<(1 + generator.below(3))).map { _ in generator.below(10) }
        let (first, second) = (generator.below(model.count), generator.below(model.count))
        switch generator.below(model.isEmpty ? 2 : 8) {
        case 0:
            model += new
            replace(model.count - new.count..<model.count - new.count, in: shelf, with: new)
        case 1:
            let place = generator.below(model.count + 1)
            model.insert(contentsOf: new, at: place)
            replace(place..<place, in: shelf, with: new)
        case 2, 3:
            model.remove(at: first)
            replace(first..<first + 1, in: shelf, with: [])
        case 4:
            let range = min(first, second)..<max(first, second)
            model.replaceSubrange(range, with: new)
            replace(range, in: shelf, with: new)
        case 5:
            model.insert(model.remove(at: first), at: second)
            shelf.numbers.move(from: first, to: second)
            shelf.books.move(from: first, to: second)
            shelf.boxes.move(from: first, to: second)
            for list in nested(shelf) { list.move(from: first, to: second) }
        case 6:
            model.swapAt(first, second)
            shelf.numbers.swapAt(first, second)
            shelf.books.swapAt(first, second)
            shelf.boxes.swapAt(first, second)
            for list in nested(shelf) { list.swapAt(first, second) }
        default:
            model[first] = new[0]
            replace(first..<first + 1, in: shelf, with: [new[0]])
        }
    }

    private func replace(_ range: Range<Int>, in shelf: IndexShelf, with new: [Int]) {
        shelf.numbers.replaceSubrange(range, with: new)
        shelf.books.replaceSubrange(
            range,
            with: new.compactMap { realm.object(ofType: IndexBook.self, forPrimaryKey: $0) }
        )
        shelf.boxes.replaceSubrange(range, with: new.map { IndexBox(value: ["number": $0]) })
        for list in nested(shelf) { list.replaceSubrange(range, with: new.map { .int($0) }) }
    }

    private func nested(_ shelf: IndexShelf) -> [List<AnyRealmValue>] {
        [shelf.payload.dictionaryValue?["list"]?.listValue, shelf.values[0].listValue].compactMap(\.self)
    }
}
