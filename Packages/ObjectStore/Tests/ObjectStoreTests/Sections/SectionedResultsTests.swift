import EventModelTesting
import Foundation
import ObjectStore
import ObjectStoreTesting
import Testing

@Suite("Sectioned results")
struct SectionedResultsTests {
    private let file: TemporaryRealm
    private let realm: Realm
    private let bales: Results<Bale>

    init() throws {
        file = try TemporaryRealm(Bale.types)
        realm = try file.open()
        try realm.write { Bale.fill($0) }
        bales = realm.objects(Bale.self)
    }

    @Test("objects are sorted by a property and are in sections of its values")
    func byProperty() {
        let sections = bales.sectioned(by: \.town)

        #expect(sections.allKeys == ["Graz", "Linz", "Wels", "Wien"])
        #expect(sections.count == 4)
        #expect(sections.map(\.key) == sections.allKeys)
        #expect(sections.map { $0.map(\.id) } == [[2, 4], [1, 6], [5], [3]])
        #expect(bales.sectioned(by: \.town, ascending: false).allKeys == ["Wien", "Wels", "Linz", "Graz"])
    }

    @Test("elements are found by an index in a section and by a path")
    func subscripts() {
        let sections = bales.sectioned(by: \.town)

        #expect(sections[1].key == "Linz")
        #expect(sections[1].id == "Linz")
        #expect(sections[1].count == 2)
        #expect(sections[1][1].id == 6)
        #expect(sections[IndexPath(indexes: [0, 1])].id == 4)
        #expect(sections[0].first?.id == 2)
        #expect(sections[0].last?.id == 4)
    }

    @Test("the key can be computed, in an order of its own")
    func computed() {
        let byKeyPath = bales.sectioned(
            by: \.initial,
            sortDescriptors: [ObjectStore.SortDescriptor(keyPath: \Bale.town)]
        )
        let byBlock = bales.sectioned(
            by: { $0.weight > 2 },
            sortDescriptors: ["weight", "id"]
        )

        #expect(byKeyPath.allKeys == ["G", "L", "W"])
        #expect(byKeyPath[2].map(\.id) == [5, 3])
        #expect(byBlock.allKeys == [false, true])
        #expect(byBlock.map { $0.map(\.id) } == [[2, 6, 3], [1, 5, 4]])
    }

    @Test("all elements of a key are in one section, also where the order has others between them")
    func scattered() {
        let sections = bales.sectioned(by: \.town, sortDescriptors: ["id"])

        #expect(sections.allKeys == ["Linz", "Graz", "Wien", "Wels"])
        #expect(sections.map { $0.map(\.id) } == [[1, 6], [2, 4], [3], [5]])
        #expect(sections[1][1].id == 4)
    }

    @Test("the key may be optional, and may lie behind a link")
    func optionalKeys() throws {
        try realm.write { _ in bales[0].label = "fragile" }

        #expect(bales.sectioned(by: \.label).allKeys == [nil, "fragile"])
        let byDepot = bales.sectioned(by: { $0.depot?.name }, sortDescriptors: ["id"])
        #expect(byDepot.allKeys == ["North", nil])
    }

    @Test("every collection can be put into sections")
    func collections() throws {
        let depot = try #require(realm.objects(BaleDepot.self).first)

        #expect(depot.bales.sectioned(by: \.town).map(\.count) == [2, 1, 1])
        #expect(depot.urgent.sectioned(by: \.town).allKeys == ["Graz"])
        #expect(AnyRealmCollection(depot.bales).sectioned(by: \.town).allKeys == ["Graz", "Linz", "Wien"])
        #expect(bales.where { $0.weight > 1 }.sectioned(by: \.town).map(\.count) == [1, 1, 1, 1])
        #expect(bales[0].depots.sectioned(by: \.name).allKeys == ["North"])
        let codes = depot.codes.sectioned(by: { String($0.prefix(1)) })
        #expect(codes.map { Array($0) } == [["a1"], ["b1", "b2"], ["c1"]])
        #expect(depot.codes.sectioned(by: { String($0.prefix(1)) }, ascending: false).allKeys == ["c", "b", "a"])
    }

    @Test("unmanaged collections can be put into sections, as they are")
    func unmanaged() {
        let depot = BaleDepot()
        depot.bales.append(objectsIn: [Bale.make(1, "Wels"), Bale.make(2, "Graz"), Bale.make(3, "Wels")])
        let sections = depot.bales.sectioned(by: \.town)

        #expect(sections.map { $0.map(\.id) } == [[2], [1, 3]])
        #expect(sections.realm == nil)
    }

    @Test("projections can be put into sections")
    func projections() {
        let sections = realm.objects(BaleLabel.self).sectioned(by: \.town)

        #expect(sections.allKeys == ["Graz", "Linz", "Wels", "Wien"])
        #expect(sections[0].map(\.grams) == [1, 5])
    }

    @Test("sections follow the version of the realm, and a section its key")
    func live() throws {
        let sections = bales.sectioned(by: \.town)
        let linz = sections[1]
        try realm.write { realm in
            realm.add(Bale.make(7, "Bonn"))
            realm.object(ofType: Bale.self, forPrimaryKey: 6)?.town = "Wien"
            #expect(sections.allKeys.first == "Bonn")
        }

        #expect(sections.allKeys == ["Bonn", "Graz", "Linz", "Wels", "Wien"])
        #expect(linz.map(\.id) == [1])
        #expect(sections[4].map(\.id) == [3, 6])

        try realm.write { $0.delete(bales.where { $0.town == "Linz" }) }
        #expect(linz.count == 0)
        #expect(linz.key == "Linz")
    }

    @Test("a loop over a section may delete its elements")
    func deletingLoop() throws {
        let sections = bales.sectioned(by: \.town)
        try realm.write { realm in
            for bale in sections[1] { realm.delete(bale) }
        }

        #expect(sections.allKeys == ["Graz", "Wels", "Wien"])
    }

    @Test("frozen sections stay as they were, may be used anywhere, and thaw")
    func freezing() async throws {
        let sections = bales.sectioned(by: \.initial, sortDescriptors: ["town"])
        let frozen = sections.freeze()
        let section = sections[0].freeze()
        try realm.write { $0.deleteAll() }

        let (all, one) = (Frozen(frozen), Frozen(section))
        try onThread {
            #expect(all.value.allKeys == ["G", "L", "W"])
            #expect(all.value[1].map(\.town) == ["Linz", "Linz"])
            #expect(one.value.map(\.town) == ["Graz", "Graz"])
        }
        #expect(frozen.isFrozen && section.isFrozen && !sections.isFrozen)
        #expect(frozen.thaw()?.count == 0)
        #expect(section.thaw()?.count == 0)
    }

    @Test("sections and a section reach another thread")
    func threads() throws {
        let sections = bales.sectioned(by: \.initial, sortDescriptors: ["town"])
        let all = ThreadSafeReference(to: sections)
        let one = ThreadSafeReference(to: sections[2])
        let file = file

        try onThread {
            let realm = try file.open()
            #expect(realm.resolve(all)?.allKeys == ["G", "L", "W"])
            #expect(realm.resolve(one)?.map(\.town) == ["Wels", "Wien"])
        }
    }

    @Test("sections are invalid once their realm is, and equal their copies")
    func validity() {
        let sections = bales.sectioned(by: \.town)
        let copy = sections
        #expect(sections == copy && sections[0] == copy[0] && sections[0] != copy[1])
        #expect(sections.realm == realm && sections[0].realm == realm)

        realm.invalidate()

        #expect(sections.isInvalidated && copy.isInvalidated)
    }

    @Test("nothing is in no sections")
    func empty() throws {
        try realm.write { $0.deleteAll() }

        #expect(bales.sectioned(by: \.town).isEmpty)
        #expect(bales.sectioned(by: \.town).allKeys.isEmpty)
    }

    @Test("random elements are in the sections of a plain grouping", arguments: 0..<20 as Range<UInt64>)
    func random(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let count = Int.random(in: 0...200, using: &generator)
        let towns = Int.random(in: 1...40, using: &generator)
        let elements = (0..<count)
            .map { id in
                (
                    id: id, town: "T\(Int.random(in: 0..<towns, using: &generator))",
                    weight: Int.random(in: 0...9, using: &generator)
                )
            }
        try realm.write { realm in
            realm.deleteAll()
            realm.add(elements.shuffled(using: &generator).map { Bale.make($0.id, $0.town, $0.weight) })
        }

        let ordered = elements.sorted { ($0.town, $0.id) < ($1.town, $1.id) }
        let byTown = bales.sectioned(by: \.town, sortDescriptors: ["town", "id"])
        #expect(PlainSections(byTown) == PlainSections(ordered.map { (key: $0.town, id: $0.id) }), "seed \(seed)")
        let heavy = elements.sorted { ($1.weight, $0.id) < ($0.weight, $1.id) }
        let scattered = bales.sectioned(
            by: { $0.town },
            sortDescriptors: [ObjectStore.SortDescriptor(keyPath: "weight", ascending: false), "id"]
        )
        #expect(PlainSections(scattered) == PlainSections(heavy.map { (key: $0.town, id: $0.id) }), "seed \(seed)")
        for (index, ids) in PlainSections(scattered).ids.enumerated() {
            for (place, id) in ids.enumerated() { #expect(scattered[index][place].id == id, "seed \(seed)") }
        }
    }
}
