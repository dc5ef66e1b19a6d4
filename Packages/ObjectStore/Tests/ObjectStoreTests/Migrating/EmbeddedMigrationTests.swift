import Dispatch
import EventModel
import Foundation
import ObjectStoreTesting
import Testing

@testable import ObjectStore

/// The classes of four programs, from old to new; what is not declared again is the same.
private enum Old {
    final class Room: EmbeddedObject {
        @Persisted var number: Int
        @Persisted var payload: AnyRealmValue
        override class func _realmObjectName() -> String? { "MovedRoom" }
        override class func shouldIncludeInDefaultSchema() -> Bool { false }
    }

    final class House: Object {
        @Persisted(primaryKey: true) var id: Int
        @Persisted var name: String
        @Persisted var hall: Room?
        @Persisted var rooms: List<Room>
        @Persisted var named: Map<String, Room?>
        override class func _realmObjectName() -> String? { "MovedHouse" }
        override class func shouldIncludeInDefaultSchema() -> Bool { false }
    }

    final class Street: Object {
        @Persisted(primaryKey: true) var id: Int
        @Persisted var first: House?
        @Persisted var houses: List<House>
        @Persisted var corner: Room?
        @Persisted var payload: AnyRealmValue
        override class func _realmObjectName() -> String? { "MovedStreet" }
        override class func shouldIncludeInDefaultSchema() -> Bool { false }
    }

    static let types: [ObjectBase.Type] = [Room.self, House.self, Street.self]
}

private enum Without {
    final class House: Object {
        @Persisted(primaryKey: true) var id: Int
        @Persisted var name: String
        override class func _realmObjectName() -> String? { "MovedHouse" }
        override class func shouldIncludeInDefaultSchema() -> Bool { false }
    }
}

private enum Renamed {
    final class House: Object {
        @Persisted(primaryKey: true) var id: Int
        @Persisted var name: String
        @Persisted var entrance: Old.Room?
        @Persisted var chambers: List<Old.Room>
        override class func _realmObjectName() -> String? { "MovedHouse" }
        override class func shouldIncludeInDefaultSchema() -> Bool { false }
    }
}

private enum Added {
    final class House: Object {
        @Persisted(primaryKey: true) var id: Int
        @Persisted var name: String
        @Persisted var entrance: Old.Room?
        @Persisted var chambers: List<Old.Room>
        @Persisted var friends: List<House>
        @Persisted var payload: AnyRealmValue
        override class func _realmObjectName() -> String? { "MovedHouse" }
        override class func shouldIncludeInDefaultSchema() -> Bool { false }
    }
}

private enum Embedding {
    final class House: EmbeddedObject {
        @Persisted var id: Int
        @Persisted var name: String
        override class func _realmObjectName() -> String? { "MovedHouse" }
        override class func shouldIncludeInDefaultSchema() -> Bool { false }
    }

    final class Village: Object {
        @Persisted(primaryKey: true) var id: Int
        @Persisted var houses: List<House>
        override class func _realmObjectName() -> String? { "MovedVillage" }
        override class func shouldIncludeInDefaultSchema() -> Bool { false }
    }
}

@Suite("Migrations of what contains other objects")
struct EmbeddedMigrationTests {
    private let file: TemporaryRealm

    init() throws {
        file = try TemporaryRealm(Old.types)
        try onThread { [file] in
            try file.open()
                .write { realm in
                    let rooms = (1...2).map { ["number": $0, "payload": [1, [2]]] as [String: Any] }
                    let houses = (1...3)
                        .map { id in
                            realm.create(
                                Old.House.self,
                                value: ["id": id, "hall": rooms[0], "rooms": rooms, "named": ["a": rooms[1]]]
                            )
                        }
                    let street = realm.create(
                        Old.Street.self,
                        value: ["id": 1, "first": houses[0], "houses": [houses[0], houses[2]], "corner": rooms[0]]
                    )
                    street.payload = .fromArray([.object(houses[2])])
                }
        }
    }

    /// Opens the file with other classes, on a thread of its own, and closes it.
    private func migrate(
        _ types: [ObjectBase.Type],
        to version: UInt64 = 1,
        _ block: MigrationBlock? = nil,
        _ look: @escaping @Sendable (Realm) throws -> Void = { _ in }
    ) throws {
        var configuration = file.configuration
        configuration.objectTypes = types
        configuration.schemaVersion = version
        configuration.migrationBlock = block
        let used = configuration
        try onThread { try look(Realm(configuration: used)) }
    }

    private func problems() throws -> [String] {
        try FileIntegrity(try #require(file.configuration.fileURL)).problems()
    }

    private func count(_ table: String) throws -> Int64 {
        let connection = try Connection(
            fileURL: try #require(file.configuration.fileURL),
            isReadOnly: true,
            isDurable: true
        )
        let statement = try connection.prepare("SELECT count(*) FROM \"\(table)\"")
        defer { statement.reset() }
        return try statement.step() ? statement.int(0) : 0
    }

    @Test("the rows of removed embedded properties go, with what is nested in them; those of other classes stay")
    func removed() throws {
        #expect(try count("MovedRoom") == 13)

        try migrate([Without.House.self, Old.Room.self])

        #expect(try count("MovedRoom") == 1, "The corner of the street is left.")
        #expect(try problems() == [])
    }

    @Test("so do those of a class that the program does not have any more either")
    func removedWithClass() throws {
        try migrate([Without.House.self])

        #expect(try count("MovedRoom") == 1)
        #expect(try problems() == [])
    }

    @Test("the rows of renamed embedded properties stay, those of the one that was not renamed go")
    func renamed() throws {
        try migrate(
            [Renamed.House.self, Old.Room.self],
            { migration, _ in
                migration.renameProperty(onType: "MovedHouse", from: "hall", to: "entrance")
                migration.renameProperty(onType: "MovedHouse", from: "rooms", to: "chambers")
            },
            { realm in
                let houses = realm.objects(Renamed.House.self)
                #expect(houses.map { $0.entrance?.number } == [1, 1, 1])
                #expect(houses.map { $0.chambers.map(\.number) } == [[1, 2], [1, 2], [1, 2]])
                #expect(houses.first?.entrance?.payload.listValue?[1].listValue?[0] == .int(2))
            }
        )

        #expect(try count("MovedRoom") == 10)
        #expect(try problems() == [])
    }

    @Test("a class whose data is deleted takes its parts along, and links of other programs' classes to it end")
    func dropped() throws {
        try migrate([Old.Room.self]) { migration, _ in migration.deleteData(forType: "MovedHouse") }

        #expect(try count("MovedRoom") == 1)
        #expect(try problems() == [])
        // The class may come again, and its first objects have the keys that the deleted ones had.
        try migrate(Old.types, to: 2, nil) { realm in
            try realm.write { realm in realm.create(Old.House.self, value: ["id": 9]) }
            let street = try #require(realm.objects(Old.Street.self).first)
            #expect(street.first == nil)
            #expect(street.houses.isEmpty)
            #expect(street.payload.listValue?[0] == AnyRealmValue.none)
        }
        #expect(try problems() == [])
    }

    @Test("a class becomes embedded only if it has one parent among all classes of the file")
    func embedding() throws {
        let error = #expect(throws: Realm.Error.self) { try migrate([Embedding.House.self, Embedding.Village.self]) }
        #expect(error?.code == .schemaMismatch)
        #expect(error?.message.contains("more than one parent") == true)

        // House 1 is in the street twice, house 2 nowhere, house 3 in its list.
        try migrate(Old.types, to: 0, nil) { realm in
            try realm.write { realm.objects(Old.Street.self).first?.first = nil }
        }
        try migrate([Embedding.House.self, Embedding.Village.self])

        #expect(try count("MovedHouse") == 2)
        #expect(try count("MovedStreet.houses") == 2)
        #expect(try count("MovedRoom") == 1)
    }

    @Test("an older program that is open meanwhile deletes objects with what a newer one added to them")
    func older() throws {
        var configuration = file.configuration
        configuration.objectTypes = [Without.House.self]
        configuration.schemaVersion = 1
        let queue = DispatchQueue(label: "older")
        let older = try queue.sync { [configuration] in try Realm(configuration: configuration, queue: queue) }
        queue.sync { #expect(older.objects(Without.House.self).count == 3) }
        try migrate([Added.House.self, Old.Room.self], to: 2, nil) { realm in
            try realm.write {
                let houses = Array(realm.objects(Added.House.self))
                for house in houses {
                    house.entrance = Old.Room(value: ["number": 5, "payload": [1]])
                    house.chambers.append(objectsIn: [Old.Room(), Old.Room(value: ["payload": ["a": [1]]])])
                    house.friends.append(objectsIn: houses)
                    house.payload = .fromArray([.object(houses[0]), .fromArray([.object(houses[1])])])
                }
            }
        }
        #expect(try count("MovedRoom") == 10)

        try queue.sync {
            try older.write {
                older.objects(Without.House.self).filter("id == 1").first.map(older.delete)
                older.delete(older.objects(Without.House.self).filter("id == 2"))
            }
        }

        #expect(try problems() == [])
        #expect(try count("MovedRoom") == 4)
        try migrate([Added.House.self, Old.Room.self], to: 2, nil) { realm in
            let house = try #require(realm.objects(Added.House.self).first)
            #expect(house.friends.map(\.id) == [3])
            #expect(house.payload.listValue?[0] == AnyRealmValue.none)
        }
        withExtendedLifetime(older) {}
    }
}
