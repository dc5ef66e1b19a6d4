import Foundation
import ObjectStore
import ObjectStoreTesting
import Testing

@Suite("Programs for RealmSwift: lists, sets and maps")
struct CollectionCompatibilityTests {
    private let realm: Realm
    private let boat: Boat

    init() throws {
        let file = try TemporaryRealm(Harbour.types)
        let realm = try file.open()
        self.realm = realm
        boat = try realm.write { realm.create(Boat.self, value: ["A", "Anna"]) }
    }

    @Test("a list is changed in every way, managed and not", arguments: [false, true])
    func list(isManaged: Bool) throws {
        let tags: List<String> = isManaged ? boat.tags : List<String>()
        try realm.write {
            tags.append("a")
            tags.append(objectsIn: ["b", "c", "d", "e"])
            tags.insert("z", at: 0)
            tags.insert(contentsOf: ["x", "y"], at: 1)
            #expect(Array(tags) == ["z", "x", "y", "a", "b", "c", "d", "e"])
            tags.remove(at: 0)
            tags.removeFirst()
            tags.removeFirst(1)
            tags.removeLast()
            tags.removeLast(1)
            #expect(Array(tags) == ["a", "b", "c"])
            tags.replace(index: 0, object: "A")
            tags[1] = "B"
            tags.move(from: 0, to: 2)
            tags.swapAt(0, 1)
            #expect(Array(tags) == ["c", "B", "A"])
            tags.replaceSubrange(0...1, with: ["1", "2", "3"])
            tags.removeSubrange(1..<2)
            let more: List<String> = ["7", "8"]
            tags[0..<1] = more[0..<2]
            #expect(Array(tags) == ["7", "8", "3", "A"])
            tags.move(fromOffsets: [0, 1], toOffset: 4)
            tags.remove(atOffsets: [0])
            #expect(Array(tags) == ["A", "7", "8"])
        }
        #expect((tags.first, tags.last, tags.count, tags[0]) == ("A", "8", 3, "A"))
        #expect(tags.index(of: "7") == 1 && tags.contains("8") && tags[1...].map { $0 } == ["7", "8"])
        #expect(tags.objects(at: [0, 2]) == ["A", "8"])
        #expect((tags.realm != nil) == isManaged && !tags.isInvalidated && !tags.description.isEmpty)
        let names: [Any] = tags.value(forKey: "self")
        #expect(names as? [String] == ["A", "7", "8"])
        try realm.write { tags.removeAll() }
        #expect(tags.isEmpty)
    }

    @Test("key-value coding of a list makes an array")
    func listKeyValueCoding() throws {
        try realm.write {
            boat.crew.append(objectsIn: [Skipper(name: "Ida"), Skipper(name: "Olaf")])
            boat.crew.setValue(50, forKey: "age")
        }
        let names: [Any] = boat.crew.value(forKey: "name")
        let ages: [Any] = boat.crew.value(forKeyPath: "age")

        #expect(names as? [String] == ["Ida", "Olaf"])
        #expect(ages as? [Int] == [50, 50])
        #expect(boat.crew.value(forKey: "name").count == 2)
        #expect(boat.crew.value(forKeyPath: "@sum.age") as? Int == 100)
        #expect(realm.objects(Skipper.self).value(forKey: "name") as? [String] == ["Ida", "Olaf"])
    }

    @Test("a set is changed and compared in every way, managed and not", arguments: [false, true])
    func set(isManaged: Bool) throws {
        let ports: MutableSet<String> = isManaged ? boat.ports : MutableSet<String>()
        let other = MutableSet<String>()
        other.insert(objectsIn: ["Bergen", "Oslo", "Bodø"])
        try realm.write {
            ports.insert("Oslo")
            ports.insert(objectsIn: ["Bergen", "Oslo"])
            #expect(ports.count == 2 && ports.contains("Oslo") && !ports.contains("Bodø"))
            #expect(ports.isSubset(of: other) && ports.intersects(other))
            ports.formUnion(other)
            #expect(ports.count == 3)
            ports.remove("Oslo")
            ports.formIntersection(other)
            #expect(ports.sorted() == ["Bergen", "Bodø"])
            other.remove("Bodø")
            ports.subtract(other)
        }
        #expect(ports[0] == "Bodø" && Array(ports) == ["Bodø"])
        #expect((ports.realm != nil) == isManaged)
        try realm.write { ports.removeAll() }
        #expect(ports.isEmpty)
    }

    @Test("a map is changed in every way, managed and not", arguments: [false, true])
    func map(isManaged: Bool) throws {
        let cargo: Map<String, Int> = isManaged ? boat.cargo : Map<String, Int>()
        let more = Map<String, Int>()
        more["salt"] = 5
        try realm.write {
            cargo["fish"] = 1
            cargo.updateValue(2, forKey: "coal")
            cargo.setValue(3, forKey: "salt")
            cargo.setValue(nil, forKey: "coal")
            cargo.merge(["fish": 10, "oil": 4]) { old, new in old + new }
            cargo.merge(more) { (old: Int, new: Int) -> Int in new }
            cargo["oil"] = nil
            cargo.removeObject(for: "none")
        }
        #expect(cargo.count == 2 && cargo.keys.sorted() == ["fish", "salt"] && cargo.values.sorted() == [5, 11])
        #expect(cargo["fish"] == 11 && cargo["oil"] == nil)
        #expect(cargo.value(forKey: "fish") as? Int == 11)
        #expect(cargo.object(forKey: "fish") as? Int == 11)
        #expect(cargo.contains { key, value in key == "salt" && value == 5 })
        var seen: [String: Int] = [:]
        for entry in cargo { seen[entry.key] = entry.value }
        #expect(seen == ["fish": 11, "salt": 5])
        #expect(Dictionary(uniqueKeysWithValues: cargo.asKeyValueSequence().map { ($0, $1) }) == seen)
        let entries: [SingleMapEntry<String, Int>] = cargo.map { $0 }
        #expect(entries.count == 2)
        #expect((cargo.min(), cargo.max(), cargo.sum()) == (5, 11, 16))
        #expect(cargo.average() == 8.0)
        #expect(Array(cargo.sorted(ascending: false)) == [11, 5])
        #expect((cargo.realm != nil) == isManaged && !cargo.isInvalidated)
        try realm.write { cargo.removeAll() }
        #expect(cargo.count == 0)
    }

    @Test("the values of a map are queried")
    func mapQueries() throws {
        try realm.write {
            boat.tenders["dinghy"] = Boat("D", name: "Dina")
            boat.tenders["raft"] = Boat("R", name: "Rita")
            boat.tenders["gone"] = .some(nil)
            boat.cargo["fish"] = 1
            boat.cargo["salt"] = 5
        }
        #expect(boat.tenders["dinghy"]??.name == "Dina")
        #expect(boat.cargo.filter("self > 1").first == 5)
        #expect(boat.cargo.where { $0 > 1 }.count == 1)
        #expect(boat.tenders.filter("name == 'Rita'").count == 1)
        #expect(boat.tenders.sorted(byKeyPath: "name", ascending: false).first??.name == "Rita")
    }
}
