import Dispatch
import Foundation
import ObjectStore
import ObjectStoreTesting
import Testing

@Suite("Programs for RealmSwift: results and what they have in common with other collections")
struct ResultsCompatibilityTests {
    private let realm: Realm
    private let boat: Boat

    init() throws {
        let file = try TemporaryRealm(Harbour.types)
        let realm = try file.open()
        self.realm = realm
        boat = try realm.write {
            let boat = realm.create(Boat.self, value: ["A", "Anna"])
            boat.crew.append(objectsIn: [("Ida", 40), ("Per", nil), ("Ola", 20)].map { Skipper(name: $0, age: $1) })
            boat.guests.insert(objectsIn: boat.crew)
            boat.captain = boat.crew[0]
            boat.launched = Date(timeIntervalSince1970: 1000)
            boat.draught = Draught(metres: 2.5)
            boat.depths.append(objectsIn: [3, nil, 1])
            boat.tags.append(objectsIn: ["b", "a", "b"])
            return boat
        }
    }

    /// What a program does with any collection of the crew.
    private func check<C: RealmCollection>(_ crew: C) throws where C.Element == Skipper {
        #expect(crew.realm == realm && !crew.isInvalidated && !crew.isFrozen && crew.count == 3)
        let first = try #require(crew.sorted(byKeyPath: "name").first)
        #expect(first.name == "Ida")
        #expect(crew.sorted(byKeyPath: "name", ascending: false).last == first)
        #expect(crew.sorted(by: \.name).first == first)
        #expect(crew.sorted(by: \Skipper.name, ascending: false).map(\.name) == ["Per", "Ola", "Ida"])
        #expect(crew.sorted(by: \.age).first?.name == "Per")
        #expect(crew.sorted(by: ["age", SortDescriptor(keyPath: "name")]).first?.name == "Per")
        #expect(crew.sorted(by: [SortDescriptor(keyPath: \Skipper.age, ascending: false)]).first == first)

        #expect(crew.index(of: first) != nil)
        #expect(crew.index(matching: "name == %@", "Nobody") == nil)
        #expect(crew.index(matching: "age > 30") == crew.index(of: first))
        #expect(crew.index(matching: { $0.name == "Ida" }) == crew.index(of: first))
        #expect(crew.objects(at: IndexSet(integersIn: 0..<2)).count == 2)
        #expect(crew.filter("age >= %d AND name BEGINSWITH[c] %@", 20, "i").count == 1)
        #expect(crew.where { $0.age > 10 && $0.name.contains("a") }.count == 2)
        let adults: [Skipper] = crew.filter { ($0.age ?? 0) > 30 }
        #expect(adults == [first])

        #expect(crew.distinct(by: ["rank"]).count == 1)
        #expect(crew.distinct(by: [\.name, \Skipper.age]).count == 3)
        #expect(crew.distinct().count == 3)
        #expect(crew.min(ofProperty: "age") == 20 && crew.max(ofProperty: "age") == 40)
        #expect(crew.sum(ofProperty: "age") == 60 && crew.average(ofProperty: "age") == 30.0)
        #expect(crew.min(of: \.age) == 20 && crew.max(of: \.age) == 40)
        #expect(crew.sum(of: \.age) == 60 && crew.average(of: \.age) == 30.0)
        #expect((crew.value(forKey: "name") as? [String])?.count == 3)
        #expect(crew.value(forKeyPath: "@max.age") as? Int == 40)
        try realm.write { crew.setValue(Rank.captain, forKey: "rank") }
        #expect(boat.crew.allSatisfy { $0.rank == .captain })
        #expect(crew == crew && !crew.description.isEmpty)
        #expect(crew[crew.startIndex] == crew.first && crew[crew.endIndex - 1] == crew.last)
        #expect(crew.map(\.name).count == 3 && crew.contains(first) && crew.reversed().count == 3)
        #expect(AnyRealmCollection(crew).sorted(by: \.name).first == first)
    }

    @Test("every kind of collection sorts, finds, filters, reduces and is read by key")
    func everyKind() throws {
        try check(realm.objects(Skipper.self))
        try check(boat.crew)
        try check(boat.guests)
        try check(AnyRealmCollection(boat.crew))
        try check(realm.objects(Skipper.self).where { $0.name != "" })
    }

    @Test("values sort and reduce without a key")
    func values() {
        #expect(Array(boat.tags.sorted()) == ["a", "b", "b"])
        let results: Results<String> = boat.tags.sorted(ascending: false)
        #expect(Array(results) == ["b", "b", "a"])
        #expect(Array(boat.tags.distinct()) == ["b", "a"])
        #expect(boat.depths.min() == 1 && boat.depths.max() == 3 && boat.depths.sum() == 4)
        #expect(boat.depths.average() == 2.0)
        #expect(realm.objects(Boat.self).max(of: \.launched) == Date(timeIntervalSince1970: 1000))
    }

    @Test("linking objects show who links")
    func linkingObjects() throws {
        let ida = try #require(boat.captain)
        let boats: LinkingObjects<Boat> = ida.boats

        #expect(boats.count == 1 && boats.first == boat && boats.realm == realm)
        #expect(Array(boats.filter("name == 'Anna'")) == [boat])
        #expect(boats.where { $0.captain.name == "Ida" }.count == 1)
        #expect(Skipper().boats.isEmpty)
    }

    @Test("sort descriptors are literals, can be reversed and compared")
    func sortDescriptors() {
        let descriptor: ObjectStore.SortDescriptor = "name"
        #expect(descriptor == SortDescriptor(keyPath: "name", ascending: true))
        #expect(descriptor.reversed() == SortDescriptor(keyPath: \Skipper.name, ascending: false))
        #expect((descriptor.keyPath, descriptor.ascending) == ("name", true))
    }

    @Test("collections and maps are observed with and without key paths")
    func observing() throws {
        let file = try TemporaryRealm(Harbour.types)
        let queue = DispatchQueue(label: "harbour")
        var told: [String] = []
        var tokens: [NotificationToken] = []
        func note<C>(_ name: String, _ change: RealmCollectionChange<C>) {
            switch change {
            case .initial: told.append("\(name) initial")
            case .update(_, let deletions, let insertions, let modifications):
                told.append("\(name) \(deletions) \(insertions) \(modifications)")
            case .error(let error): told.append("\(error)")
            }
        }
        try queue.sync {
            let realm = try Realm(configuration: file.configuration, queue: queue)
            let boat = try realm.write { realm.create(Boat.self, value: ["A"]) }
            tokens = [
                realm.objects(Boat.self).observe { note("boats", $0) },
                boat.crew.observe(keyPaths: ["name"]) { note("crew", $0) },
                boat.tags.observe(on: queue) { note("tags", $0) },
                realm.objects(Boat.self).observe(keyPaths: [\Boat.size]) { note("sizes", $0) },
                boat.cargo.observe { (change: RealmMapChange<Map<String, Int>>) in
                    switch change {
                    case .initial: told.append("cargo initial")
                    case .update(let map, let deletions, let insertions, let modifications):
                        told.append("cargo \(map.count) \(deletions) \(insertions) \(modifications)")
                    case .error(let error): told.append("\(error)")
                    }
                },
            ]
        }
        queue.sync {}
        try queue.sync {
            let realm = try Realm(configuration: file.configuration, queue: queue)
            let boat = try #require(realm.objects(Boat.self).first)
            try realm.write {
                boat.name = "Anna"
                boat.crew.append(Skipper(name: "Ida"))
                boat.tags.append("fast")
                boat.cargo["fish"] = 1
            }
        }
        queue.sync {}
        queue.sync {}

        queue.sync {
            #expect(told.filter { $0.hasSuffix("initial") }.count == 5)
            #expect(told.contains("boats [] [] [0]"))
            #expect(told.contains("crew [] [0] []") && told.contains("tags [] [0] []"))
            #expect(told.contains("cargo 1 [] [\"fish\"] []"))
            #expect(told.filter { $0.hasPrefix("sizes") } == ["sizes initial"])
            for token in tokens { token.invalidate() }
            tokens = []
        }
    }
}
