import Foundation
import ObjectStoreTesting
import Synchronization
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
        Holding<AnyRealmValue>.self, Holding<List<AnyRealmValue>>.self, Holding<MutableSet<AnyRealmValue>>.self,
        Holding<Map<String, AnyRealmValue>>.self,
    ]
    static let all = scalars + optionals + others
    /// One type of each way in which values are stored.
    private static let representatives: [ItemClass.Type] = [
        Holding<Int>.self, Holding<String?>.self, Holding<Decimal128>.self, Holding<Dog?>.self, Holding<List<Int>>.self,
        Holding<List<Dog>>.self, Holding<MutableSet<String?>>.self, Holding<Map<String, Dog?>>.self,
        Holding<Address?>.self, Holding<List<Address>>.self, Holding<AnyRealmValue>.self,
        Holding<Map<String, AnyRealmValue>>.self,
    ]

    private func open(_ file: TemporaryRealm, _ type: ItemClass.Type, _ version: UInt64) throws -> Realm {
        try file.open {
            $0.objectTypes = [type, Dog.self, Address.self]
            $0.schemaVersion = version
        }
    }

    @Test("a property stored in any way may become one stored in any other way, in every pair")
    func everyPair() throws {
        let types = Self.representatives.compactMap { ($0 as? any Renaming.Type)?.valueType }
        let count = types.count
        let tags = FirstFileClass.types(count)
        // Of each step the shift is by another distance, so that after all steps each type has followed each other one.
        let shifts = (0..<count).map { $0.isMultiple(of: 2) ? $0 / 2 : count - ($0 + 1) / 2 }
        let file = try TemporaryRealm()
        var pairs: Set<[Int]> = []
        for (version, shift) in shifts.enumerated() {
            let classes = tags.indices.map { cell(types[($0 + shift) % count], tags[$0]) }
            if version > 0 {
                for index in tags.indices {
                    pairs.insert([(index + shifts[version - 1]) % count, (index + shift) % count])
                }
            }
            Cells.names.withLock { names in
                for (index, tag) in tags.enumerated() { names[ObjectIdentifier(tag)] = "Item\(index)" }
            }
            func open(_ version: Int) throws -> Realm {
                try file.open {
                    $0.objectTypes = classes + [Dog.self, Address.self]
                    $0.schemaVersion = UInt64(version)
                }
            }
            if version > 0 {
                let error = #expect(throws: Realm.Error(.schemaMismatch, "")) { try open(version - 1) }
                #expect(error?.details.count == count)
            }
            let realm = try open(version)
            for index in tags.indices {
                let items = realm.dynamicObjects("Item\(index)")
                #expect(items.count == version)
                for item in items { _ = item["value"] }
                #expect(items.map { $0["kept"] as? Int } == Array(0..<version))
            }
            try realm.write {
                for (index, tag) in tags.enumerated() {
                    let filling = (cell(types[(index + shift) % count], tag) as? any Filled.Type)?.filling
                    realm.dynamicCreate("Item\(index)", value: ["kept": version, "value": filling] as [String: Any?])
                }
            }
        }
        #expect(pairs.count == count * (count - 1))

        let realm = try file.open {
            $0.objectTypes = [Dog.self]
            $0.schemaVersion = UInt64(count)
        }
        let rest = try realm.core.store.connection.prepare("SELECT count(*) FROM sqlite_master WHERE sql LIKE '%$old%'")
        #expect(try rest.step())
        #expect(rest.int(0) == 0, "Nothing is left of the old properties.")
        rest.reset()
        let check = try realm.core.store.connection.prepare("PRAGMA integrity_check")
        #expect(try check.step())
        #expect(check.text(0) == "ok")
        check.reset()
    }

    private func cell(_ value: any _Persistable.Type, _ tag: ObjectBase.Type) -> ObjectBase.Type {
        func first<Value: _Persistable>(_: Value.Type) -> ObjectBase.Type {
            func second<Tag: ClassStandIn>(_: Tag.Type) -> ObjectBase.Type { Cell<Value, Tag>.self }
            guard let tag = tag as? any ClassStandIn.Type else { return tag }
            return second(tag)
        }
        return first(value)
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
            try realm.write {
                _ = realm.dynamicCreate("Item", value: ["kept": "null", "value": nil] as [String: Any?])
            }
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
    static var valueType: any _Persistable.Type { get }
}

private protocol Filled {
    /// A value for the property, to be found again.
    static var filling: Any? { get }
}

private final class Holding<Value: _Persistable>: ItemClass, Renaming, Filled {
    @Persisted var value: Value

    static var renamed: ItemClass.Type { Renamed<Value>.self }
    static var valueType: any _Persistable.Type { Value.self }
    static var filling: Any? { ObjectStoreTests.filling(Value._propertyType) }
}

/// A class for each type of value and each place in the schema.
private final class Cell<Value: _Persistable, Tag: ClassStandIn>: Object, Filled {
    @Persisted var kept: Int
    @Persisted var value: Value
    override class func _realmObjectName() -> String? { Cells.names.withLock { $0[ObjectIdentifier(Tag.self)] } }
    override class func shouldIncludeInDefaultSchema() -> Bool { false }
    static var filling: Any? { ObjectStoreTests.filling(Value._propertyType) }
}

private enum Cells {
    static let names = Mutex<[ObjectIdentifier: String]>([:])
}

private func filling(_ type: _PropertyType) -> Any? {
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
        case .any: type.collection == .set ? 1 as Any : ["a": [1, "b"] as [Any]]
        }
    switch type.collection {
    case .none: return single
    case .list, .set: return [single]
    case .dictionary: return ["key": single]
    }
}

private final class Renamed<Value: _Persistable>: ItemClass {
    @Persisted var other: Value
}
