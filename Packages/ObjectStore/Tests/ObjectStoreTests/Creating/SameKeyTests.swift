import EventModel
import EventModelTesting
import ObjectStoreTesting
import Testing

@testable import ObjectStore

private class Partner: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted var name = ""
    @Persisted var friend: Partner?
    @Persisted var payload: AnyRealmValue
    @Persisted var flat: PartnerFlat?
    @Persisted var others: List<Partner>
    @Persisted var group: MutableSet<Partner>
    @Persisted var byName: Map<String, Partner?>
}

private class PartnerFlat: EmbeddedObject {
    @Persisted var street = ""
    @Persisted var owner: Partner?
}

private class Ghost: Object {
    @Persisted(primaryKey: true) var id: Int?
    @Persisted var friend: Ghost?
}

/// A place inside of a value where the key of the outermost object comes again.
enum SameKeyPlace: CaseIterable {
    case link, any, embedded, list

    /// A value whose object has the key 1, and inside of which another value has that key.
    var value: [String: Any] {
        let inner: [String: Any] = ["id": 1, "name": "inner"]
        return switch self {
        case .link: ["id": 1, "name": "outer", "friend": ["id": 2, "friend": inner]]
        case .any: ["id": 1, "name": "outer", "payload": Partner(value: ["id": 2, "friend": inner])]
        case .embedded: ["id": 1, "name": "outer", "flat": ["owner": inner]]
        case .list: ["id": 1, "name": "outer", "friend": ["id": 2, "others": [inner]]]
        }
    }
}

@Suite("A primary key that comes again inside of a value")
struct SameKeyTests {
    private let realm: Realm
    private let file: TemporaryRealm

    init() throws {
        file = try TemporaryRealm([Partner.self, PartnerFlat.self, Ghost.self])
        realm = try file.open()
    }

    private var ids: [Int] { realm.objects(Partner.self).sorted(byKeyPath: "id").map(\.id) }

    @Test(
        "with an update policy both are one object, and what lies deeper is written last",
        arguments: SameKeyPlace.allCases,
        [Realm.UpdatePolicy.modified, .all]
    )
    func created(place: SameKeyPlace, policy: Realm.UpdatePolicy) throws {
        let outer = try realm.write { realm in realm.create(Partner.self, value: place.value, update: policy) }

        #expect(ids == (place == .embedded ? [1] : [1, 2]))
        #expect(outer.name == "inner")
        let back =
            switch place {
            case .link: outer.friend?.friend
            case .any: outer.payload.object(Partner.self)?.friend
            case .embedded: outer.flat?.owner
            case .list: outer.friend?.others.first
            }
        #expect(back?.isSameObject(as: outer) == true)
    }

    @Test(
        "the same holds for instances that are added, which all become accessors of the one row",
        arguments: SameKeyPlace.allCases
    )
    func added(place: SameKeyPlace) throws {
        let outer = Partner(value: place.value)
        let inner =
            switch place {
            case .link: outer.friend?.friend
            case .any: outer.payload.object(Partner.self)?.friend
            case .embedded: outer.flat?.owner
            case .list: outer.friend?.others.first
            }

        try realm.write { realm in realm.add(outer, update: .modified) }

        #expect(ids == (place == .embedded ? [1] : [1, 2]))
        #expect(inner?.isSameObject(as: outer) == true)
        #expect(outer.name == "inner")
    }

    @Test("without a policy it is an error, and nothing is kept", arguments: SameKeyPlace.allCases)
    func refused(place: SameKeyPlace) throws {
        #expect(throws: Realm.Error(.objectAlreadyExists, "")) {
            try realm.write { realm in realm.create(Partner.self, value: place.value) }
        }
        #expect(throws: Realm.Error(.objectAlreadyExists, "")) {
            try realm.write { realm in realm.add(Partner(value: place.value)) }
        }
        #expect(ids.isEmpty)
    }

    @Test("null is a key like any other: it may come once")
    func null() throws {
        #expect(throws: Realm.Error(.objectAlreadyExists, "")) {
            try realm.write { realm in realm.create(Ghost.self, value: ["friend": ["id": nil as Int?]]) }
        }
        #expect(throws: Realm.Error(.objectAlreadyExists, "")) {
            try realm.write { realm in realm.add(Ghost(value: ["friend": [String: Any]()])) }
        }
        let ghost = try realm.write { realm in
            realm.create(Ghost.self, value: ["friend": [String: Any]()], update: .modified)
        }
        #expect(realm.objects(Ghost.self).count == 1)
        #expect(ghost.friend?.isSameObject(as: ghost) == true)
    }

    @Test("an observer is told one insertion of the object as it is in the end")
    func observed() throws {
        let spy = ObserverSpy()
        spy.gate.open()
        let file = try TemporaryRealm([Partner.self, PartnerFlat.self, Ghost.self]) { $0.attachment = spy }
        let realm = try file.open()

        try realm.write { realm in realm.create(Partner.self, value: SameKeyPlace.link.value, update: .modified) }

        let classes = try #require(spy.commits.first).classes
        #expect(classes.map(\.insertions.count) == [2])
        #expect(classes[0].insertions.map { $0.value(1) }.contains(.string("inner")))
    }

    /// A value for a collection.
    private static func collection(_ name: String, _ values: [[String: Any]]) -> Any {
        guard name == "byName" else { return values }
        return Dictionary(zip(["a", "b", "c", "d", "e"], values)) { first, _ in first }
    }

    private func contents(_ partner: Partner, _ name: String) -> [Int] {
        switch name {
        case "others": partner.others.map(\.id)
        case "group": partner.group.map(\.id).sorted()
        default: partner.byName.map { $0.value?.id ?? 0 }
        }
    }

    @Test(
        "a collection that is reached again while it is written ends as the outer value says",
        arguments: ["others", "group", "byName"],
        [[], [3], [3, 4, 5, 6, 7]]
    )
    func reentrant(name: String, before: [Int]) throws {
        for (index, inside) in [[], [3, 4, 5], [8, 9]].enumerated() {
            for policy in [Realm.UpdatePolicy.modified, .all] {
                let id = index * 100 + policy.rawValue * 1000
                func values(_ ids: [Int]) -> Any { Self.collection(name, ids.map { ["id": $0 + id] }) }
                if !before.isEmpty {
                    try realm.write { realm in
                        realm.create(Partner.self, value: ["id": id, name: values(before)], update: .modified)
                    }
                }
                let inner: [String: Any] = ["id": id, name: values(inside)]

                let outer = try realm.write { realm in
                    realm.create(
                        Partner.self,
                        value: ["id": id, name: Self.collection(name, [["id": id + 2], inner, ["id": id + 3]])],
                        update: policy
                    )
                }

                let expected = name == "group" ? [0, 2, 3] : [2, 0, 3]
                #expect(contents(outer, name) == expected.map { $0 + id }, "\(policy), \(inside)")
            }
        }
    }

    @Test("an embedded object and a list of any values that are replaced twice leave nothing behind")
    func replacedTwice() throws {
        let inner: [String: Any] = ["id": 1, "flat": ["street": "inner"], "payload": [1, 2]]
        let value: [String: Any] = [
            "id": 1, "flat": ["street": "outer", "owner": inner], "payload": [Partner(value: inner), 5],
        ]
        for policy in [Realm.UpdatePolicy.modified, .all, .modified] {
            try realm.write { realm in realm.create(Partner.self, value: value, update: policy) }

            #expect(try rowCount("PartnerFlat") == 1)
            #expect(try rowCount("$nested") == 1)
            #expect(try rowCount("$nested.elements") == 2)
        }
        #expect(realm.objects(Partner.self).first?.flat?.street == "inner")
    }

    private func rowCount(_ table: String) throws -> Int64 {
        try realm.core.store.beginReading()
        let statement = try realm.core.store.connection.prepare("SELECT count(*) FROM \"\(table)\"")
        defer { statement.reset() }
        return try statement.step() ? statement.int(0) : 0
    }
}
