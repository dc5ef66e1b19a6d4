import EventModelTesting
import Foundation
import ObjectStore
import ObjectStoreTesting
import Testing

private final class QueryAuthor: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted var name: String
    @Persisted var age: Int?
    @Persisted var mentor: QueryAuthor?
    @Persisted var books: List<QueryBook>
}

private final class QueryBook: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted(indexed: true) var pages: Int
    @Persisted var price: Decimal128
    @Persisted var rating: Double?
    @Persisted var author: QueryAuthor?
}

/// Order, groups and numbers of what links and lists lead to, against plain Swift, with links and values that are missing.
@Suite("Queries along paths")
struct QueryPathTests {
    private struct Writer {
        var name: String
        var age: Int?
        var mentor: Int?
        var books: [Int] = []
    }

    private struct Volume {
        var pages: Int
        var price: Int
        var rating: Double?
        var author: Int?
    }

    private let file: TemporaryRealm
    private let realm: Realm
    private let writers: [Writer]
    private let volumes: [Volume]
    private var authors: Results<QueryAuthor> { realm.objects(QueryAuthor.self) }
    private var books: Results<QueryBook> { realm.objects(QueryBook.self) }

    init() throws {
        var random = SeededGenerator(seed: 30)
        var writers = (0..<8)
            .map { index in
                Writer(
                    name: ["Ada", "Bo", "Çelik", "Dee"][index % 4],
                    age: index == 3 ? nil : 20 + random.below(4),
                    mentor: index.isMultiple(of: 3) ? nil : random.below(8)
                )
            }
        let volumes = (0..<40)
            .map { index in
                Volume(
                    pages: random.below(9),
                    price: random.below(50) - 10,
                    rating: index.isMultiple(of: 5) ? nil : Double(random.below(10)) / 2,
                    author: index.isMultiple(of: 7) ? nil : random.below(8)
                )
            }
        for index in writers.indices.dropFirst(2) {
            writers[index].books = (0..<index).map { _ in random.below(40) }
        }
        self.writers = writers
        self.volumes = volumes
        file = try TemporaryRealm()
        realm = try file.open { $0.objectTypes = [QueryAuthor.self, QueryBook.self] }
        try realm.write { realm in
            for (id, writer) in writers.enumerated() {
                realm.create(QueryAuthor.self, value: ["id": id, "name": writer.name])
            }
            for (id, volume) in volumes.enumerated() {
                let book = realm.create(QueryBook.self, value: ["id": id, "pages": volume.pages])
                book.price = Decimal128(volume.price)
                book.rating = volume.rating
                book.author = volume.author.flatMap { realm.object(ofType: QueryAuthor.self, forPrimaryKey: $0) }
            }
            for (id, writer) in writers.enumerated() {
                let author = realm.object(ofType: QueryAuthor.self, forPrimaryKey: id)
                author?.age = writer.age
                author?.mentor = writer.mentor.flatMap { realm.object(ofType: QueryAuthor.self, forPrimaryKey: $0) }
                for book in writer.books {
                    realm.object(ofType: QueryBook.self, forPrimaryKey: book).map { author?.books.append($0) }
                }
            }
        }
    }

    // MARK: Plain Swift

    private func writer(_ volume: Volume) -> Writer? { volume.author.map { writers[$0] } }
    private func mentor(_ volume: Volume) -> Writer? { writer(volume)?.mentor.map { writers[$0] } }

    private func ids(where isIncluded: (Volume) -> Bool) -> [Int] {
        volumes.indices.filter { isIncluded(volumes[$0]) }
    }

    private func writerIDs(where isIncluded: ([Volume]) -> Bool) -> [Int] {
        writers.indices.filter { isIncluded(writers[$0].books.map { volumes[$0] }) }
    }

    /// The places in the order of a value: missing ones first, equal ones as they were.
    private func order<V: Comparable>(_ places: [Int], ascending: Bool = true, by value: (Volume) -> V?) -> [Int] {
        func isLess(_ left: V?, _ right: V?) -> Bool {
            guard let right else { return false }
            return left.map { $0 < right } ?? true
        }
        return places.enumerated()
            .sorted { left, right in
                let (first, second) = (value(volumes[left.element]), value(volumes[right.element]))
                if isLess(first, second) { return ascending }
                if isLess(second, first) { return !ascending }
                return left.offset < right.offset
            }
            .map(\.element)
    }

    private func firsts<Key: Hashable>(_ places: [Int], of key: (Volume) -> Key) -> [Int] {
        var seen: Set<Key> = []
        return places.filter { seen.insert(key(volumes[$0])).inserted }
    }

    // MARK: Tests

    @Test("a property behind links orders, with objects that lack it first", arguments: [true, false])
    func sorting(ascending: Bool) {
        let all = Array(volumes.indices)

        #expect(
            books.sorted(byKeyPath: "author.age", ascending: ascending).map(\.id)
                == order(all, ascending: ascending) { writer($0)?.age }
        )
        #expect(
            books.sorted(byKeyPath: "author.mentor.name", ascending: ascending).map(\.id)
                == order(all, ascending: ascending) { mentor($0)?.name }
        )
        #expect(
            books.sorted(by: [SortDescriptor(keyPath: "author.age", ascending: ascending), "pages"]).map(\.id)
                == order(order(all) { $0.pages }, ascending: ascending) { writer($0)?.age }
        )
        #expect(
            books.filter("author.mentor.age >= 21").sorted(byKeyPath: "price", ascending: ascending).map(\.id)
                == order(ids { (mentor($0)?.age ?? 0) >= 21 }, ascending: ascending) { $0.price }
        )
    }

    @Test(
        "the first of each group that links lead to is kept in the order that was asked for, what has no such link is not"
    )
    func distinct() {
        let written = ids { writer($0) != nil }
        let mentored = ids { mentor($0) != nil }

        #expect(books.distinct(by: ["author.name"]).map(\.id) == firsts(written) { writer($0)?.name })
        #expect(
            books.sorted(byKeyPath: "pages").distinct(by: ["author.mentor.age"]).map(\.id)
                == firsts(order(mentored) { $0.pages }) { mentor($0)?.age }
        )
        #expect(
            books.filter("pages > 3").distinct(by: ["author.name", "pages"]).sorted(byKeyPath: "price").map(\.id)
                == order(firsts(ids { $0.pages > 3 && writer($0) != nil }) { "\(writer($0)?.name ?? "")/\($0.pages)" })
            { $0.price }
        )
        #expect(books.distinct(by: ["author.age"]).count == Set(written.map { writer(volumes[$0])?.age }).count)
    }

    @Test("numbers behind links are added, compared and averaged, without those that are missing")
    func aggregates() {
        let ages = volumes.compactMap { writer($0)?.age }
        let ratings = ids { $0.pages > 4 }.compactMap { volumes[$0].rating }
        let long = books.filter("pages > 4")

        #expect(books.min(ofProperty: "author.age") as Int? == ages.min())
        #expect(books.max(ofProperty: "author.age") as Int? == ages.max())
        #expect(books.sum(ofProperty: "author.age") as Int == ages.reduce(0, +))
        #expect(books.average(ofProperty: "author.age") as Double? == Double(ages.reduce(0, +)) / Double(ages.count))
        #expect(long.sum(ofProperty: "rating") as Double == ratings.reduce(0, +))
        #expect(long.max(of: \.rating) == ratings.max())
        #expect(books.sum(of: \.price) == Decimal128(volumes.map(\.price).reduce(0, +)))
        #expect(books.filter("pages > 100").min(ofProperty: "author.age") as Int? == nil)
        #expect(books.filter("pages > 100").sum(ofProperty: "author.age") as Int == 0)
    }

    @Test("ANY, NONE and the absence of exceptions speak of the elements of a list")
    func quantifiers() throws {
        func find(_ format: String) throws -> [Int] { try authors.filter(parsing: format).map(\.id) }

        #expect(try find("ANY books.pages > 6") == writerIDs { $0.contains { $0.pages > 6 } })
        #expect(authors.where { $0.books.pages > 6 }.map(\.id) == writerIDs { $0.contains { $0.pages > 6 } })
        #expect(try find("NONE books.pages == 3") == writerIDs { !$0.contains { $0.pages == 3 } })
        #expect(try find("ANY books.pages IN {1, 3}") == writerIDs { $0.contains { [1, 3].contains($0.pages) } })
        #expect(try find("ANY books.rating == nil") == writerIDs { $0.contains { $0.rating == nil } })
        #expect(
            try find("ANY books.author.mentor.name == 'Bo'") == writerIDs { $0.contains { mentor($0)?.name == "Bo" } }
        )
        #expect(
            try find("SUBQUERY(books, $b, NOT $b.pages > 2).@count == 0")
                == writerIDs { $0.allSatisfy { $0.pages > 2 } }
        )
        #expect(
            try find("SUBQUERY(books, $b, $b.pages > 2 AND $b.author.age > 21).@count >= 2")
                == writerIDs { $0.count { $0.pages > 2 && (writer($0)?.age ?? 0) > 21 } >= 2 }
        )
        #expect(throws: Realm.Error.self) { try find("ALL books.pages > 2") }
    }

    @Test("numbers of the elements of a list are compared in conditions")
    func numbersOfElements() throws {
        func find(_ format: String) throws -> [Int] { try authors.filter(parsing: format).map(\.id) }

        #expect(try find("books.@count > 3") == writerIDs { $0.count > 3 })
        #expect(try find("books.@sum.pages > 12") == writerIDs { $0.map(\.pages).reduce(0, +) > 12 })
        #expect(try find("books.@min.price < 0") == writerIDs { ($0.map(\.price).min() ?? 0) < 0 })
        #expect(try find("books.@max.rating == nil") == writerIDs { $0.compactMap(\.rating).isEmpty })
        #expect(try find("books.@sum.price >= 20") == writerIDs { $0.map(\.price).reduce(0, +) >= 20 })
        #expect(
            try find("books.@avg.pages > 4")
                == writerIDs { !$0.isEmpty && Double($0.map(\.pages).reduce(0, +)) / Double($0.count) > 4 }
        )
        #expect(
            try find("books.@max.author.age > 22") == writerIDs { ($0.compactMap { writer($0)?.age }.max() ?? 0) > 22 }
        )
        #expect(authors.where { $0.books.pages.sum > 12 }.map(\.id) == (try find("books.@sum.pages > 12")))
    }

    @Test("a sum of integers is exact as long as it is one, and never fails")
    func sums() throws {
        try realm.write { realm in
            let giant = realm.create(QueryAuthor.self, value: ["id": 100, "name": "Giant"])
            for (id, pages) in [Int.max - 1, 1, -4].enumerated() {
                giant.books.append(realm.create(QueryBook.self, value: ["id": 100 + id, "pages": pages]))
            }
            let over = realm.create(QueryAuthor.self, value: ["id": 101, "name": "Over"])
            over.books.append(objectsIn: [giant.books[0], giant.books[0]])
            let odd = realm.create(QueryAuthor.self, value: ["id": 102, "name": "Odd"])
            odd.books.append(realm.create(QueryBook.self, value: ["id": 103, "pages": 9_007_199_254_740_993]))
        }

        #expect(authors.filter("books.@sum.pages > 9000000000000000000").map(\.id) == [100, 101])
        #expect(authors.filter("books.@sum.pages == 9007199254740993").map(\.id) == [102])
        #expect(authors.filter("books.@sum.pages == 9007199254740992").isEmpty)
    }

    @Test("queries give the same when they are asked again, on two instances, after many others")
    func repeated() throws {
        let other = try file.open { $0.objectTypes = [QueryAuthor.self, QueryBook.self] }
        let expected = ids { $0.pages == 3 }
        for number in 0..<600 {
            #expect(books.filter("pages == %@ AND id < %@", 3, 1000 + number).map(\.id) == expected)
        }
        #expect(other.objects(QueryBook.self).where { $0.pages == 3 && $0.id < 1000 }.map(\.id) == expected)
        let many = Array(0..<5000)
        for _ in 0..<3 { #expect(books.filter("id IN %@", many).count == volumes.count) }
        for count in 1..<300 { #expect(books.filter("id IN %@", Array(0..<count)).count == min(count, volumes.count)) }
    }
}
