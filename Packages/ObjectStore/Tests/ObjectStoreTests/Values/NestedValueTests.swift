import EventModel
import EventModelTesting
import Foundation
import ObjectStoreTesting
import Testing

@testable import ObjectStore

private class Document: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted var value: AnyRealmValue
    @Persisted var list: List<AnyRealmValue>
    @Persisted var set: MutableSet<AnyRealmValue>
    @Persisted var map: Map<String, AnyRealmValue>
    @Persisted var part: DocumentPart?
}

private class DocumentPart: EmbeddedObject {
    @Persisted var value: AnyRealmValue
}

private class DocumentAuthor: Object {
    @Persisted(primaryKey: true) var name: String
}

/// A list with a dictionary with a list: `[1, {"a": [true, nil], "b": "x"}, []]`.
private func nested() -> AnyRealmValue {
    .fromArray([
        .int(1), .fromDictionary(["a": .fromArray([.bool(true), .none]), "b": .string("x")]), .fromArray([]),
    ])
}

/// A value as text, with all that is in it.
private func text(_ value: AnyRealmValue?) -> String {
    switch value {
    case nil: "missing"
    case .list(let list): "[\(list.map(text).joined(separator: ", "))]"
    case .dictionary(let map): "{\(map.map { "\($0.key): \(text($0.value))" }.sorted().joined(separator: ", "))}"
    case .object(let object): "object \(object["name"] ?? "")"
    case .int(let number): "\(number)"
    case .bool(let truth): "\(truth)"
    case .string(let text): "'\(text)'"
    case .none?: "none"
    default: "?"
    }
}

private let nestedText = "[1, {a: [true, none], b: 'x'}, []]"

@Suite("Lists and dictionaries inside values of any type")
struct NestedValueTests {
    private let spy: ObserverSpy
    private let file: TemporaryRealm
    private let realm: Realm

    init() throws {
        let spy = ObserverSpy()
        self.spy = spy
        file = try TemporaryRealm([Document.self, DocumentPart.self, DocumentAuthor.self]) { $0.attachment = spy }
        realm = try file.open()
    }

    private func document(_ value: AnyRealmValue = .none) throws -> Document {
        try realm.write { realm in
            let document = Document()
            document.id = realm.objects(Document.self).count
            document.value = value
            realm.add(document)
            return document
        }
    }

    /// How many rows the tables of nested collections have.
    private func nestedRowCount() throws -> Int64 {
        try realm.core.store.beginReading()
        return try ["$nested", "$nested.elements", "$nested.entries"]
            .reduce(0) { count, table in
                let statement = try realm.core.store.connection.prepare("SELECT count(*) FROM \"\(table)\"")
                defer { statement.reset() }
                return try statement.step() ? count + statement.int(0) : count
            }
    }

    @Test("a nested value comes back: unmanaged, added, assigned, in a second instance")
    func roundTrip() async throws {
        #expect(text(nested()) == nestedText)
        let added = try document(nested())
        #expect(text(added.value) == nestedText)
        let assigned = try document()
        try realm.write { assigned.value = nested() }
        #expect(text(assigned.value) == nestedText)
        let read = try await file.inSecondInstance { realm in
            realm.objects(Document.self).map { text($0.value) }
        }
        #expect(read == [nestedText, nestedText])
    }

    @Test("row 26: dictionaries and arrays of any values are converted, with JSON and create")
    func conversions() throws {
        let json =
            #"{"id": 1, "value": [1, {"a": [true, null], "b": "x"}, []], "list": [[2], {"k": 1}], "map": {"m": [3]}}"#
        let parsed = try JSONSerialization.jsonObject(with: Data(json.utf8))
        for document in [
            Document(value: parsed), try realm.write { realm in realm.create(Document.self, value: parsed) },
        ] {
            #expect(text(document.value) == nestedText)
            #expect(text(document.list[0]) == "[2]")
            #expect(text(document.list[1]) == "{k: 1}")
            #expect(text(document.map["m"]) == "[3]")
        }
    }

    @Test("the list that was added is the managed one; what create copies stays unmanaged")
    func promotion() throws {
        let list = List<AnyRealmValue>()
        list.append(.int(1))
        let document = try document(.list(list))
        #expect(list.realm == realm)
        #expect(document.value == .list(list))
        try realm.write { list.append(.int(2)) }
        #expect(text(document.value) == "[1, 2]")

        let map = Map<String, AnyRealmValue>()
        map["a"] = .int(1)
        let copy = try realm.write { realm in
            realm.create(Document.self, value: ["id": 9, "value": AnyRealmValue.dictionary(map)])
        }
        #expect(map.realm == nil)
        #expect(text(copy.value) == "{a: 1}")
    }

    @Test("nested collections are live at every depth: each mutator is seen by another accessor")
    func live() throws {
        let document = try document(nested())
        let other = try #require(realm.object(ofType: Document.self, forPrimaryKey: document.id))
        let outer = try #require(document.value.listValue)
        let map = try #require(outer[1].dictionaryValue)
        let inner = try #require(map["a"]?.listValue)
        try realm.write {
            inner.append(.int(5))
            inner.insert(.string("first"), at: 0)
            inner.remove(at: 1)
            map["b"] = nil
            map["c"] = .fromArray([.int(7)])
            outer.insert(.int(0), at: 0)
            outer.swapAt(0, 1)
        }
        #expect(text(other.value) == "[1, 0, {a: ['first', none, 5], c: [7]}, []]")
        try realm.write {
            inner.move(from: 0, to: 2)
            inner[0] = .fromDictionary(["deep": .none])
            outer.removeLast()
        }
        #expect(text(other.value) == "[1, 0, {a: [{deep: none}, 5, 'first'], c: [7]}]")
        #expect(inner.count == 3)
        #expect(map.keys == ["a", "c"])
        #expect(map == other.value.listValue?[2].dictionaryValue)
        #expect(inner != outer)
        try realm.write { outer.removeAll() }
        #expect(inner.isInvalidated)
        #expect(map.isInvalidated)
        #expect(!outer.isInvalidated)
    }

    @Test("a nested list stays itself when the elements before it move")
    func identity() throws {
        let document = try document(.fromArray([.fromArray([.int(1)])]))
        let outer = try #require(document.value.listValue)
        let inner = try #require(outer[0].listValue)
        try realm.write {
            outer.insert(.string("before"), at: 0)
            inner.append(.int(2))
        }
        #expect(text(document.value) == "['before', [1, 2]]")
    }

    @Test("assigning a part of a value to the value itself, or a list to itself, keeps the contents")
    func selfAssignment() throws {
        let document = try document(nested())
        try realm.write { document.value = document.value }
        #expect(text(document.value) == nestedText)
        let list = try #require(document.value.listValue)
        try realm.write { list[1] = list[1] }
        #expect(text(document.value) == nestedText)
        try realm.write { document.value = list[1] }
        #expect(text(document.value) == "{a: [true, none], b: 'x'}")
    }

    @Test("assigning a nested value of another object copies it")
    func copies() throws {
        let (first, second) = (try document(nested()), try document())
        try realm.write { second.value = first.value }
        try realm.write { first.value.listValue?.removeAll() }
        #expect(text(second.value) == nestedText)
        #expect(text(first.value) == "[]")
    }

    @Test("a roll-back restores all levels")
    func rollback() throws {
        let document = try document(nested())
        let inner = try #require(document.value.listValue?[1].dictionaryValue?["a"]?.listValue)
        realm.beginWrite()
        inner.append(.int(1))
        document.value = .int(3)
        #expect(inner.isInvalidated)
        realm.cancelWrite()
        #expect(text(document.value) == nestedText)
        #expect(!inner.isInvalidated)
    }

    @Test("lists, maps and sets of any values hold links and nested values; a set holds no nested ones")
    func collections() throws {
        let document = try document()
        let author = DocumentAuthor(value: ["Ada"])
        try realm.write {
            document.list.append(objectsIn: [.int(1), nested(), .object(author), .none])
            document.map["n"] = nested()
            document.map["o"] = .object(author)
            document.set.insert(objectsIn: [.int(1), .double(1), .int(1), .object(author), .none, .string("a")])
            document.part = DocumentPart(value: ["value": nested()])
        }
        #expect(document.list.map(text) == ["1", nestedText, "object Ada", "none"])
        #expect(text(document.map["n"]) == nestedText)
        #expect(text(document.map["o"]) == "object Ada")
        #expect(text(document.part?.value) == nestedText)
        #expect(document.set.count == 5)
        #expect(document.set.contains(.double(1)))
        #expect(!document.set.contains(.float(1)))
        #expect(document.set.contains(.object(author)))
        #expect(throws: Realm.Error(.invalidInput, "")) {
            try realm.write { document.set.insert(nested()) }
        }
        #expect(realm.objects(DocumentAuthor.self).count == 1)
    }

    @Test("C6: deleting an object empties every link to it, however deep, and a set loses it")
    func deletedTargets() throws {
        let document = try document()
        let author = DocumentAuthor(value: ["Ada"])
        try realm.write {
            document.value = .fromArray([.object(author), .fromDictionary(["k": .fromArray([.object(author)])])])
            document.list.append(objectsIn: [.object(author), .fromArray([.object(author)])])
            document.map["m"] = .object(author)
            document.set.insert(objectsIn: [.object(author), .int(1)])
            document.part = DocumentPart(value: ["value": author])
        }
        try realm.write { realm in realm.delete(author) }
        #expect(text(document.value) == "[none, {k: [none]}]")
        #expect(document.list.map(text) == ["none", "[none]"])
        #expect(text(document.map["m"]) == "none")
        #expect(document.set.map(text) == ["1"])
        #expect(document.part?.value == AnyRealmValue.none)
    }

    @Test("nothing is left of nested values when their object is deleted or they are replaced")
    func cleaning() throws {
        let (first, second) = (try document(nested()), try document(nested()))
        try realm.write { realm in
            first.list.append(nested())
            first.map["x"] = nested()
            first.part = DocumentPart(value: ["value": nested()])
            second.value = .int(1)
            first.list[0] = .int(2)
            first.map["x"] = nil
            first.part = nil
            realm.delete(first)
        }
        #expect(second.value == .int(1))
        #expect(try nestedRowCount() == 0)
        try realm.write { realm in
            second.value = nested()
            realm.deleteAll()
        }
        #expect(try nestedRowCount() == 0)
    }

    @Test("nesting is bounded: a list that contains itself is refused, and so is what is too deep")
    func depth() throws {
        var deep = AnyRealmValue.fromArray([])
        for _ in 0..<200 { deep = .fromArray([deep]) }
        #expect(throws: Realm.Error(.invalidInput, "")) {
            try realm.write { realm in _ = realm.create(Document.self, value: ["value": deep]) }
        }
        let document = try document(.fromArray([]))
        #expect(throws: Realm.Error(.invalidInput, "")) {
            try realm.write {
                var list = document.value.listValue
                for _ in 0..<200 {
                    list?.append(.fromArray([]))
                    list = list?.first?.listValue
                }
            }
        }
    }

    @Test("with .modified equal nested contents are not written, others are replaced")
    func updates() throws {
        let document = try document(nested())
        spy.gate.open()
        try realm.write { realm in
            _ = realm.create(Document.self, value: ["id": 0, "value": nested()], update: .modified)
        }
        #expect(spy.commits.flatMap(\.classes).isEmpty)
        try realm.write { realm in
            _ = realm.create(Document.self, value: ["id": 0, "value": [1, 2]], update: .modified)
        }
        spy.gate.close()
        #expect(text(document.value) == "[1, 2]")
    }

    // MARK: Recording

    @Test("snapshots and changes hold nested values with the keys of their links")
    func recording() throws {
        let author = DocumentAuthor(value: ["Ada"])
        let document = try document()
        spy.gate.open()
        try realm.write {
            document.value = .fromArray([.object(author), .fromDictionary(["k": .int(1)]), .none])
            document.list.append(objectsIn: [.object(author), .fromArray([.bool(true)])])
            document.map["m"] = .fromArray([.object(author)])
        }
        let commit = try #require(spy.commits.last)
        spy.gate.close()
        let changes = try #require(commit.classes.first { $0.shape.name == "Document" })
        let modification = try #require(changes.modifications.first)
        func value(_ snapshot: ObjectSnapshot, _ name: String) -> Value {
            snapshot.shape.slot(named: name).map(snapshot.value) ?? .null
        }
        let link = Value.link(ObjectReference(className: "DocumentAuthor", key: 1, primaryKey: .string("Ada")))
        #expect(value(modification.before, "value") == .null)
        #expect(value(modification.after, "value") == .list([link, .dictionary(["k": .int(1)]), .null]))
        #expect(value(modification.after, "list") == .list([link, .list([.bool(true)])]))
        #expect(value(modification.after, "map") == .dictionary(["m": .list([link])]))
    }

    @Test("a change inside a nested value is a modification of its object, and so is a deleted target")
    func innerChanges() throws {
        let author = DocumentAuthor(value: ["Ada"])
        let document = try document(.fromArray([.fromArray([.object(author)])]))
        let inner = try #require(document.value.listValue?[0].listValue)
        spy.gate.open()
        try realm.write { inner.append(.int(1)) }
        try realm.write { realm in realm.delete(author) }
        let commits = spy.commits
        spy.gate.close()
        #expect(commits.count == 2)
        for commit in commits {
            #expect(commit.classes.first { $0.shape.name == "Document" }?.modifications.count == 1)
        }
    }

    @Test("links in values of any type are told as followed, from a property, a list, a map and nested ones")
    func followedLinks() throws {
        let author = DocumentAuthor(value: ["Ada"])
        let other = DocumentAuthor(value: ["Bob"])
        let document = try document(.object(author))
        try realm.write {
            document.list.append(objectsIn: [.object(author), .fromArray([.object(other)])])
            document.map["m"] = .object(other)
        }
        let calls = spy.record {
            _ = document.value.object(DocumentAuthor.self)
            _ = document.list[0]
            _ = document.list[1].listValue?[0]
            _ = document.map["m"]
        }
        let links = calls.compactMap(\.followed)
        #expect(links.map(\.target.primaryKey) == ["Ada", "Ada", "Bob", "Bob"].map(Value.string))
        #expect(links.map(\.slot) == [1, 2, 2, 4])
    }
}
