import Foundation
import ObjectStoreTesting
import Testing

@testable import ObjectStore

/// Every pair of types that a property may change between, made of classes that are all stored as `Item`.
@Suite("Migrations of single properties")
struct PropertyMigrationTests {
    private static let scalars: [ItemClass.Type] = [
        Holding<Int>.self, Holding<Bool>.self, Holding<Float>.self, Holding<Double>.self, Holding<String>.self,
        Holding<Data>.self, Holding<Date>.self, Holding<ObjectId>.self, Holding<UUID>.self, Holding<Decimal128>.self,
    ]
    private static let optionals: [ItemClass.Type] = [
        Holding<Int?>.self, Holding<Bool?>.self, Holding<Float?>.self, Holding<Double?>.self, Holding<String?>.self,
        Holding<Data?>.self, Holding<Date?>.self, Holding<ObjectId?>.self, Holding<UUID?>.self,
        Holding<Decimal128?>.self,
    ]
    private static let others: [ItemClass.Type] = [
        Holding<Dog?>.self, Holding<List<Int>>.self, Holding<List<Int?>>.self, Holding<List<Dog>>.self,
        Holding<MutableSet<Int>>.self, Holding<MutableSet<String?>>.self, Holding<Map<String, Int>>.self,
        Holding<Map<String, Dog?>>.self, Holding<Address?>.self, Holding<List<Address>>.self,
    ]
    static let all = scalars + optionals + others

    private func open(_ file: TemporaryRealm, _ type: ItemClass.Type, _ version: UInt64) throws -> Realm {
        try file.open {
            $0.objectTypes = [type, Dog.self, Address.self]
            $0.schemaVersion = version
        }
    }

    @Test("a property of any type may become one of any other type", arguments: 0..<all.count)
    func everyPair(_ index: Int) throws {
        let before = Self.all[index]
        for (other, after) in Self.all.enumerated() where other != index {
            let file = try TemporaryRealm()
            do {
                let realm = try open(file, before, 0)
                try realm.write { _ = realm.dynamicCreate("Item", value: ["kept": "x"]) }
            }
            #expect(throws: Realm.Error(.schemaMismatch, "")) { try open(file, after, 0) }

            let realm = try open(file, after, 1)
            let item = try #require(realm.dynamicObjects("Item").first)
            #expect(item["kept"] as? String == "x")
            _ = item["value"]
            try realm.write { _ = realm.dynamicCreate("Item", value: ["kept": "y"]) }
            #expect(realm.dynamicObjects("Item").count == 2)
            let check = try realm.core.store.connection.prepare("PRAGMA integrity_check")
            #expect(try check.step())
            #expect(check.text(0) == "ok")
            check.reset()
            let kept = try realm.core.store.connection.prepare(
                "SELECT count(*) FROM sqlite_master WHERE sql LIKE '%$old%'"
            )
            #expect(try kept.step())
            #expect(kept.int(0) == 0, "Nothing is left of the old property.")
            kept.reset()
        }
    }

    @Test("values stay when a property becomes optional, and when it is no longer", arguments: 0..<scalars.count)
    func optionality(_ index: Int) throws {
        let file = try TemporaryRealm()
        let value: Any?
        do {
            let realm = try open(file, Self.scalars[index], 0)
            try realm.write { _ = realm.dynamicCreate("Item") }
            value = realm.dynamicObjects("Item").first?["value"]
        }
        do {
            let realm = try open(file, Self.optionals[index], 1)
            #expect("\(realm.dynamicObjects("Item").first?["value"] ?? "nil")" == "\(value ?? "none")")
            try realm.write { _ = realm.dynamicCreate("Item", value: ["kept": "null", "value": nil] as [String: Any?]) }
        }

        let realm = try open(file, Self.scalars[index], 2)
        #expect("\(realm.dynamicObjects("Item").first?["value"] ?? "nil")" == "\(value ?? "none")")
        #expect(realm.dynamicObjects("Item").last?["value"] != nil)
    }

    @Test("nulls of collections become the zero of the type")
    func nullElements() throws {
        let file = try TemporaryRealm()
        do {
            let realm = try open(file, Holding<MutableSet<String?>>.self, 0)
            try realm.write {
                _ = realm.dynamicCreate("Item", value: ["value": ["a", nil, ""] as [String?]])
                _ = realm.dynamicCreate("Item", value: ["value": ["b", nil] as [String?]])
            }
        }

        let realm = try open(file, Holding<MutableSet<String>>.self, 1)
        let sets = realm.dynamicObjects("Item").map { ($0["value"] as? MutableSet<String>).map(Array.init) ?? [] }
        #expect(sets.map { $0.sorted() } == [["", "a"], ["", "b"]])
    }

    @Test("a property may be renamed and keep its values, of every type", arguments: 0..<all.count)
    func renaming(_ index: Int) throws {
        let type = Self.all[index]
        let file = try TemporaryRealm()
        let text: String
        do {
            let realm = try open(file, type, 0)
            let value = (type as? any Filled.Type)?.filling as Any
            try realm.write { _ = realm.dynamicCreate("Item", value: ["kept": "x", "value": value]) }
            text = "\(realm.dynamicObjects("Item").first?["value"] ?? "nil")"
        }

        let renamed = try #require((type as? any Renaming.Type)?.renamed)
        let realm = try file.open {
            $0.objectTypes = [renamed, Dog.self, Address.self]
            $0.schemaVersion = 1
            $0.migrationBlock = { migration, _ in
                migration.create("Item", value: ["kept": "before"])
                migration.renameProperty(onType: "Item", from: "value", to: "other")
                migration.create("Item", value: ["kept": "after"])
            }
        }

        let items = realm.dynamicObjects("Item")
        #expect("\(items.first?["other"] ?? "nil")" == text)
        #expect(items.map { $0["kept"] as? String } == ["x", "before", "after"])
    }
}

/// The common superclass: its stored name is that of all.
class ItemClass: Object {
    @Persisted var kept: String
    override class func _realmObjectName() -> String? { "Item" }
    override class func shouldIncludeInDefaultSchema() -> Bool { false }
}

private protocol Renaming: ItemClass {
    static var renamed: ItemClass.Type { get }
}

private protocol Filled {
    /// A value for the property, to be found again.
    static var filling: Any? { get }
}

private final class Holding<Value: _Persistable>: ItemClass, Renaming, Filled {
    @Persisted var value: Value

    static var renamed: ItemClass.Type { Renamed<Value>.self }

    static var filling: Any? {
        let type = Value._propertyType
        let single: Any =
            switch type.kind {
            case .int: 7
            case .bool: true
            case .float, .double: 1.5
            case .string: "text"
            case .data: Data([1, 2])
            case .date: Date(timeIntervalSince1970: 1000)
            case .objectId: ObjectId()
            case .uuid: UUID()
            case .decimal128: Decimal128(3)
            case .link: ["name": "Rex"]
            case .embedded: ["street": "Elm"]
            case .any: 1
            }
        switch type.collection {
        case .none: return single
        case .list, .set: return [single]
        case .dictionary: return ["key": single]
        }
    }
}

private final class Renamed<Value: _Persistable>: ItemClass {
    @Persisted var other: Value
}
