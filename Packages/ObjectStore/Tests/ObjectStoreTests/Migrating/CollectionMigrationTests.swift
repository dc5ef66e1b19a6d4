import Foundation
import ObjectStore
import ObjectStoreTesting
import Testing

@Suite("Migrations of sets, maps and values of any type")
struct CollectionMigrationTests {
    private let file: TemporaryRealm

    init() throws {
        file = try TemporaryRealm([V1.Box.self, V1.Part.self])
        let realm = try file.open()
        try realm.write {
            let box = realm.create(
                V1.Box.self,
                value: [
                    "counts": ["b": 2, "a": 1], "parts": ["lid": ["label": "Lid"], "none": nil as Any?],
                    "kinds": ["x", "y"], "dropped": ["gone": [1, 2]],
                ] as [String: Any]
            )
            box.content = .fromDictionary([
                "numbers": .fromArray([.int(1), .double(2.5)]), "text": .string("t"),
                "part": .object(V1.Part(value: ["label": "Inner"])),
                "deep": .fromDictionary(["list": .fromArray([.fromDictionary(["key": .bool(true)])])]),
            ])
        }
    }

    private func migrate(_ block: MigrationBlock? = nil) throws -> V2.Box {
        let realm = try file.open {
            $0.objectTypes = [V2.Box.self, V2.Part.self]
            $0.schemaVersion = 1
            $0.migrationBlock = block
        }
        return try #require(realm.objects(V2.Box.self).first)
    }

    @Test("M4: the keys and values of maps, and the elements of sets, are read on the old side")
    func reading() throws {
        let box = try migrate { migration, _ in
            migration.enumerateObjects(ofType: "Box") { old, new in
                let counts = old?["counts"] as? Map<String, Int>
                #expect(counts?.keys.sorted() == ["a", "b"])
                #expect(counts?.values.sorted() == [1, 2])
                #expect(counts?["b"] == 2)
                let parts: Map<String, DynamicObject?>? = old?.dynamicMap("parts")
                #expect(parts?.keys.sorted() == ["lid", "none"])
                #expect(parts?["lid"]??.label as? String == "Lid")
                #expect(parts?["none"] == .some(nil))
                #expect(parts?.values.compactMap { $0?["label"] as? String } == ["Lid"])
                #expect((old?["kinds"] as? MutableSet<String>)?.sorted() == ["x", "y"])
                new?["names"] = counts?.keys.sorted()
                new?["total"] = counts?.sum()
                new?["kinds"] = ["z"]
                let made: Map<String, DynamicObject?>? = new?.dynamicMap("parts")
                made?["base"] = migration.create("Part", value: ["label": "Base"])
                made?["none"] = nil
            }
        }

        #expect(Array(box.names) == ["a", "b"] && box.total == 3)
        #expect(Array(box.kinds) == ["z"])
        #expect(box.parts.keys.sorted() == ["base", "lid"])
        #expect(box.parts["base"]??.label == "Base" && box.parts["lid"]??.label == "Lid")
    }

    @Test("lists and dictionaries inside of a value of any type stay, and are read on the old side")
    func nestedValues() throws {
        let box = try migrate { migration, _ in
            migration.enumerateObjects(ofType: "Box") { old, new in
                let content = old?["content"] as? Map<String, AnyRealmValue>
                #expect(content?.keys.sorted() == ["deep", "numbers", "part", "text"])
                #expect(content?["numbers"]?.listValue.map(Array.init) == [.int(1), .double(2.5)])
                #expect(content?["part"]?.dynamicObject?["label"] as? String == "Inner")
                let deep = content?["deep"]?.dictionaryValue?["list"]?.listValue?[0].dictionaryValue
                #expect(deep?["key"] == .bool(true))
                let dropped = old?["dropped"] as? Map<String, AnyRealmValue>
                #expect(dropped?["gone"]?.listValue?.count == 2)
                new?["added"] = ["copied": dropped?["gone"]?.listValue?.count as Any, "list": ["a", ["b": 1]]]
            }
        }
        let content = try #require(box.content.dictionaryValue)

        #expect(content["numbers"]?.listValue.map(Array.init) == [.int(1), .double(2.5)])
        #expect(content["part"]?.object(V2.Part.self)?.label == "Inner")
        #expect(
            content["deep"]?.dictionaryValue?["list"]?.listValue?.first?.dictionaryValue?["key"] == .bool(true)
        )
        #expect(box.added.dictionaryValue?["copied"] == .int(2))
        #expect(box.added.dictionaryValue?["list"]?.listValue?[1].dictionaryValue?["b"] == .int(1))
    }

    @Test("what a value of any type holds goes with its property when that is renamed")
    func renaming() throws {
        let box = try migrate { migration, _ in
            migration.renameProperty(onType: "Box", from: "dropped", to: "added")
        }

        #expect(box.added.dictionaryValue?["gone"]?.listValue.map(Array.init) == [.int(1), .int(2)])
        #expect(box.content.dictionaryValue?.count == 4)
        try box.realm?.write { box.added.dictionaryValue?["gone"]?.listValue?.append(.int(3)) }
        #expect(box.added.dictionaryValue?["gone"]?.listValue?.count == 3)
    }
}

private enum V1 {
    class Box: Object {
        @Persisted var counts: Map<String, Int>
        @Persisted var parts: Map<String, Part?>
        @Persisted var kinds: MutableSet<String>
        @Persisted var content: AnyRealmValue
        @Persisted var dropped: AnyRealmValue
        override class func shouldIncludeInDefaultSchema() -> Bool { false }
    }

    class Part: Object {
        @Persisted var label: String
        override class func shouldIncludeInDefaultSchema() -> Bool { false }
    }
}

private enum V2 {
    class Box: Object {
        @Persisted var names: List<String>
        @Persisted var total: Int
        @Persisted var parts: Map<String, Part?>
        @Persisted var kinds: MutableSet<String>
        @Persisted var content: AnyRealmValue
        @Persisted var added: AnyRealmValue
        override class func shouldIncludeInDefaultSchema() -> Bool { false }
    }

    class Part: Object {
        @Persisted var label: String
        override class func shouldIncludeInDefaultSchema() -> Bool { false }
    }
}
