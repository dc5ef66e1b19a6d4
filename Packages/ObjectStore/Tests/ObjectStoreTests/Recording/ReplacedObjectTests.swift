import EventModelTesting
import ObjectStoreTesting
import Testing

@testable import ObjectStore

@Suite("What an observer is told of objects that a transaction deleted and created again")
struct ReplacedObjectTests {
    private let spy = ObserverSpy()
    private let file: TemporaryRealm
    private let realm: Realm

    init() throws {
        file = try TemporaryRealm([Crate.self, Mark.self]) { [spy] in $0.attachment = spy }
        realm = try file.open()
        try realm.write { realm in
            let crates = (1...3).map { Crate(value: ["_id": $0, "label": "old \($0)"]) }
            realm.add(crates)
            for crate in crates {
                crate.link = crates[2]
                crate.list.append(crates[2])
                crate.set.insert(crates[2])
                crate.map["key"] = crates[2]
                crate.any = .object(crates[2])
                crate.anything["list"] = .list([.object(crates[2])])
            }
        }
    }

    private static func visit(_ crates: (some Sequence<Crate>)?) {
        guard let crates else { return }
        for crate in crates { _ = crate.label }
    }

    /// Ways to reach the object of crate 1, which the transaction created anew.
    private static let ways: [Look<Realm>] = [
        Look("its key", { $0 }, { _ = $0.object(ofType: Crate.self, forPrimaryKey: 1) }),
        Look("all objects", { $0.objects(Crate.self) }, { visit($0) }),
        Look("a query", { $0.objects(Crate.self).where { $0._id == 1 } }, { visit($0) }),
        Look("the first of a query", { $0.objects(Crate.self).where { $0._id == 1 } }, { _ = $0.first?.label }),
        Look("a link", { $0.objects(Mark.self) }, { _ = $0.first?.link?.label }),
        Look("a list", { $0.objects(Mark.self) }, { _ = $0.first?.list[0].label }),
        Look("all of a list", { $0.objects(Mark.self) }, { visit($0.first?.list) }),
        Look("a set", { $0.objects(Mark.self) }, { visit($0.first?.set) }),
        Look("a map", { $0.objects(Mark.self) }, { _ = $0.first?.map["key"]??.label }),
        Look("a value of any type", { $0.objects(Mark.self) }, { _ = $0.first?.any.object(Crate.self)?.label }),
    ]

    @Test("whoever reads the new object is not said to have seen the old one", arguments: ways)
    func target(_ way: Look<Realm>) throws {
        try realm.write { realm in
            realm.delete(try #require(realm.object(ofType: Crate.self, forPrimaryKey: 1)))
            let new = realm.create(Crate.self, value: ["_id": 1, "label": "new"])
            realm.create(Mark.self, value: ["link": new, "list": [new], "set": [new], "map": ["key": new]])
                .any = .object(new)
            let show = way.prepare(realm)

            let calls = spy.record(show)

            let shown = calls.flatMap { call in
                [call.read, call.followed?.target].compactMap { $0 } + (call.matches ?? []) + (call.followed?.all ?? [])
            }
            #expect(!shown.map(\.primaryKey).contains(.int(1)))
        }
    }

    /// Ways from crate 1, which the transaction created anew, to crate 3, which is as it was.
    private static let steps: [Look<Crate>] = [
        Look("a link", { $0 }, { _ = $0.link?.label }),
        Look("a list", { $0 }, { _ = $0.list[0].label }),
        Look("all of a list", { $0 }, { visit($0.list) }),
        Look("a set", { $0 }, { visit($0.set) }),
        Look("a map", { $0 }, { _ = $0.map["key"]??.label }),
        Look("a value of any type", { $0 }, { _ = $0.any.object(Crate.self)?.label }),
        Look(
            "a list in a value of any type",
            { $0 },
            { _ = $0.anything["list"]?.listValue?[0].object(Crate.self)?.label }
        ),
    ]

    @Test("a step from the new object is a read of where it leads, not a step from the old one", arguments: steps)
    func parent(_ step: Look<Crate>) throws {
        try realm.write { realm in
            let third = try #require(realm.object(ofType: Crate.self, forPrimaryKey: 3))
            realm.delete(try #require(realm.object(ofType: Crate.self, forPrimaryKey: 1)))
            let new = realm.create(Crate.self, value: ["_id": 1, "link": third, "list": [third], "set": [third]])
            new.map["key"] = third
            new.any = .object(third)
            new.anything["list"] = .list([.object(third)])
            let show = step.prepare(new)

            let calls = spy.record(show)

            #expect(calls.map { $0.read?.primaryKey } == [.int(3)])
        }
    }

    final class Crate: Object {
        @Persisted(primaryKey: true) var _id: Int
        @Persisted var label: String
        @Persisted var link: Crate?
        @Persisted var list: List<Crate>
        @Persisted var set: MutableSet<Crate>
        @Persisted var map: Map<String, Crate?>
        @Persisted var any: AnyRealmValue
        @Persisted var anything: Map<String, AnyRealmValue>
        override class func shouldIncludeInDefaultSchema() -> Bool { false }
    }

    final class Mark: Object {
        @Persisted var link: Crate?
        @Persisted var list: List<Crate>
        @Persisted var set: MutableSet<Crate>
        @Persisted var map: Map<String, Crate?>
        @Persisted var any: AnyRealmValue
        override class func shouldIncludeInDefaultSchema() -> Bool { false }
    }
}
