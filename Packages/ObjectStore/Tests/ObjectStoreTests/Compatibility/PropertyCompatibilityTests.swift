import Foundation
import ObjectStore
import ObjectStoreTesting
import Testing

@Suite("Programs for RealmSwift: persisted properties")
struct PropertyCompatibilityTests {
    @Test("every type that may be a primary key is one, optional too")
    func primaryKeys() throws {
        func check<Keyed: Object, Key: Equatable>(_ type: Keyed.Type, _ key: KeyPath<Keyed, Key>, _ value: Key) throws {
            let realm = try TemporaryRealm([type]).open()
            let made = try realm.write { realm.create(type, value: ["key": value]) }
            #expect(realm.object(ofType: type, forPrimaryKey: value) == made)
            #expect(made[keyPath: key] == value)
            #expect(made.objectSchema.primaryKeyProperty?.name == "key")
        }
        try check(IntKeyed.self, \.key, 1)
        try check(Int8Keyed.self, \.key, 1)
        try check(Int16Keyed.self, \.key, 1)
        try check(Int32Keyed.self, \.key, 1)
        try check(Int64Keyed.self, \.key, 1)
        try check(StringKeyed.self, \.key, "a")
        try check(IdKeyed.self, \.key, ObjectId.generate())
        try check(UUIDKeyed.self, \.key, UUID())
        try check(EnumKeyed.self, \.key, .large)
        try check(OptionalIntKeyed.self, \.key, nil)
        try check(OptionalStringKeyed.self, \.key, nil)
        try check(OptionalIdKeyed.self, \.key, nil)
        try check(OptionalUUIDKeyed.self, \.key, nil)
    }

    @Test("every type has its default, and may be optional")
    func defaults() throws {
        let before = Date()
        let values = Values()
        #expect((values.int, values.int8, values.int16, values.int32, values.int64) == (0, 0, 0, 0, 0))
        #expect((values.float, values.double, values.decimal) == (0, 0, 0))
        #expect((values.string, values.bool, values.data) == ("", false, Data()))
        #expect(values.objectId != Values().objectId && values.uuid != Values().uuid)
        #expect(values.date >= before && values.date <= Date())
        #expect(values.size == .small && values.draught == Draught(metres: 0) && values.any == .none)
        #expect(values.given == 7 && values.givenIndexed == "x")
        #expect(values.optionalInt == nil && values.optionalDate == nil && values.optionalSize == nil)
        #expect(values.list.isEmpty && values.set.isEmpty && values.map.count == 0)

        let realm = try TemporaryRealm([Values.self]).open()
        try realm.write {
            values.optionalInt = 1
            values.optionalDate = Date(timeIntervalSince1970: 1)
            values.optionalSize = .large
            values.list.append(nil)
            realm.add(values)
        }
        let schema = values.objectSchema
        #expect(values.optionalInt == 1 && values.optionalSize == .large && Array(values.list) == [nil])
        #expect(schema.properties.filter(\.isIndexed).map(\.name).sorted() == Values.indexed)
        #expect(
            schema.properties.filter(\.isOptional)
                .allSatisfy { $0.name.hasPrefix("optional") || $0.isArray || $0.isMap || $0.type == .any }
        )
    }

    @Test("an observer of a property is called")
    func propertyObservers() throws {
        let watched = Watched()
        watched.count = 1
        let realm = try TemporaryRealm([Watched.self]).open()
        try realm.write {
            realm.add(watched)
            watched.count = 2
        }
        #expect(watched.seen == [0, 1])
    }
}

private class IntKeyed: Object { @Persisted(primaryKey: true) var key: Int }
private class Int8Keyed: Object { @Persisted(primaryKey: true) var key: Int8 }
private class Int16Keyed: Object { @Persisted(primaryKey: true) var key: Int16 }
private class Int32Keyed: Object { @Persisted(primaryKey: true) var key: Int32 }
private class Int64Keyed: Object { @Persisted(primaryKey: true) var key: Int64 }
private class StringKeyed: Object { @Persisted(primaryKey: true) var key = "" }
private class IdKeyed: Object { @Persisted(primaryKey: true) var key: ObjectId }
private class UUIDKeyed: Object { @Persisted(primaryKey: true) var key = UUID() }
private class EnumKeyed: Object { @Persisted(primaryKey: true) var key: BoatSize }
private class OptionalIntKeyed: Object { @Persisted(primaryKey: true) var key: Int? }
private class OptionalStringKeyed: Object { @Persisted(primaryKey: true) var key: String? }
private class OptionalIdKeyed: Object { @Persisted(primaryKey: true) var key: ObjectId? }
private class OptionalUUIDKeyed: Object { @Persisted(primaryKey: true) var key: UUID? }

private class Watched: Object {
    @Persisted var count: Int { didSet { seen.append(oldValue) } }
    var seen: [Int] = []
}

private class Values: Object {
    static let indexed = [
        "bool", "date", "givenIndexed", "int", "int16", "int32", "int64", "int8", "objectId", "optionalInt",
        "optionalString", "size", "string", "uuid",
    ]

    @Persisted(indexed: true) var int: Int
    @Persisted(indexed: true) var int8: Int8
    @Persisted(indexed: true) var int16: Int16
    @Persisted(indexed: true) var int32: Int32
    @Persisted(indexed: true) var int64: Int64
    @Persisted(indexed: true) var bool: Bool
    @Persisted(indexed: true) var string: String
    @Persisted(indexed: true) var date: Date
    @Persisted(indexed: true) var objectId: ObjectId
    @Persisted(indexed: true) var uuid: UUID
    @Persisted(indexed: true) var size: BoatSize
    @Persisted(indexed: true) var optionalInt: Int?
    @Persisted(indexed: true) var optionalString: String?
    @Persisted(indexed: true) var givenIndexed = "x"
    @Persisted var given: Int = 7
    @Persisted var float: Float
    @Persisted var double: Double
    @Persisted var decimal: Decimal128
    @Persisted var data: Data
    @Persisted var any: AnyRealmValue
    @Persisted var draught: Draught
    @Persisted var optionalBool: Bool?
    @Persisted var optionalFloat: Float?
    @Persisted var optionalDouble: Double?
    @Persisted var optionalDecimal: Decimal128?
    @Persisted var optionalData: Data?
    @Persisted var optionalDate: Date?
    @Persisted var optionalObjectId: ObjectId?
    @Persisted var optionalUUID: UUID?
    @Persisted var optionalSize: BoatSize?
    @Persisted var optionalDraught: Draught?
    @Persisted var list: List<Int?>
    @Persisted var set: MutableSet<Double>
    @Persisted var map: Map<String, String?>
}
