import ObjectStoreTesting
import Testing

@testable import ObjectStore

@Suite("What dynamic objects give is typed as the program declares it")
struct TypedMigrationTests {
    @Test("a migration reads old values as the types that the program declares now")
    func oldSide() throws {
        let file = try TemporaryRealm([Narrow.Typed.self])
        do {
            let realm = try file.open()
            try realm.write { realm in
                realm.create(Narrow.Typed.self, value: ["small": 7, "ward": "icu", "maybe": 3, "wide": 70_000])
            }
        }

        // SAFETY: the block runs inside of the opening, on this thread.
        nonisolated(unsafe) let collected = Collected()
        let realm = try file.open {
            $0.objectTypes = [Changed.Typed.self]
            $0.schemaVersion = 1
            $0.migrationBlock = { migration, _ in
                migration.enumerateObjects(ofType: "Typed") { old, new in
                    for name in ["small", "ward", "maybe", "wide"] { collected.old.append(old?[name]) }
                    for name in ["small", "ward", "maybe", "wide"] { collected.new.append(new?[name]) }
                }
            }
        }
        let seen = collected.old

        #expect(seen[0] as? Int8 == 7)
        #expect(seen[1] as? String == "icu")
        #expect(seen[2] as? Int16 == 3)
        #expect(seen[3] as? Int == 70_000, "what the new type has no room for comes whole")
        #expect(collected.new[0] as? Int8 == 7)
        #expect(collected.new[1] as? String == "icu")
        #expect(realm.objects(Changed.Typed.self).first?.ward == .icu)
    }

    @Test("a dynamic object gives what is stored for enumerations and types of the program")
    func dynamic() throws {
        let realm = try TemporaryRealm([Changed.Typed.self]).open()
        try realm.write { realm in realm.create(Changed.Typed.self, value: ["ward": "icu", "maybe": nil]) }

        let object = try #require(realm.dynamicObjects("Typed").first)

        #expect(object["ward"] as? String == "icu")
        #expect(object["small"] as? Int8 == 0)
        #expect(object["maybe"] == nil)
    }

    @Test("of a class whose data the migration deleted nothing is enumerated, not even the old objects")
    func deleted() throws {
        let file = try TemporaryRealm([Narrow.Typed.self])
        do {
            let realm = try file.open()
            try realm.write { realm in realm.create(Narrow.Typed.self, value: ["small": 1]) }
        }
        let collected = Collected()
        // SAFETY: the block runs inside of the opening, on this thread.
        nonisolated(unsafe) let log = collected

        _ = try file.open {
            $0.schemaVersion = 1
            $0.migrationBlock = { migration, _ in
                migration.enumerateObjects(ofType: "Typed") { old, _ in log.old.append(old?["small"]) }
                migration.deleteData(forType: "Typed")
                migration.enumerateObjects(ofType: "Typed") { old, _ in log.new.append(old?["small"]) }
            }
        }

        #expect(collected.old.count == 1 && collected.new.isEmpty)
    }
}

private final class Collected {
    var old: [Any?] = []
    var new: [Any?] = []
}

private enum TypedWard: String, PersistableEnum { case general, icu }

private enum Narrow {
    class Typed: Object {
        @Persisted var small: Int
        @Persisted var ward: String
        @Persisted var maybe: Int?
        @Persisted var wide: Int
        override class func shouldIncludeInDefaultSchema() -> Bool { false }
    }
}

private enum Changed {
    class Typed: Object {
        @Persisted var small: Int8
        @Persisted var ward: TypedWard
        @Persisted var maybe: Int16?
        @Persisted var wide: Int16
        override class func shouldIncludeInDefaultSchema() -> Bool { false }
    }
}
