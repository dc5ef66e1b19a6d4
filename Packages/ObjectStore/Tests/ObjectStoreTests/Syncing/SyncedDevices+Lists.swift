import EventModelTesting

@testable import ObjectStore

extension SyncedDevices {
    /// What lies in the list that all devices work on.
    enum Elements: CaseIterable {
        case numbers, links, embedded
    }

    /// Does something at random with one list that all devices share: a transaction of some steps, an upload or a download.
    mutating func act(on elements: Elements) throws {
        let index = generator.below(devices.count)
        switch generator.below(4) {
        case 0, 1: try edit(elements, on: index)
        case 2: try upload(index, atMost: 1 + generator.below(3))
        default: try download(index, atMost: 1 + generator.below(4))
        }
    }

    /// Inserts, moves, removes and replaces elements of the list in one transaction.
    mutating func edit(_ elements: Elements, on index: Int) throws {
        let realm = devices[index].program.realm
        try realm.write {
            let item = realm.create(FuzzItem.self, value: ["id": 0], update: .modified)
            for _ in 0...generator.below(4) {
                switch elements {
                case .numbers: step(item.numbers) { generator in generator.below(100) }
                case .embedded: step(item.places) { FuzzPlace(value: ["name": "\($0.below(100))"]) }
                case .links where generator.once(in: 6):
                    if let target = realm.object(ofType: FuzzItem.self, forPrimaryKey: 1 + generator.below(3)) {
                        realm.delete(target)
                    }
                case .links:
                    step(item.friends) { generator in
                        realm.create(FuzzItem.self, value: ["id": 1 + generator.below(3)], update: .modified)
                    }
                }
            }
        }
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
