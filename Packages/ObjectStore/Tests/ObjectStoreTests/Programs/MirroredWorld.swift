import EventModel
import ObjectStore
import Testing

/// What an observer can know: what it was told of commits, applied one after the other.
struct MirroredWorld {
    private var objects: [Int64: MirroredObject] = [:]
    /// What the told states before a change did not agree with.
    private(set) var problems: [String] = []

    /// The items as the observer knows them.
    var world: PlainWorld {
        get throws {
            var world = PlainWorld()
            for object in objects.values { world.items[object.id] = try object.item }
            return world
        }
    }

    /// Applies the changes of a transaction.
    mutating func apply(_ commit: CommitChanges) {
        // The states before are those of the version before, whatever else changed.
        for changes in commit.classes {
            for old in changes.deletions + changes.modifications.map(\.before) { check(MirroredObject(old)) }
        }
        for changes in commit.classes where changes.shape.name == "FuzzItem" {
            for deleted in changes.deletions { objects[deleted.key] = nil }
            for inserted in changes.insertions {
                if objects[inserted.key] != nil { problems.append("\(inserted.primaryKey) was inserted twice") }
                objects[inserted.key] = MirroredObject(inserted)
            }
            for modified in changes.modifications { objects[modified.after.key] = MirroredObject(modified.after) }
        }
        for changes in commit.classes where changes.shape.isEmbedded {
            if !changes.insertions.isEmpty || !changes.deletions.isEmpty {
                problems.append("embedded objects come and go with their parents")
            }
            for modification in changes.modifications {
                let after = MirroredObject(modification.after)
                guard let parent = modification.parent, var owner = objects[parent.key] else {
                    problems.append("\(after.className) \(after.key) was modified without a known parent")
                    continue
                }
                if parent.className != owner.className { problems.append("the parent is no \(parent.className)") }
                if !owner.replace(after) { problems.append("the parent does not contain the \(after.className)") }
                objects[parent.key] = owner
            }
        }
    }

    private mutating func check(_ old: MirroredObject) {
        let known =
            old.className == "FuzzItem"
            ? objects[old.key] : objects.values.compactMap { $0.contained(old.className, old.key) }.first
        if known != old { problems.append("\(old.className) \(old.key) was not like that before: \(old)") }
    }
}

/// An object as a snapshot tells it, with everything inside of it.
struct MirroredObject: Equatable {
    let className: String
    let key: Int64
    private(set) var fields: [String: MirroredValue]

    init(_ snapshot: ObjectSnapshot) {
        className = snapshot.shape.name
        key = snapshot.key
        #expect(snapshot.isWhole)
        fields = [:]
        for (slot, property) in snapshot.shape.properties.enumerated() {
            fields[property.name] = MirroredValue(snapshot.value(slot))
        }
    }

    /// The primary key of an item.
    var id: Int { if case .value(.int(let id))? = fields["id"] { Int(id) } else { -1 } }

    /// An object inside of this one.
    func contained(_ className: String, _ key: Int64) -> MirroredObject? {
        for value in fields.values {
            for object in value.objects {
                if object.className == className, object.key == key { return object }
                if let inner = object.contained(className, key) { return inner }
            }
        }
        return nil
    }

    /// Puts another state of an object that is somewhere inside.
    mutating func replace(_ object: MirroredObject) -> Bool {
        var isFound = false
        for name in fields.keys where fields[name]?.replace(object) == true { isFound = true }
        return isFound
    }
}

/// A value as a snapshot tells it, so that it can be compared.
indirect enum MirroredValue: Equatable {
    case value(Value)
    case link(Int)
    case list([MirroredValue])
    case dictionary([String: MirroredValue])
    case object(MirroredObject)

    init(_ value: Value) {
        switch value {
        case .link(let reference):
            if case .int(let id) = reference.primaryKey { self = .link(Int(id)) } else { self = .value(value) }
        case .list(let elements): self = .list(elements.map(MirroredValue.init))
        case .dictionary(let entries): self = .dictionary(entries.mapValues(MirroredValue.init))
        case .object(let snapshot): self = .object(MirroredObject(snapshot))
        default: self = .value(value)
        }
    }

    /// The objects that are directly inside.
    var objects: [MirroredObject] {
        switch self {
        case .object(let object): [object]
        case .list(let elements): elements.flatMap(\.objects)
        case .dictionary(let entries): entries.values.flatMap(\.objects)
        case .value, .link: []
        }
    }

    mutating func replace(_ object: MirroredObject) -> Bool {
        switch self {
        case .object(var own):
            if own.className == object.className, own.key == object.key {
                self = .object(object)
                return true
            }
            guard own.replace(object) else { return false }
            self = .object(own)
            return true
        case .list(var elements):
            guard let index = elements.indices.first(where: { elements[$0].replace(object) }) else { return false }
            _ = index
            self = .list(elements)
            return true
        case .dictionary(var entries):
            guard entries.keys.contains(where: { entries[$0]?.replace(object) == true }) else { return false }
            self = .dictionary(entries)
            return true
        case .value, .link: return false
        }
    }
}
