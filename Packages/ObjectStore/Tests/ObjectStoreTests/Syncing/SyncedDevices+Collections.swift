import EventModelTesting

@testable import ObjectStore

extension SyncedDevices {
    /// What lies in the collection that all devices work on.
    enum Elements: CaseIterable {
        case numbers, links, embedded, values, members, entries
    }

    /// Does something at random with one collection that all devices share: a transaction of some steps, an upload or a download.
    mutating func act(on elements: Elements, deletesHolder: Bool) throws {
        let index = generator.below(devices.count)
        switch generator.below(4) {
        case 0, 1: try edit(elements, on: index, deletesHolder: deletesHolder)
        case 2: try upload(index, atMost: 1 + generator.below(3))
        default: try download(index, atMost: 1 + generator.below(4))
        }
    }

    /// Inserts, moves, removes and replaces elements of the collection in one transaction, and deletes what they link to, or what has it.
    mutating func edit(_ elements: Elements, on index: Int, deletesHolder: Bool = false) throws {
        let realm = devices[index].program.realm
        try realm.write {
            let item = realm.create(FuzzItem.self, value: ["id": 0], update: .modified)
            for _ in 0...generator.below(4) {
                if generator.once(in: 6), let target = realm.object(ofType: FuzzItem.self, forPrimaryKey: someKey()) {
                    realm.delete(target)
                    continue
                }
                switch elements {
                case .numbers: step(item.numbers) { generator in generator.below(100) }
                case .embedded: step(item.places) { FuzzPlace(value: ["name": "\($0.below(100))"]) }
                case .links: step(item.friends) { Self.target(in: realm, &$0) }
                case .values:
                    step(item.extras) { generator in
                        generator.once(in: 3) ? .int(generator.below(9)) : .object(Self.target(in: realm, &generator))
                    }
                case .members:
                    let member = Self.target(in: realm, &generator)
                    if generator.once(in: 3) { item.circle.remove(member) } else { item.circle.insert(member) }
                case .entries:
                    let key = "k\(generator.below(3))"
                    item.byName[key] = generator.once(in: 3) ? .some(nil) : Self.target(in: realm, &generator)
                    if generator.once(in: 4) { item.byName.removeObject(for: key) }
                }
            }
            if deletesHolder, generator.once(in: 12) { realm.delete(item) }
        }
    }

    private mutating func someKey() -> Int { 1 + generator.below(3) }

    private static func target(in realm: Realm, _ generator: inout SeededGenerator) -> FuzzItem {
        realm.create(FuzzItem.self, value: ["id": 1 + generator.below(3)], update: .modified)
    }

    private mutating func step<Element>(_ list: List<Element>, _ make: (inout SeededGenerator) -> Element) {
        let (from, to) = (generator.below(max(list.count, 1)), generator.below(max(list.count, 1)))
        switch generator.below(6) {
        case 0 where !list.isEmpty: list.remove(at: from)
        case 1...2 where !list.isEmpty: list.move(from: from, to: to)
        case 3 where !list.isEmpty: list[from] = make(&generator)
        default: list.insert(make(&generator), at: to)
        }
    }
}
