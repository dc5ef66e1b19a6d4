import Dispatch
import EventModel
import Foundation
import ObjectStoreTesting
import Testing

@testable import ObjectStore

private class NestedFile: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted var payload: AnyRealmValue
    @Persisted var values: List<AnyRealmValue>
    @Persisted var byName: Map<String, AnyRealmValue>
    @Persisted var next: NestedFile?
}

private class NestedWriter: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted var name: String
    @Persisted var friend: NestedWriter?
}

extension NestedFile {
    fileprivate var list: List<AnyRealmValue>? { payload.dictionaryValue?["list"]?.listValue }
    fileprivate var map: Map<String, AnyRealmValue>? { payload.dictionaryValue?["map"]?.dictionaryValue }
}

/// A change of a map in a form that can be compared.
private struct ToldMap: Equatable {
    var deletions: [String] = []
    var insertions: [String] = []
    var modifications: [String] = []
    var isInitial = false

    init(deletions: [String] = [], insertions: [String] = [], modifications: [String] = [], isInitial: Bool = false) {
        (self.deletions, self.insertions, self.modifications) = (deletions, insertions, modifications)
        self.isInitial = isInitial
    }

    init<M>(_ change: RealmMapChange<M>) where M.Key == String {
        switch change {
        case .initial: isInitial = true
        case .update(_, let deletions, let insertions, let modifications):
            (self.deletions, self.insertions, self.modifications) = (deletions, insertions, modifications)
        case .error: break
        }
    }
}

@Suite("Lists and dictionaries inside values of any type, used as collections")
struct NestedCollectionTests {
    private let place: QueueRealm

    init() throws {
        place = try QueueRealm(TemporaryRealm([NestedFile.self, NestedWriter.self]))
        try place.write { realm in
            realm.create(
                NestedFile.self,
                value: ["id": 1, "payload": ["list": [3, "b", 1, 3], "map": ["x": 1, "y": "b", "z": [1]]]]
            )
        }
    }

    private func file(_ realm: Realm) throws -> NestedFile { try #require(realm.objects(NestedFile.self).first) }

    // MARK: Observing

    /// A change in a form that can be compared, also of a collection that is no longer there.
    private static func told<C: RealmCollection>(_ change: RealmCollectionChange<C>) -> Told {
        guard case .update(let collection, let deletions, _, _) = change, collection.isInvalidated else {
            return Told(change)
        }
        return .update(0, deletions: deletions)
    }

    @Test("a nested list is observed by places, here and on another queue, until it is no longer there")
    func list() throws {
        let told = Log<Told>()
        let elsewhere = Log<Told>()
        let other = DispatchQueue(label: "other")
        let tokens = try place.run { realm in
            let list = try #require(file(realm).list)
            return [
                list.observe { told.add(Self.told($0)) }, AnyRealmCollection(list).observe { told.add(Self.told($0)) },
                list.observe(on: other) { elsewhere.add(Self.told($0)) },
            ]
        }
        for _ in 0..<3 { other.sync {} }
        #expect(told.take() == [.initial(4), .initial(4)])
        #expect(elsewhere.take() == [.initial(4)])

        try place.write { realm in
            try file(realm).list?.remove(at: 0)
            try file(realm).list?.append(.bool(true))
        }
        for _ in 0..<3 { other.sync {} }
        let update = Told.update(4, deletions: [0], insertions: [3])
        #expect(told.take() == [update, update])
        #expect(elsewhere.take() == [update])
        try place.write { realm in try file(realm).list?[0] = .string("c") }
        for _ in 0..<3 { other.sync {} }
        let replacement = Told.update(4, modifications: [0])
        #expect(told.take() == [replacement, replacement])
        #expect(elsewhere.take() == [replacement])

        // What happens to other parts of the same property is not its concern.
        try place.write { realm in try file(realm).map?["n"] = .int(1) }
        #expect(told.take().isEmpty)
        try place.write { realm in try file(realm).payload = .none }
        let end = Told.update(0, deletions: [0, 1, 2, 3])
        #expect(told.take() == [end, end])
        try place.write { realm in try file(realm).payload = .fromArray([.int(1)]) }
        #expect(told.take().isEmpty)
        for token in tokens { token.invalidate() }
    }

    @Test("a nested dictionary is observed by keys, also when only what lies inside a value changed")
    func map() throws {
        let told = Log<ToldMap>()
        let token = try place.run { realm in
            try #require(file(realm).map).observe { told.add(ToldMap($0)) }
        }
        #expect(told.take() == [ToldMap(isInitial: true)])

        try place.write { realm in
            let map = try #require(file(realm).map)
            map["x"] = nil
            map["y"] = .string("c")
            map["w"] = .int(0)
        }
        #expect(told.take() == [ToldMap(deletions: ["x"], insertions: ["w"], modifications: ["y"])])

        try place.write { realm in try file(realm).map?["z"]?.listValue?.append(.int(2)) }
        #expect(told.take() == [ToldMap(modifications: ["z"])])
        place.run { _ in token.invalidate() }
    }

    // MARK: Querying

    @Test("a nested list is filtered, made distinct, counted and added up like any other")
    func queries() throws {
        try place.run { realm in
            let list = try #require(file(realm).list)
            #expect(Array(list.filter("self == 3")) == [.int(3), .int(3)])
            #expect(Array(list.where { $0 == .string("b") }) == [.string("b")])
            #expect(Array(list.distinct()) == [.int(3), .string("b"), .int(1)])
            #expect(list.index(of: .int(1)) == 2)
            #expect(list.index(matching: "self == 'b'") == 1)
            #expect(list.sum(ofProperty: "self") as Int == 7)
            #expect(list.max(ofProperty: "self") as Int? == 3)
            let map = try #require(file(realm).map)
            #expect(Array(map.filter("self == 'b'")) == [.string("b")])
            #expect(map.filter("self == 7").isEmpty)
        }
    }

    @Test("a result of a nested list is live, is observed with the types of its values, is frozen and referred to")
    func results() throws {
        let told = Log<Told>()
        let (token, result) = try place.run { realm in
            let result = try #require(file(realm).list).filter("self == 1 OR self == true")
            return (result.observe { told.add(Told($0)) }, result)
        }
        #expect(told.take() == [.initial(1)])
        let frozen = place.run { _ in Frozen(result.freeze()) }
        let reference = place.run { _ in ThreadSafeReference(to: result) }

        // Number and truth value have the same bytes in the file.
        try place.write { realm in try file(realm).list?[2] = .bool(true) }

        #expect(told.take() == [.update(1, deletions: [0], insertions: [0])])
        place.run { _ in #expect(Array(result) == [.bool(true)]) }
        #expect(Array(frozen.value) == [.int(1)])
        let elsewhere = try place.file.open()
        #expect(elsewhere.resolve(reference).map { Array($0) } == [.bool(true)])
        place.run { _ in token.invalidate() }
    }

    @Test("frozen nested collections and references to them can be queried in any place")
    func frozen() throws {
        let (list, map) = try place.run { realm in
            (Frozen(try #require(file(realm).list).freeze()), Frozen(try #require(file(realm).map).freeze()))
        }
        let reference = try place.run { realm in ThreadSafeReference(to: try #require(file(realm).list)) }
        try place.write { realm in try file(realm).payload = .none }

        #expect(list.value.filter("self == 3").count == 2)
        #expect(map.value.filter("self == 'b'").count == 1)
        #expect(try place.file.open().resolve(reference) == nil)
    }

    // MARK: Links

    @Test("a collection of any values is told of elements whose contents or targets changed")
    func elements() throws {
        try place.write { realm in
            let friend = realm.create(NestedWriter.self, value: ["id": 2])
            let writer = realm.create(NestedWriter.self, value: ["id": 1, "friend": friend])
            let values: [AnyRealmValue] = [
                .int(0), .object(writer), .fromArray([.fromDictionary(["w": .object(writer)])]),
            ]
            let file = try file(realm)
            file.values.append(objectsIn: values)
            file.byName["a"] = .object(writer)
            file.byName["b"] = .fromArray([.int(1)])
            file.payload = .fromDictionary(["list": .fromArray(values)])
        }
        let (told, maps) = (Log<Told>(), Log<ToldMap>())
        let tokens = try place.run { realm in
            let file = try file(realm)
            return [
                file.values.observe { told.add(Told($0)) }, try #require(file.list).observe { told.add(Told($0)) },
                file.byName.observe { maps.add(ToldMap($0)) },
            ]
        }
        _ = (told.take(), maps.take())

        // The object itself, and what it links to.
        for id in [1, 2] {
            try place.write { realm in realm.object(ofType: NestedWriter.self, forPrimaryKey: id)?.name = "new" }
            #expect(told.take() == Array(repeating: .update(3, modifications: [1, 2]), count: 2))
            #expect(maps.take() == [ToldMap(modifications: ["a"])])
        }
        try place.write { realm in
            try file(realm).values[2].listValue?[0].dictionaryValue?["n"] = .int(1)
            try file(realm).byName["b"]?.listValue?[0] = .int(2)
        }
        #expect(told.take() == [.update(3, modifications: [2])])
        #expect(maps.take() == [ToldMap(modifications: ["b"])])
        for token in tokens { token.invalidate() }
    }

    @Test(
        "a result is told of objects whose values of any type link to what changed, few or many",
        arguments: [1, 400]
    )
    func linkedObjects(count: Int) throws {
        try place.write { realm in
            let writers = (0..<count).map { realm.create(NestedWriter.self, value: ["id": $0]) }
            realm.deleteFiles()
            for (id, payload) in [
                AnyRealmValue.object(writers[0]), .fromArray([.fromDictionary(["w": .object(writers[0])])]), .int(3),
            ]
            .enumerated() {
                realm.create(NestedFile.self, value: ["id": id, "payload": payload])
            }
            let next = realm.objects(NestedFile.self).sorted(byKeyPath: "id").last
            realm.create(
                NestedFile.self,
                value: ["id": 3, "values": [AnyRealmValue.object(writers[0])], "next": next as Any]
            )
            realm.create(
                NestedFile.self,
                value: ["id": 4, "next": realm.object(ofType: NestedFile.self, forPrimaryKey: 0) as Any]
            )
        }
        let told = Log<Told>()
        let token = place.run { realm in
            realm.objects(NestedFile.self).sorted(byKeyPath: "id").observe { told.add(Told($0)) }
        }
        #expect(told.take() == [.initial(5)])

        try place.write { realm in
            // Every other one, so that there are many ranges of keys.
            for writer in realm.objects(NestedWriter.self).filter("id == 0 OR id == 2 OR id == 4 OR id >= 6") {
                if writer.id.isMultiple(of: 2) { writer.name = "new" }
            }
        }

        #expect(told.take() == [.update(5, modifications: [0, 1, 3, 4])])
        place.run { _ in token.invalidate() }
    }
}

@Suite("A loop over the changes of a nested list")
struct NestedChangesTests {
    @Test("it is told of the list as it is, and then of each change", .timeLimit(.minutes(5)))
    @MainActor
    func changes() async throws {
        let file = try TemporaryRealm([NestedFile.self, NestedWriter.self])
        let realm = try file.open()
        let object = try realm.write { realm in realm.create(NestedFile.self, value: ["payload": [1, 2]]) }
        let changes = try #require(object.payload.listValue).changes().makeAsyncIterator()
        #expect(await changes.next().map { Told($0) } == .initial(2))

        try realm.write { object.payload.listValue?.append(.int(3)) }

        #expect(await changes.next().map { Told($0) } == .update(3, insertions: [2]))
    }
}

extension Realm {
    fileprivate func deleteFiles() { delete(objects(NestedFile.self)) }
}
