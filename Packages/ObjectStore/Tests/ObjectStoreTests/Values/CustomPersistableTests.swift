import Foundation
import ObjectStore
import ObjectStoreTesting
import Testing

/// A type that is persisted as a number.
private struct Celsius: CustomPersistable {
    var degrees: Double
    init(degrees: Double) { self.degrees = degrees }
    init(persistedValue: Double) { degrees = persistedValue }
    var persistableValue: Double { degrees }
}

/// A type that is persisted as text and refuses some.
private struct Code: FailableCustomPersistable {
    let text: String
    init?(persistedValue: String) {
        guard persistedValue != "invalid" else { return nil }
        text = persistedValue
    }
    var persistableValue: String { text }
}

/// A class that is persisted as an id.
private final class Handle: CustomPersistable {
    let id: Int
    init(persistedValue: Int) { id = persistedValue }
    var persistableValue: Int { id }
}

/// An embedded object behind a type of the program.
private class PointObject: EmbeddedObject {
    @Persisted var x: Double
    @Persisted var y: Double
}

/// A type that is persisted as an embedded object.
private struct Point: CustomPersistable {
    typealias PersistedType = PointObject
    var x = 0.0
    var y = 0.0
    init(x: Double, y: Double) { (self.x, self.y) = (x, y) }
    init(persistedValue: PointObject) { (x, y) = (persistedValue.x, persistedValue.y) }
    var persistableValue: PointObject { PointObject(value: ["x": x, "y": y]) }
}

private class CustomHolder: Object {
    @Persisted(primaryKey: true) var id: Handle
    @Persisted(indexed: true) var code: Code
    @Persisted var optionalCode: Code?
    @Persisted var temperature: Celsius
    @Persisted var standard = Celsius(degrees: 21)
    @Persisted var optionalTemperature: Celsius?
    @Persisted var history: List<Celsius>
    @Persisted var optionalHistory: List<Celsius?>
    @Persisted var point: Point
    @Persisted var optionalPoint: Point?
    @Persisted var path: List<Point>
}

/// The same table with the bare types, to store what the custom ones refuse.
private class BareHolder: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted(indexed: true) var code: String
    @Persisted var optionalCode: String?
    override class func _realmObjectName() -> String? { "Refusing" }
}

private class RefusingHolder: Object {
    @Persisted(primaryKey: true) var id: Handle
    @Persisted(indexed: true) var code: Code
    @Persisted var optionalCode: Code?
    override class func _realmObjectName() -> String? { "Refusing" }
    override class func shouldIncludeInDefaultSchema() -> Bool { false }
}

@Suite("Types of the program that are persisted as others")
struct CustomPersistableTests {
    private let file: TemporaryRealm
    private let realm: Realm

    init() throws {
        file = try TemporaryRealm([CustomHolder.self, PointObject.self])
        realm = try file.open()
    }

    private func sample() -> CustomHolder {
        let holder = CustomHolder()
        holder.id = Handle(persistedValue: 1)
        holder.code = Code(persistedValue: "x") ?? holder.code
        holder.temperature = Celsius(degrees: -3.5)
        holder.history.append(objectsIn: [Celsius(degrees: 1), Celsius(degrees: 2)])
        holder.optionalHistory.append(objectsIn: [Celsius(degrees: 1), nil])
        holder.point = Point(x: 1, y: 2)
        holder.path.append(Point(x: 3, y: 4))
        return holder
    }

    @Test("defaults are made from those of the stored type")
    func defaults() {
        let holder = CustomHolder()
        #expect(holder.id.id == 0)
        #expect(holder.code.text == "")
        #expect(holder.optionalCode == nil)
        #expect(holder.temperature.degrees == 0)
        #expect(holder.standard.degrees == 21)
        #expect(holder.point == Point(x: 0, y: 0))
        #expect(holder.optionalPoint == nil)
    }

    @Test("every kind of property comes back after adding and in a second instance")
    func roundTrip() async throws {
        let holder = sample()
        try realm.write { realm in realm.add(holder) }
        #expect(holder.code.text == "x")
        #expect(holder.temperature.degrees == -3.5)
        #expect(holder.standard.degrees == 21)
        #expect(holder.optionalTemperature == nil)
        #expect(holder.history.map(\.degrees) == [1, 2])
        #expect(holder.optionalHistory.map { $0?.degrees } == [1, nil])
        #expect(holder.point == Point(x: 1, y: 2))
        #expect(holder.path.map { $0 } == [Point(x: 3, y: 4)])
        let configuration = file.configuration
        let text =
            try await Task.detached {
                let realm = try Realm(configuration: configuration)
                let holder = realm.object(ofType: CustomHolder.self, forPrimaryKey: Handle(persistedValue: 1))
                return holder.map { "\($0.code.text) \($0.point.y) \($0.history.count)" }
            }
            .value
        #expect(text == "x 2.0 2")
    }

    @Test("managed values are assigned, and rolled back")
    func assignments() throws {
        let holder = sample()
        try realm.write { realm in realm.add(holder) }
        try realm.write {
            holder.temperature = Celsius(degrees: 8)
            holder.optionalTemperature = Celsius(degrees: 9)
            holder.optionalPoint = Point(x: 5, y: 6)
            holder.point = Point(x: 7, y: 8)
            holder.history[0] = Celsius(degrees: 3)
        }
        #expect(holder.temperature.degrees == 8)
        #expect(holder.optionalTemperature?.degrees == 9)
        #expect(holder.optionalPoint == Point(x: 5, y: 6))
        #expect(holder.point == Point(x: 7, y: 8))
        #expect(holder.history.map(\.degrees) == [3, 2])
        realm.beginWrite()
        holder.point = Point(x: 0, y: 0)
        holder.optionalPoint = nil
        #expect(holder.optionalPoint == nil)
        realm.cancelWrite()
        #expect(holder.point == Point(x: 7, y: 8))
        #expect(holder.optionalPoint == Point(x: 5, y: 6))
    }

    @Test("values are made from the type, or from what the stored type accepts")
    func conversions() throws {
        let value: [String: Any] = [
            "id": 2, "code": "y", "optionalCode": NSNull(), "temperature": 4, "history": [1, Celsius(degrees: 2)],
            "point": ["x": 1, "y": 2], "optionalPoint": Point(x: 3, y: 4), "path": [[5, 6], Point(x: 7, y: 8)],
        ]
        for holder in [
            CustomHolder(value: value), try realm.write { realm in realm.create(CustomHolder.self, value: value) },
        ] {
            #expect(holder.id.id == 2)
            #expect(holder.code.text == "y")
            #expect(holder.temperature.degrees == 4)
            #expect(holder.history.map(\.degrees) == [1, 2])
            #expect(holder.point == Point(x: 1, y: 2))
            #expect(holder.optionalPoint == Point(x: 3, y: 4))
            #expect(holder.path.map { $0 } == [Point(x: 5, y: 6), Point(x: 7, y: 8)])
        }
        for (name, refused): (String, Any) in [("code", "invalid"), ("temperature", "warm"), ("path", 1)] {
            #expect(throws: Realm.Error(.invalidInput, "")) {
                try realm.write { realm in _ = realm.create(CustomHolder.self, value: ["id": 3, name: refused]) }
            }
        }
    }

    @Test("a value can be the primary key: found, refused twice, updated")
    func primaryKey() throws {
        try realm.write { realm in realm.add(sample()) }
        #expect(throws: Realm.Error(.objectAlreadyExists, "")) {
            try realm.write { realm in realm.add(sample()) }
        }
        try realm.write { realm in
            _ = realm.create(CustomHolder.self, value: ["id": 1, "temperature": 30], update: .modified)
        }
        let found = realm.object(ofType: CustomHolder.self, forPrimaryKey: 1)
        #expect(found?.temperature.degrees == 30)
        #expect(found?.code.text == "x")
        #expect(realm.objects(CustomHolder.self).filter("code == 'x' AND temperature > 29").count == 1)
    }

    @Test("O12: a stored value that is refused is nil when optional")
    func refusedOptional() async throws {
        let file = try TemporaryRealm([BareHolder.self])
        try await file.inSecondInstance { realm in
            try realm.write { realm in
                _ = realm.create(BareHolder.self, value: ["id": 1, "code": "x", "optionalCode": "invalid"])
            }
        }
        let realm = try file.open { $0.objectTypes = [RefusingHolder.self] }
        let holder = try #require(realm.object(ofType: RefusingHolder.self, forPrimaryKey: 1))
        #expect(holder.optionalCode == nil)
        #expect(holder.code.text == "x")
    }

    @Test("O12: a stored value that is refused traps when required")
    func refusedRequired() async throws {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let file = try TemporaryRealm([BareHolder.self])
            try await file.inSecondInstance { realm in
                try realm.write { realm in
                    _ = realm.create(BareHolder.self, value: ["id": 1, "code": "invalid"])
                }
            }
            let realm = try file.open { $0.objectTypes = [RefusingHolder.self] }
            _ = realm.objects(RefusingHolder.self).first?.code
        }
        let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(text.contains("'Code' refuses the value of 'Refusing.code'"), "\(text.prefix(400))")
    }
}

/// An enumeration as a key.
private enum Floor: Int, PersistableEnum {
    case ground, first
}

private enum Wing: String, PersistableEnum {
    case north, south
}

private class FloorRoom: Object {
    @Persisted(primaryKey: true) var floor: Floor
    @Persisted(indexed: true) var wing: Wing
    @Persisted(indexed: true) var optionalWing: Wing?
    @Persisted var floors: List<Floor>
    @Persisted var optionalFloors: List<Floor?>
}

private class BareRoom: Object {
    @Persisted(primaryKey: true) var floor: Int
    @Persisted(indexed: true) var wing: String
    @Persisted(indexed: true) var optionalWing: String?
    @Persisted var floors: List<Int>
    @Persisted var optionalFloors: List<Int?>
    override class func _realmObjectName() -> String? { "FloorRoom" }
    override class func shouldIncludeInDefaultSchema() -> Bool { false }
}

@Suite("Enumerations as keys and in indexes")
struct PersistableEnumTests {
    @Test("an enumeration is a primary key by its raw value and can be indexed; cases are ordered by raw value")
    func primaryKey() throws {
        let realm = try TemporaryRealm([FloorRoom.self]).open()
        try realm.write { realm in
            _ = realm.create(FloorRoom.self, value: ["floor": 1, "wing": "south", "floors": [0, Floor.first]])
            _ = realm.create(FloorRoom.self, value: ["floor": Floor.ground, "optionalFloors": [nil, 1] as [Any?]])
        }
        #expect(realm.object(ofType: FloorRoom.self, forPrimaryKey: Floor.first)?.wing == .south)
        #expect(realm.object(ofType: FloorRoom.self, forPrimaryKey: 1)?.floors.map { $0 } == [.ground, .first])
        #expect(realm.object(ofType: FloorRoom.self, forPrimaryKey: 0)?.optionalFloors.map { $0 } == [nil, .first])
        #expect(realm.objects(FloorRoom.self).where { $0.wing == .south }.count == 1)
        #expect(realm.objects(FloorRoom.self).sorted(by: \.floor).map(\.floor) == [.ground, .first])
        #expect(Floor.ground < .first)
        #expect(throws: Realm.Error(.objectAlreadyExists, "")) {
            try realm.write { realm in _ = realm.create(FloorRoom.self, value: ["floor": 1]) }
        }
    }

    /// A file with a room whose values are no cases, to be read as enumerations.
    private static func fileWithUnknownCases() async throws -> TemporaryRealm {
        let file = try TemporaryRealm([BareRoom.self])
        try await file.inSecondInstance { realm in
            try realm.write { realm in
                let value: [String: Any] = ["floor": 9, "wing": "west", "optionalWing": "east", "optionalFloors": [9]]
                _ = realm.create(BareRoom.self, value: value)
            }
        }
        return file
    }

    @Test("O12: an unknown raw value is nil in an optional property and in a list of optionals")
    func unknownOptional() async throws {
        let realm = try await Self.fileWithUnknownCases().open { $0.objectTypes = [FloorRoom.self] }
        let room = try #require(realm.objects(FloorRoom.self).first)
        #expect(room.optionalWing == nil)
        #expect(room.optionalFloors.map { $0 } == [nil])
    }

    @Test("O12: an unknown raw value traps in a required property")
    func unknownRequired() async throws {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let realm = try await PersistableEnumTests.fileWithUnknownCases().open { $0.objectTypes = [FloorRoom.self] }
            _ = realm.objects(FloorRoom.self).first?.wing
        }
        let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(text.contains("'FloorRoom.wing' is not a case of 'Wing'"), "\(text.prefix(400))")
    }
}
