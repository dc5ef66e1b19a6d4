import EventModelTesting
import Foundation
import ObjectStore

/// Random changes that are made to a realm and to a plain model of it alike; a seed repeats them.
struct RandomProgram {
    private(set) var world = PlainWorld()
    private(set) var operationCount = 0
    var generator: SeededGenerator
    var realm: Realm

    struct Interruption: Error {}

    init(seed: UInt64, _ realm: Realm) {
        generator = SeededGenerator(seed: seed)
        self.realm = realm
    }

    /// Forgets what the model knows, as somebody else has written to the realm.
    mutating func lookAgain() { world = PlainWorld(realm) }

    // MARK: Transactions

    /// Runs a transaction of some changes; some transactions are cancelled in one way or another.
    mutating func transact() throws {
        let before = world
        let count = 1 + generator.below(30)
        switch generator.below(14) {
        case 0:
            realm.beginWrite()
            change(count)
            realm.cancelWrite()
            world = before
        case 1:
            do {
                try realm.write {
                    change(count)
                    throw Interruption()
                }
            } catch is Interruption {
                world = before
            }
        case 2:
            try realm.write {
                change(count)
                realm.cancelWrite()
            }
            world = before
        case 3:
            // The same key twice: the whole transaction is refused.
            do {
                try realm.write {
                    change(count)
                    let id = addItem().id
                    realm.create(FuzzItem.self, value: ["id": id])
                    addItem()
                }
            } catch Realm.Error.objectAlreadyExists {
                world = before
            }
        case 4:
            realm.beginWrite()
            change(count)
            try realm.commitWrite()
        default:
            try realm.write { change(count) }
        }
    }

    private mutating func change(_ count: Int) {
        for _ in 0..<count {
            change()
            operationCount += 1
        }
    }

    private mutating func change() {
        // Few items, so that they refer to each other again and again.
        if world.items.count < 3 || (world.items.count < 12 && generator.below(6) == 0) {
            addItem()
            return
        }
        switch generator.below(22) {
        case 0: addItem()
        case 1: createByValue()
        case 2: updatePartly()
        case 3: replaceWhole()
        case 4: deleteSome()
        case 5, 6: changeScalars()
        case 7, 8: changeNumbers()
        case 9: changeTags()
        case 10: changeScores()
        case 11, 12: changeFriends()
        case 13: changeCircle()
        case 14: changeByName()
        case 15, 16: changePlace()
        case 17, 18: changePlaces()
        case 19: changePlacesByName()
        case 20: changePayload()
        default: changeExtras()
        }
    }

    // MARK: Choosing

    /// Runs a change of one item in both places.
    mutating func withItem(_ body: (inout RandomProgram, FuzzItem, inout PlainItem) -> Void) {
        let ids = world.ids
        guard !ids.isEmpty else { return }
        let id = ids[generator.below(ids.count)]
        guard let item = realm.object(ofType: FuzzItem.self, forPrimaryKey: id), var plain = world.items[id] else {
            return
        }
        body(&self, item, &plain)
        world.items[id] = plain
    }

    mutating func someItem() -> FuzzItem? {
        let ids = world.ids
        guard !ids.isEmpty else { return nil }
        return realm.object(ofType: FuzzItem.self, forPrimaryKey: ids[generator.below(ids.count)])
    }

    mutating func text() -> String {
        ["", "a", "é", "日本", "line\nline", "nul\0l", "it's \"quoted\"", "🦊🦊"][generator.below(8)]
    }

    mutating func key() -> String { ["a", "b", "c", "é", "with.dot", "$d"][generator.below(6)] }

    mutating func flip(_ chance: Int = 2) -> Bool { generator.below(chance) == 0 }

    mutating func anyValue(depth: Int = 0) -> PlainAny {
        switch generator.below(depth > 2 ? 6 : 9) {
        case 0: return .none
        case 1: return .int(generator.below(100))
        case 2: return .bool(flip())
        case 3: return .double(Double(generator.below(100)) / 8)
        case 4: return .string(text())
        case 5: return someItem().map { .item($0.id) } ?? .none
        case 6, 7: return .list((0..<generator.below(4)).map { _ in anyValue(depth: depth + 1) })
        default:
            var entries: [String: PlainAny] = [:]
            for _ in 0..<generator.below(4) { entries[key()] = anyValue(depth: depth + 1) }
            return .dictionary(entries)
        }
    }

    mutating func newPlace() -> (FuzzPlace, PlainPlace) {
        let place = FuzzPlace()
        var plain = PlainPlace()
        place.name = text()
        plain.name = place.name
        if flip(3) {
            place.guest = someItem()
            plain.guest = place.guest?.id
        }
        for _ in 0..<generator.below(3) {
            let room = FuzzRoom(value: ["number": generator.below(10)])
            if flip(), let visitor = someItem() { room.visitors.append(visitor) }
            place.rooms.append(room)
            plain.rooms.append(PlainRoom(number: room.number, visitors: room.visitors.map(\.id)))
        }
        return (place, plain)
    }

    // MARK: Whole items

    /// Takes note of an item that was added by being linked to.
    mutating func addKnown(_ id: Int) { world.items[id] = PlainItem() }

    /// A key that no item has: in no order, and often one that another item had before, maybe in the same transaction.
    private mutating func newId() -> Int {
        while true {
            let id = generator.below(16) == 0 ? [.min, .max, .max - 1][generator.below(3)] : generator.below(72) - 24
            if world.items[id] == nil { return id }
        }
    }

    @discardableResult
    mutating func addItem() -> FuzzItem {
        let id = newId()
        let item = FuzzItem()
        var plain = PlainItem()
        item.id = id
        item.number = generator.below(50)
        plain.number = item.number
        item.tags.insert("new")
        plain.tags.insert("new")
        item.numbers.append(objectsIn: [1, nil])
        plain.numbers = [1, nil]
        if flip() { (item.place, plain.place) = newPlace() }
        realm.add(item)
        world.items[id] = plain
        return item
    }

    /// Creates an item from a dictionary with everything nested in it.
    mutating func createByValue() {
        let id = newId()
        var plain = PlainItem()
        plain.text = text()
        plain.scores = ["a": 1, "b": nil]
        plain.places = [PlainPlace(), PlainPlace()]
        plain.places[0].name = "nested"
        plain.places[0].rooms = [PlainRoom(number: 7)]
        plain.extras = [.int(1), .list([.string("x")])]
        let friend = someItem()
        plain.friends = friend.map { [$0.id, $0.id] } ?? []
        plain.circle = Set(plain.friends)
        let made = realm.create(
            FuzzItem.self,
            value: [
                "id": id, "text": plain.text as Any, "scores": ["a": 1, "b": NSNull()] as [String: Any],
                "places": [["name": "nested", "rooms": [["number": 7]]], [:]] as [[String: Any]],
                "extras": [1, ["x"]] as [Any], "friends": friend.map { [$0, $0] } ?? [],
                "circle": friend.map { [$0, $0] } ?? [], "nothing": "ignored",
            ]
        )
        // Counted beside what others add, where nothing was given.
        for amount in 0..<generator.below(3) {
            made.increment(\.number, by: amount)
            plain.number += amount
        }
        world.items[id] = plain
    }

    /// Updates some properties of an item by its key, or creates it.
    mutating func updatePartly() {
        let id = flip(5) ? newId() : world.ids[generator.below(world.ids.count)]
        var plain = world.items[id] ?? PlainItem()
        plain.number = generator.below(50)
        plain.numbers = (0..<generator.below(4)).map { $0 }
        plain.tags = ["x", "y"]
        plain.scores = ["z": generator.below(9)]
        let policy: Realm.UpdatePolicy = flip() ? .modified : .all
        let value: [String: Any] = [
            "id": id, "number": plain.number, "numbers": plain.numbers, "tags": ["x", "y", "x"], "scores": plain.scores,
            "place": ["name": "updated"],
        ]
        var place = policy == .modified ? plain.place ?? PlainPlace() : PlainPlace()
        place.name = "updated"
        plain.place = place
        realm.create(FuzzItem.self, value: value, update: policy)
        world.items[id] = plain
    }

    /// Adds an unmanaged object over an item: everything that it does not say becomes its default.
    mutating func replaceWhole() {
        let id = world.ids[generator.below(world.ids.count)]
        var plain = PlainItem()
        plain.text = "replaced"
        plain.numbers = [3, 2, 1]
        let item = FuzzItem(value: ["id": id, "text": "replaced", "numbers": [3, 2, 1]])
        if flip() {
            item.friend = realm.object(ofType: FuzzItem.self, forPrimaryKey: id)
            plain.friend = id
        }
        realm.add(item, update: flip() ? .all : .modified)
        world.items[id] = plain
    }

    mutating func deleteSome() {
        guard world.items.count > 4 else { return }
        if flip(4) {
            let limit = generator.below(15)
            for (id, plain) in world.items where plain.number < limit { world.delete(id) }
            realm.delete(realm.objects(FuzzItem.self).where { $0.number < limit })
            return
        }
        guard let item = someItem() else { return }
        world.delete(item.id)
        realm.delete(item)
    }
}
