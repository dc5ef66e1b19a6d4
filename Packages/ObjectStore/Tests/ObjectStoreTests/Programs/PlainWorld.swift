import ObjectStore

/// What a realm should hold, in plain values.
struct PlainWorld: Equatable {
    var items: [Int: PlainItem] = [:]

    init() {}

    /// Reads everything that a realm holds.
    init(_ realm: Realm) {
        for item in realm.objects(FuzzItem.self) { items[item.id] = PlainItem(item) }
    }

    /// The ids, in order.
    var ids: [Int] { items.keys.sorted() }

    /// Removes an item and what leads to it.
    mutating func delete(_ id: Int) {
        items[id] = nil
        for other in items.keys { items[other]?.forget(id) }
    }

    /// The ids of the items whose list of friends has an item, as often as it is there.
    func followers(of id: Int) -> [Int] {
        ids.flatMap { other in items[other]?.friends.filter { $0 == id }.map { _ in other } ?? [] }
    }

    /// What differs from another world, in words; nothing when they are equal.
    func differences(from other: PlainWorld) -> [String] {
        guard self != other else { return [] }
        var lines: [String] = []
        for id in Set(ids + other.ids).sorted() where items[id] != other.items[id] {
            guard let mine = items[id], let theirs = other.items[id] else {
                lines.append("item \(id) exists only in \(items[id] == nil ? "the other" : "this")")
                continue
            }
            for (left, right) in zip(Mirror(reflecting: mine).children, Mirror(reflecting: theirs).children)
            where "\(left.value)" != "\(right.value)" {
                lines.append("\(id).\(left.label ?? "?"): \(left.value) / \(right.value)")
            }
        }
        return lines.isEmpty ? ["the worlds differ"] : lines
    }
}

/// What an item should hold.
struct PlainItem: Equatable {
    var number = 0
    var text: String?
    var amount: Double?
    var payload = PlainAny.none
    var numbers: [Int?] = []
    var tags: Set<String> = []
    var scores: [String: Int?] = [:]
    var friend: Int?
    var friends: [Int] = []
    var circle: Set<Int> = []
    var byName: [String: Int?] = [:]
    var place: PlainPlace?
    var places: [PlainPlace] = []
    var placesByName: [String: PlainPlace?] = [:]
    var extras: [PlainAny] = []
    var extrasByName: [String: PlainAny] = [:]

    init() {}

    init(_ item: FuzzItem) {
        number = item.number
        text = item.text
        amount = item.amount
        payload = PlainAny(item.payload)
        numbers = Array(item.numbers)
        tags = Set(item.tags)
        for entry in item.scores { scores[entry.key] = .some(entry.value) }
        friend = item.friend?.id
        friends = item.friends.map(\.id)
        circle = Set(item.circle.map(\.id))
        for entry in item.byName { byName[entry.key] = .some(entry.value?.id) }
        place = item.place.map(PlainPlace.init)
        places = item.places.map(PlainPlace.init)
        for entry in item.placesByName { placesByName[entry.key] = .some(entry.value.map(PlainPlace.init)) }
        extras = item.extras.map(PlainAny.init)
        for entry in item.extrasByName { extrasByName[entry.key] = PlainAny(entry.value) }
    }

    /// Removes what leads to an item that is deleted.
    mutating func forget(_ id: Int) {
        if friend == id { friend = nil }
        friends.removeAll { $0 == id }
        circle.remove(id)
        byName = byName.mapValues { $0 == id ? nil : $0 }
        place?.forget(id)
        for index in places.indices { places[index].forget(id) }
        for key in placesByName.keys { placesByName[key]??.forget(id) }
        payload.forget(id)
        for index in extras.indices { extras[index].forget(id) }
        for key in extrasByName.keys { extrasByName[key]?.forget(id) }
    }
}

/// What an embedded place should hold.
struct PlainPlace: Equatable {
    var name = ""
    var guest: Int?
    var rooms: [PlainRoom] = []

    init() {}

    init(_ place: FuzzPlace) {
        name = place.name
        guest = place.guest?.id
        rooms = place.rooms.map { PlainRoom(number: $0.number, visitors: $0.visitors.map(\.id)) }
    }

    mutating func forget(_ id: Int) {
        if guest == id { guest = nil }
        for index in rooms.indices { rooms[index].visitors.removeAll { $0 == id } }
    }
}

/// What an embedded room should hold.
struct PlainRoom: Equatable {
    var number = 0
    var visitors: [Int] = []
}

/// What a property of any type should hold.
indirect enum PlainAny: Equatable {
    case none
    case int(Int)
    case bool(Bool)
    case double(Double)
    case string(String)
    case item(Int)
    case list([PlainAny])
    case dictionary([String: PlainAny])
    case other(String)

    init(_ value: AnyRealmValue) {
        switch value {
        case .none: self = .none
        case .int(let number): self = .int(number)
        case .bool(let truth): self = .bool(truth)
        case .double(let number): self = .double(number)
        case .string(let text): self = .string(text)
        case .object(let object): self = (object as? FuzzItem).map { .item($0.id) } ?? .other("object")
        case .list(let list): self = .list(list.map(PlainAny.init))
        case .dictionary(let map):
            self = .dictionary(Dictionary(uniqueKeysWithValues: map.map { ($0.key, PlainAny($0.value)) }))
        default: self = .other("\(value)")
        }
    }

    /// The value as a program says it, with the items of a realm.
    func realmValue(_ realm: Realm) -> AnyRealmValue {
        switch self {
        case .none, .other: .none
        case .int(let number): .int(number)
        case .bool(let truth): .bool(truth)
        case .double(let number): .double(number)
        case .string(let text): .string(text)
        case .item(let id): realm.object(ofType: FuzzItem.self, forPrimaryKey: id).map { .object($0) } ?? .none
        case .list(let elements): .fromArray(elements.map { $0.realmValue(realm) })
        case .dictionary(let entries): .fromDictionary(entries.mapValues { $0.realmValue(realm) })
        }
    }

    mutating func forget(_ id: Int) {
        switch self {
        case .item(id): self = .none
        case .list(var elements):
            for index in elements.indices { elements[index].forget(id) }
            self = .list(elements)
        case .dictionary(var entries):
            for key in entries.keys { entries[key]?.forget(id) }
            self = .dictionary(entries)
        default: break
        }
    }
}
