import EventModelTesting
import Foundation
import ObjectStoreTesting
import Testing

@testable import ObjectStore

/// What code of the app sees when it is asked how an object of the past looks.
@Suite("Custom representation of objects")
struct CustomRepresentationTests {
    private let spy = ObserverSpy()
    private let place: TemporaryRealm
    private let realm: Realm

    init() throws {
        let spy = spy
        place = try TemporaryRealm([Chart.self, Plain.self, Part.self, Person.self, Stage.self, Represented.self]) {
            $0.attachment = spy
        }
        realm = try place.open()
        spy.gate.open()
    }

    /// The copy of the one chart as its reading captured it.
    private func copy() throws -> Chart {
        let before = spy.calls.count
        _ = realm.objects(Chart.self).first
        let snapshot = try #require(spy.calls.dropFirst(before).first?.read)
        return try DetachedCopy().object(Chart.self, ReadObject(snapshot: snapshot))
    }

    @Test("4.6: a class is represented by itself exactly when it or its superclass conforms")
    func perClass() throws {
        #expect(try ClassSchema.of(Chart.self).shape.representation != nil)
        #expect(try ClassSchema.of(RepresentedToo.self).shape.representation != nil)
        #expect(try ClassSchema.of(Part.self).shape.representation != nil)
        #expect(try ClassSchema.of(Plain.self).shape.representation == nil)
        #expect(try ClassSchema.of(Person.self).shape.representation == nil)
    }

    @Test("4.6: it is asked of an object that holds what the snapshot holds")
    func representation() throws {
        try realm.write { realm in realm.create(Chart.self, value: ["id": 4, "words": "old"]) }
        _ = realm.objects(Chart.self).first
        try realm.write { _ in realm.objects(Chart.self).first?.words = "new" }

        let snapshot = try #require(spy.calls.compactMap(\.read).first)
        let represent = try #require(snapshot.shape.representation)
        let modification = try #require(spy.commits.last?.classes.first?.modifications.first)

        #expect(try represent(ReadObject(snapshot: snapshot)) == "4 old")
        #expect(try represent(ReadObject(snapshot: modification.before)) == "4 old")
        #expect(try represent(ReadObject(snapshot: modification.after)) == "4 new")
    }

    @Test("a thrown error comes out as it was thrown")
    func throwing() throws {
        try realm.write { realm in realm.create(Chart.self, value: ["id": -1]) }
        _ = realm.objects(Chart.self).first
        let snapshot = try #require(spy.calls.compactMap(\.read).first)

        #expect(throws: Chart.Negative()) { try snapshot.shape.representation?(ReadObject(snapshot: snapshot)) }
    }

    @Test("single values of every type are those of the snapshot, null included")
    func scalars() throws {
        let place = try TemporaryRealm { $0.attachment = spy }
        let realm = try place.open()
        let full = Everything()
        full.int = .min
        full.int8 = -8
        full.int64 = .max
        full.bool = true
        full.float = 1.1
        full.double = -0.0
        full.string = "ü🩺"
        full.data = Data([0, 255])
        full.date = Date(timeIntervalSince1970: -0.5)
        full.decimal = "1.50"
        full.ward = .intensiveCare
        full.triage = .red
        full.optionalInt = 5
        full.optionalWard = .surgery
        full.optionalData = Data()
        let empty = Everything()
        try realm.write { $0.add([full, empty]) }
        for object in realm.objects(Everything.self) { _ = object.id }

        for snapshot in spy.calls.compactMap(\.read) {
            let copy = try DetachedCopy().object(Everything.self, ReadObject(snapshot: snapshot))
            let original = try #require(realm.object(ofType: Everything.self, forPrimaryKey: copy.id))
            for property in original.objectSchema.properties {
                #expect("\(copy[property.name] ?? "nil")" == "\(original[property.name] ?? "nil")", "\(property.name)")
            }
            #expect(copy.realm == nil && !copy.isInvalidated)
        }
    }

    @Test("a value that was set to nil is nil, whatever the default of the class")
    func defaults() throws {
        try realm.write { realm in realm.create(Chart.self, value: ["id": 1, "note": NSNull(), "tags": [String]()]) }

        #expect(Chart().note == "none")
        #expect(try copy().note == nil)
    }

    @Test("lists, sets and maps of values are whole")
    func collections() throws {
        let chart = Chart()
        chart.tags.append(objectsIn: ["b", "a", "b"])
        chart.numbers.insert(objectsIn: [3, 1, nil])
        chart.scores["k"] = 1.5
        chart.scores["none"] = .some(nil)
        try realm.write { $0.add(chart) }

        let copy = try copy()
        #expect(Array(copy.tags) == ["b", "a", "b"])
        #expect(Set(copy.numbers) == [3, 1, nil])
        #expect(copy.scores["k"] == 1.5 && copy.scores.keys.sorted() == ["k", "none"])
        #expect(copy.tags.filter { $0 == "b" }.count == 2)
    }

    @Test("embedded objects are whole, on every level")
    func embedded() throws {
        let chart = Chart()
        chart.part = Part(value: ["name": "heart", "stages": [["name": "valve"]]])
        chart.parts.append(objectsIn: [Part(value: ["name": "a"]), Part(value: ["name": "b"])])
        chart.named["left"] = Part(value: ["name": "c"])
        try realm.write { $0.add(chart) }

        let copy = try copy()
        #expect(copy.part?.name == "heart" && copy.part?.stages.count == 1)
        #expect(copy.parts.map(\.name) == ["a", "b"])
        #expect(copy.named["left"]??.name == "c")
    }

    @Test("values of any type are whole, nested ones and links by key included")
    func anyValues() throws {
        let linked = Represented(value: ["id": 7])
        let values: [AnyRealmValue] = [
            .none, .int(.max), .bool(true), .float(1.5), .double(.infinity), .string("ü"), .data(Data([1])),
            .date(Date(timeIntervalSince1970: 1)), .objectId(ObjectId("62b38b3c10846041166f5deb")),
            .uuid(UUID()), .decimal128("1.50"),
        ]
        for value in values {
            try realm.write { realm in
                realm.delete(realm.objects(Chart.self))
                let chart = Chart()
                chart.any = value
                chart.anyList.append(objectsIn: [value, value])
                realm.add(chart)
            }
            let copy = try copy()
            #expect(copy.any == value)
            #expect(Array(copy.anyList) == [value, value])
        }
        try realm.write { realm in
            let chart = try #require(realm.objects(Chart.self).first)
            chart.any = .fromDictionary(["list": .fromArray([.int(1), .fromDictionary(["k": .none])])])
            chart.anyList.append(.object(linked))
        }

        let copy = try copy()
        let list = try #require(copy.any.dictionaryValue?["list"]?.listValue)
        #expect(list.count == 2 && list[0] == .int(1) && list[1].dictionaryValue?["k"] == AnyRealmValue.none)
        #expect(copy.anyList.last?.object(Represented.self)?.id == 7)
    }

    @Test("a linked object has its primary key and nothing else, one without a primary key only its class")
    func links() throws {
        let chart = Chart()
        chart.person = Person.numbered(3)
        chart.people.append(objectsIn: [Person.numbered(4), Person.numbered(5)])
        chart.plain = Plain(value: ["name": "x"])
        try realm.write { $0.add(chart) }

        let copy = try copy()
        #expect(copy.person?._id == 3 && copy.person?.name == "")
        #expect(copy.people.map(\._id) == [4, 5])
        #expect(copy.plain != nil && copy.plain?.name == "")
        #expect(copy.origins.count == 0)
    }

    @Test("an object that was followed is whole, with what was followed from there")
    func followed() throws {
        let chart = Chart()
        chart.person = Person.numbered(3)
        chart.people.append(Person.numbered(4))
        try realm.write { $0.add(chart) }
        _ = realm.objects(Chart.self).first
        let snapshot = try #require(spy.calls.compactMap(\.read).first)
        _ = realm.objects(Chart.self).first?.person
        let step = try #require(spy.calls.compactMap(\.followed).first)
        let read = ReadObject(
            snapshot: snapshot,
            followed: [
                FollowedProperty(slot: step.slot, targets: [step.target.key: ReadObject(snapshot: step.target)])
            ]
        )

        let copy = try DetachedCopy().object(Chart.self, read)
        #expect(copy.person?.name == "Person 3")
        #expect(copy.people.first?.name == "")
    }

    @Test("an enumeration that lost a case: nil where the property is optional, else an error and no trap")
    func lostCase() throws {
        var writer = SnapshotWriter(shape: try ClassSchema.of(Stage.self).shape)
        func snapshot(required: Int64, optional: Int64) -> ObjectSnapshot {
            writer.begin(key: 1, version: 1, whole: true)
            writer.set(0, int: required)
            writer.set(1, int: optional)
            writer.set(2, string: "")
            return writer.finish()
        }

        let fine = try DetachedCopy().object(Stage.self, ReadObject(snapshot: snapshot(required: 3, optional: 99)))
        #expect(fine.triage == .red && fine.before == nil)
        #expect(throws: Realm.Error.self) {
            try DetachedCopy().object(Stage.self, ReadObject(snapshot: snapshot(required: 99, optional: 1)))
        }
    }

    @Test("reading and changing the object is told to nobody and changes nothing")
    func detached() throws {
        try realm.write { realm in realm.create(Chart.self, value: ["id": 1, "words": "kept", "tags": ["a"]]) }
        let copy = try copy()
        let (calls, commits) = (spy.calls.count, spy.commits.count)

        copy.words = "changed"
        copy.tags.removeAll()
        _ = (copy.person, copy.people.first, copy["words"], copy.description)

        #expect(spy.calls.count == calls && spy.commits.count == commits)
        #expect(realm.objects(Chart.self).first?.words == "kept")
        #expect(realm.objects(Chart.self).first?.tags.count == 1)
    }

    @Test("it can be asked on any thread, with no realm open")
    func anyThread() async throws {
        try realm.write { realm in realm.create(Chart.self, value: ["id": 4, "words": "x"]) }
        _ = realm.objects(Chart.self).first
        let snapshot = try #require(spy.calls.compactMap(\.read).first)

        let text = try await Task.detached { try snapshot.shape.representation?(ReadObject(snapshot: snapshot)) }.value

        #expect(text == "4 x")
    }
}

private final class Chart: Object, CustomEventRepresentable {
    struct Negative: Error, Equatable {}

    @Persisted(primaryKey: true) var id: Int
    @Persisted var words: String
    @Persisted var note: String? = "none"
    @Persisted var tags: List<String>
    @Persisted var numbers: MutableSet<Int?>
    @Persisted var scores: Map<String, Double?>
    @Persisted var part: Part?
    @Persisted var parts: List<Part>
    @Persisted var named: Map<String, Part?>
    @Persisted var any: AnyRealmValue
    @Persisted var anyList: List<AnyRealmValue>
    @Persisted var person: Person?
    @Persisted var people: List<Person>
    @Persisted var plain: Plain?
    @Persisted(originProperty: "chart") var origins: LinkingObjects<Plain>

    func customEventRepresentation() throws -> String {
        guard id >= 0 else { throw Negative() }
        return "\(id) \(words)"
    }
}

private class Represented: Object, CustomEventRepresentable {
    @Persisted(primaryKey: true) var id: Int

    func customEventRepresentation() -> String { "\(id)" }
}

private final class RepresentedToo: Represented {
    @Persisted var more: Int
}

private final class Plain: Object {
    @Persisted var name: String
    @Persisted var chart: Chart?
}

private final class Part: EmbeddedObject, CustomEventRepresentable {
    @Persisted var name: String
    @Persisted var stages: List<Stage>

    func customEventRepresentation() -> String { "\"\(name)\"" }
}

private final class Stage: Object {
    @Persisted var triage: Triage
    @Persisted var before: Triage?
    @Persisted var name: String
}
