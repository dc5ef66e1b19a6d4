import Foundation
import ObjectStore
import ObjectStoreTesting
import Testing

/// What every collection of objects offers, asked of each kind through the protocol alone.
@Suite("Collections of objects")
struct CollectionTests {
    private let file: TemporaryRealm
    private let realm: Realm

    init() throws {
        file = try TemporaryRealm([Shelf.self, Book.self, Author.self])
        realm = try file.open()
        try realm.write { realm in
            let ada = Author(value: ["name": "Ada"])
            let bo = Author(value: ["name": "Bo"])
            let books = [
                Book(value: ["title": "b", "pages": 30, "price": 2.5, "rating": 4, "author": ada]),
                Book(value: ["title": "a", "pages": 10, "price": 1.0, "author": bo]),
                Book(value: ["title": "d", "pages": 20, "price": 4.0, "rating": 1, "author": ada]),
                Book(value: ["title": "C", "pages": 20, "price": 0.5, "rating": 5]),
            ]
            realm.add(Shelf(value: ["name": "first", "books": books]))
        }
    }

    private enum Kind: CaseIterable {
        case results, query, list, unmanaged, erased

        var isManaged: Bool { self != .unmanaged }
    }

    /// The same four books in the same order, as each kind of collection.
    private func collection(_ kind: Kind) throws -> any RealmCollection<Book> {
        let shelf = try #require(realm.objects(Shelf.self).first)
        return switch kind {
        case .results: realm.objects(Book.self)
        case .query: realm.objects(Shelf.self).where { $0.name == "first" }[0].books.where { $0.pages > 0 }
        case .list: shelf.books
        case .unmanaged: unmanaged()
        case .erased: AnyRealmCollection(shelf.books)
        }
    }

    private func unmanaged() -> List<Book> {
        let list = List<Book>()
        let copies = realm.objects(Author.self).map { Author(value: ["name": $0.name]) } as [Author]
        for book in realm.objects(Book.self) {
            let copy = Book(value: ["title": book.title, "pages": book.pages, "price": book.price])
            copy.rating = book.rating
            copy.author = copies.first { $0.name == book.author?.name }
            list.append(copy)
        }
        return list
    }

    @Test("count, isEmpty, first, last, subscripts and iteration agree", arguments: Kind.allCases)
    private func reading(_ kind: Kind) throws {
        func check(_ books: some RealmCollection<Book>) {
            #expect(books.count == 4)
            #expect(!books.isEmpty)
            #expect(books.first?.title == "b")
            #expect(books.last?.title == "C")
            #expect(books[1].title == "a")
            #expect((books.startIndex, books.endIndex) == (0, 4))
            var titles: [String] = []
            for book in books { titles.append(book.title) }
            #expect(titles == ["b", "a", "d", "C"])
            #expect(Array(books.map(\.title)) == titles)
            #expect(books.filter { $0.pages == 20 }.map(\.title) == ["d", "C"])
            #expect(books.reversed().first?.title == "C")
            #expect(books.objects(at: [0, 3]).map(\.title) == ["b", "C"])
            #expect((books.realm != nil) == kind.isManaged)
            #expect(!books.isInvalidated)
            #expect(!books.description.isEmpty)
            #expect(books == books)
        }
        check(try collection(kind))
    }

    @Test("L5: sorting by paths, key paths and descriptors", arguments: Kind.allCases)
    private func sorting(_ kind: Kind) throws {
        func check(_ books: some RealmCollection<Book>) {
            func titles(_ sorted: Results<Book>) -> String { sorted.map(\.title).joined() }
            #expect(titles(books.sorted(byKeyPath: "title")) == "Cabd")
            #expect(titles(books.sorted(byKeyPath: "title", ascending: false)) == "dbaC")
            #expect(titles(books.sorted(by: \.pages)) == "adCb")
            #expect(titles(books.sorted(by: \.rating)) == "adbC")
            #expect(titles(books.sorted(by: \.rating, ascending: false)) == "Cbda")
            #expect(titles(books.sorted(by: ["pages", "title"])) == "aCdb")
            #expect(titles(books.sorted(by: [SortDescriptor(keyPath: "pages", ascending: false)])) == "bdCa")
            #expect(titles(books.sorted(by: [SortDescriptor(keyPath: \Book.price).reversed()])) == "dbaC")
            #expect(titles(books.sorted(byKeyPath: "author.name")) == "Cbda")
            #expect(titles(books.sorted(by: \.author?.name)) == "Cbda")
            #expect(titles(books.sorted(by: \.title).sorted(by: \.pages)) == "aCdb")
            #expect(books.sorted(by: \.title).last?.title == "d")
            #expect(books.sorted { $0.title < $1.title }.map(\.title).joined() == "Cabd")
        }
        check(try collection(kind))
    }

    @Test("L6: distinct keeps the first of each group in the present order", arguments: Kind.allCases)
    private func distinct(_ kind: Kind) throws {
        func check(_ books: some RealmCollection<Book>) {
            func titles(_ distinct: Results<Book>) -> String { distinct.map(\.title).joined() }
            #expect(titles(books.distinct(by: ["pages"])) == "bad")
            #expect(titles(books.distinct(by: [\.pages])) == "bad")
            #expect(titles(books.sorted(by: \.title).distinct(by: ["pages"])) == "Cab")
            #expect(titles(books.distinct(by: ["pages"]).sorted(by: \.title)) == "abd")
            #expect(titles(books.distinct(by: ["author.name"])) == "ba")
            #expect(titles(books.distinct(by: ["pages", "author.name"])) == "bad")
            #expect(titles(books.distinct()) == "badC")
            #expect(books.distinct(by: ["pages"]).distinct(by: ["author.name"]).count == 2)
        }
        check(try collection(kind))
    }

    @Test("L7: aggregates of properties leave nil out", arguments: Kind.allCases)
    private func aggregates(_ kind: Kind) throws {
        func check(_ books: some RealmCollection<Book>) {
            #expect(books.min(ofProperty: "pages") == 10)
            #expect(books.max(of: \.pages) == 30)
            #expect(books.sum(ofProperty: "pages") == 80)
            #expect(books.average(ofProperty: "pages") == 20.0)
            #expect(books.sum(of: \.price) == 8.0)
            #expect(books.average(of: \.price) == 2.0)
            #expect(books.min(of: \.rating) == 1)
            #expect(books.max(ofProperty: "rating") == 5)
            #expect(books.sum(of: \.rating) == 10)
            #expect(books.average(of: \.rating) == 10.0 / 3)
            // As they are written where no type is said: in that of the property.
            let (pages, rating, price) = (
                books.average(of: \.pages), books.average(of: \.rating), books.average(of: \.price)
            )
            #expect(pages == Int(20) && rating == Int(3) && price == Double(2))
            #expect(books.min(ofProperty: "printed") == Date(timeIntervalSinceReferenceDate: 0))
        }
        check(try collection(kind))
    }

    @Test("index(of:) finds objects by their row", arguments: Kind.allCases)
    private func places(_ kind: Kind) throws {
        func check(_ books: some RealmCollection<Book>) {
            #expect(books.index(of: books[2]) == 2)
            #expect(books.sorted(by: \.title).index(of: books[2]) == 3)
            #expect(books.index(of: Book()) == nil)
        }
        check(try collection(kind))
    }

    @Test("conditions filter and find places", arguments: Kind.allCases.filter(\.isManaged))
    private func conditions(_ kind: Kind) throws {
        func check(_ books: some RealmCollection<Book>) throws {
            #expect(books.filter("pages == %@", 20).map(\.title) == ["d", "C"])
            #expect(books.where { $0.pages == 20 && $0.price > 1 }.map(\.title) == ["d"])
            #expect(books.filter("author.name == 'Ada'").where { $0.pages > 20 }.map(\.title) == ["b"])
            #expect(books.index(matching: "pages == %@", 20) == 2)
            #expect(books.index(matching: { $0.title == "C" }) == 3)
            #expect(books.index(matching: "pages == 99") == nil)
            #expect(books.sorted(by: \.price).index(matching: { $0.pages == 20 }) == 0)
            #expect(books.sorted(by: \.price).distinct(by: ["pages"]).index(matching: { $0.title == "d" }) == nil)
        }
        try check(try collection(kind))
    }

    @Test("key-value coding reads all elements and computes", arguments: Kind.allCases)
    private func keyValueCoding(_ kind: Kind) throws {
        func check(_ books: some RealmCollection<Book>) {
            #expect(books.value(forKey: "title") as? [String] == ["b", "a", "d", "C"])
            #expect(books.value(forKey: "rating") as? [Int?] == [4, nil, 1, 5])
            #expect(books.value(forKeyPath: "author.name") as? [String?] == ["Ada", "Bo", "Ada", nil])
            #expect((books.value(forKey: "self") as? [Book])?.count == 4)
            #expect(books.value(forKeyPath: "@count") as? Int == 4)
            #expect(books.value(forKeyPath: "@sum.pages") as? Int == 80)
            #expect(books.value(forKeyPath: "@avg.pages") as? Double == 20)
            #expect(books.value(forKeyPath: "@min.price") as? Double == 0.5)
            #expect(books.value(forKeyPath: "@max.price") as? Double == 4)
            #expect(books.value(forKeyPath: "@distinctUnionOfObjects.pages") as? [Int] == [30, 10, 20])
        }
        check(try collection(kind))
    }

    @Test("L14: setValue writes every element", arguments: Kind.allCases)
    private func settingValues(_ kind: Kind) throws {
        func check(_ books: some RealmCollection<Book>) throws {
            try realm.write {
                books.setValue(7, forKey: "pages")
                books.setValue(nil, forKey: "rating")
            }
            #expect(books.map(\.pages) == [7, 7, 7, 7])
            #expect(books.allSatisfy { $0.rating == nil })
        }
        try check(try collection(kind))
    }

    @Test("a result of which every element is changed out of it is still visited whole")
    func changingWhatIsFiltered() throws {
        let short = realm.objects(Book.self).where { $0.pages < 25 }
        try realm.write {
            short.setValue(100, forKey: "pages")
        }
        #expect(short.isEmpty)
        #expect(realm.objects(Book.self).filter("pages == 100").count == 3)
    }

    @Test("L7: aggregates of nothing are nil, their sum is 0", arguments: Kind.allCases)
    private func aggregatesOfNothing(_ kind: Kind) throws {
        func check(_ books: some RealmCollection<Book>) throws {
            let none: Results<Book>
            if kind == .unmanaged {
                none = List<Book>().sorted(by: \.title)
            } else {
                none = books.where { $0.pages > 1000 }
            }
            #expect(none.min(of: \.pages) == nil)
            #expect(none.max(of: \.rating) == nil)
            #expect(none.sum(of: \.pages) == 0)
            #expect(none.average(ofProperty: "pages") as Double? == nil)
            #expect(none.first == nil && none.last == nil)
        }
        try check(try collection(kind))
    }
}

private class Shelf: Object {
    @Persisted var name: String
    @Persisted var books: List<Book>
}

private class Book: Object {
    @Persisted var title: String
    @Persisted var pages: Int
    @Persisted var price: Double
    @Persisted var rating: Int?
    @Persisted var printed = Date(timeIntervalSinceReferenceDate: 0)
    @Persisted var author: Author?
}

private class Author: Object {
    @Persisted var name: String
}
