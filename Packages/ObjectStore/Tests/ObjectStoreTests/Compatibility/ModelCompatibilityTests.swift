import Dispatch
import Foundation
import ObjectStore
import ObjectStoreTesting
import Testing

@Suite("Programs for RealmSwift: models")
struct ModelCompatibilityTests {
    private let file: TemporaryRealm
    private let realm: Realm

    init() throws {
        file = try TemporaryRealm(Harbour.types)
        realm = try file.open()
    }

    @Test("an object knows its realm, class, validity and description")
    func members() throws {
        let boat = Boat(value: ["registration": "A", "name": "Anna"])
        #expect(boat.realm == nil)
        #expect(!boat.isInvalidated && !boat.isFrozen)
        #expect(Boat.className() == "Boat")
        #expect(boat.objectSchema.className == "Boat")
        try realm.write { realm.add(boat) }

        #expect(boat.realm == realm)
        #expect(boat.description.contains("Anna"))
        #expect(boat.nickname == "the Anna")
        let again = try #require(realm.object(ofType: Boat.self, forPrimaryKey: "A"))
        #expect(boat.isSameObject(as: again))
        #expect(!boat.isSameObject(as: nil))
        #expect(boat == again)
        #expect(boat.isEqual(again) && boat.hash == again.hash && Set([boat, again]).count == 1)
        try realm.write { realm.delete(boat) }
        #expect(boat.isInvalidated)
        #expect(boat.realm == nil)
    }

    @Test("properties are read and written by name, alone and along a path")
    func keyValueCoding() throws {
        let boat = try realm.write { realm.create(Boat.self, value: ["A", "Anna"]) }
        try realm.write {
            boat["name"] = "Berta"
            boat.setValue(["material": "wood"], forKey: "hull")
            boat["captain"] = Skipper(name: "Ida", age: 44)
        }

        #expect(boat["name"] as? String == "Berta")
        #expect(boat.value(forKey: "name") as? String == "Berta")
        #expect(boat.value(forKeyPath: "captain.name") as? String == "Ida")
        #expect(boat.value(forKeyPath: "hull.material") as? String == "wood")
        #expect(boat.value(forKeyPath: "name") as? String == "Berta")
        #expect(boat.value(forKeyPath: "crew.@count") as? Int == 0)
        try realm.write {
            boat.setValue(45, forKeyPath: "captain.age")
            boat.crew.append(objectsIn: [Skipper(name: "Olaf"), Skipper(name: "Per")])
        }
        #expect(boat.captain?.age == 45)
        #expect(boat.value(forKeyPath: "crew.name") as? [String] == ["Olaf", "Per"])
        try realm.write { boat.captain = nil }
        #expect(boat.value(forKeyPath: "captain.name") == nil)
        #expect(boat.value(forKeyPath: "tenders.@count") as? Int == 0)
        #expect(Boat("U", name: "Unmanaged").value(forKeyPath: "name") as? String == "Unmanaged")
    }

    @Test("an embedded object has the members of an object")
    func embedded() throws {
        let boat = Boat("A")
        let hull = Hull(value: ["length": 12.5])
        boat.hull = hull
        try realm.write { realm.add(boat) }

        #expect(hull.realm == realm && !hull.isInvalidated && !hull.isFrozen)
        #expect(hull.isSameObject(as: boat.hull))
        #expect(hull["length"] as? Double == 12.5)
        #expect(hull.boats.first == boat)
        #expect(Hull.className() == "Hull" && hull.objectSchema.isEmbedded)
        #expect(hull.description.contains("steel"))
        try realm.write { realm.delete(hull) }
        #expect(boat.hull == nil)
    }

    @Test("an asymmetric object has its initialisers, schema and subscript")
    func asymmetric() {
        let report = TideReport(value: ["station": "Pier 4"])
        report.height = 2
        report["height"] = Float(3)

        #expect(report["station"] as? String == "Pier 4")
        #expect(report.height == 3)
        #expect(report.objectSchema.isAsymmetric)
        #expect(TideReport.propertiesMapping() == [:])
    }

    @Test("class methods can be overridden")
    func overriding() throws {
        let mapped = try TemporaryRealm([Buoy.self]).open()
        let buoy = try mapped.write { mapped.create(Buoy.self, value: ["colour": "red"]) }

        #expect(Buoy.className() == "Marker")
        #expect(!Buoy.shouldIncludeInDefaultSchema())
        #expect(buoy.objectSchema["colour"]?.columnName == "color")
        #expect(buoy.description == "a red buoy")
        #expect(mapped.schema["Marker"]?.objectClass is Buoy.Type)
    }

    @Test("an object is observed whole, by names and by key paths")
    func observing() throws {
        let queue = DispatchQueue(label: "harbour")
        let realm = try queue.sync { [file] in try Realm(configuration: file.configuration, queue: queue) }
        var told: [String] = []
        let (boat, tokens) = try queue.sync { () throws -> (Boat, [NotificationToken]) in
            let boat = try realm.write { realm.create(Boat.self, value: ["A"]) }
            let whole: NotificationToken = boat.observe { (change: ObjectChange<Boat>) in
                switch change {
                case .error(let error): told.append("\(error.code)")
                case .change(let object, let properties):
                    let names = properties.map { (property: PropertyChange) in
                        "\(property.name) \(property.oldValue ?? "-") \(property.newValue ?? "-")"
                    }
                    told.append("\(object.registration): \(names)")
                case .deleted: told.append("deleted")
                }
            }
            let named = boat.observe(keyPaths: ["size"]) { (_: ObjectChange<Boat>) in told.append("size") }
            let typed = boat.observe(keyPaths: [\Boat.tags]) { _ in told.append("tags") }
            let onQueue = boat.observe(keyPaths: ["visits"].filter { _ in false }, on: queue) {
                (_: ObjectChange<Boat>) in
            }
            return (boat, [whole, named, typed, onQueue])
        }
        try queue.sync { try realm.write { boat.name = "Anna" } }
        queue.sync {}
        try queue.sync {
            try realm.write {
                boat.size = .large
                boat.tags.append("fast")
            }
        }
        queue.sync {}
        try queue.sync { try realm.write { realm.delete(boat) } }
        queue.sync {}

        queue.sync {
            #expect(told.first == "A: [\"name - Anna\"]")
            #expect(told.filter { $0 == "size" }.count == 2 && told.filter { $0 == "tags" }.count == 2)
            #expect(told.contains("deleted"))
            for token in tokens { token.invalidate() }
        }
    }
}

private class Buoy: Object {
    @Persisted var colour: String
    override class func propertiesMapping() -> [String: String] { ["colour": "color"] }
    override class func shouldIncludeInDefaultSchema() -> Bool { false }
    override class func _realmObjectName() -> String? { "Marker" }
    override var description: String { "a \(colour) buoy" }
}
