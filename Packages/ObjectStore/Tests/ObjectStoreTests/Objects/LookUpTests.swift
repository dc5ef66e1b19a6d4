import EventModel
import ObjectStore
import ObjectStoreTesting
import Testing

@Suite("Looking objects up by their primary key, again and again")
struct LookUpTests {
    private let file: TemporaryRealm
    private let realm: Realm

    init() throws {
        file = try TemporaryRealm()
        realm = try file.open()
        try realm.write { [realm] in realm.add((0..<300).map(Person.numbered)) }
    }

    private func name(_ id: Int) -> String? {
        realm.object(ofType: Person.self, forPrimaryKey: id)?.name
    }

    @Test("each key finds its own object, also keys that share a place")
    func keys() {
        for _ in 0..<2 {
            for id in 0..<300 { #expect(name(id) == "Person \(id)") }
        }
        #expect(name(300) == nil)
        #expect(name(-1) == nil)
    }

    @Test("a change, a deletion and a cancelled change are seen at once")
    func changes() throws {
        #expect(name(7) == "Person 7")
        try realm.write {
            realm.object(ofType: Person.self, forPrimaryKey: 7)?.name = "changed"
            #expect(name(7) == "changed")
        }
        #expect(name(7) == "changed")

        realm.beginWrite()
        realm.object(ofType: Person.self, forPrimaryKey: 7)?.name = "cancelled"
        #expect(name(7) == "cancelled")
        realm.cancelWrite()
        #expect(name(7) == "changed")

        try realm.write { [realm] in realm.object(ofType: Person.self, forPrimaryKey: 7).map(realm.delete) }
        #expect(name(7) == nil)
    }

    @Test("ids are found, and texts by their bytes")
    func otherKeys() throws {
        let (id, composed, decomposed) = (ObjectId(), "caf\u{E9}", "cafe\u{301}")
        try realm.write {
            realm.create(Everything.self, value: ["id": id, "int": 5])
            realm.create(Counter.self, value: ["name": composed, "value": 1])
            realm.create(Counter.self, value: ["name": decomposed, "value": 2])
        }

        for _ in 0..<2 {
            #expect(realm.object(ofType: Everything.self, forPrimaryKey: id)?.int == 5)
            #expect(realm.object(ofType: Everything.self, forPrimaryKey: ObjectId()) == nil)
            #expect(realm.object(ofType: Counter.self, forPrimaryKey: composed)?.value == 1)
            #expect(realm.object(ofType: Counter.self, forPrimaryKey: decomposed)?.value == 2)
        }
    }

    @Test("a key of another type is misuse and says which type the class has")
    func wrongType() async throws {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = try TemporaryRealm().open().object(ofType: Person.self, forPrimaryKey: "7")
        }
        let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(
            text.contains("'Person' was looked up by a key of type 'String', but its primary key '_id' is 'int'"),
            "\(text.prefix(500))"
        )
    }

    @Test("null for a key that cannot be null is misuse, also by the name of the class")
    func wrongNull() async throws {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = try TemporaryRealm().open().dynamicObject(ofType: "Person", forPrimaryKey: Int?.none as Any)
        }
        let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(
            text.contains("'Person' was looked up by a key of type 'null', but its primary key '_id' is 'int'"),
            "\(text.prefix(500))"
        )
    }
}
