import ChangeModel
import EventModel
import EventModelTesting

extension RandomWork {
    /// Makes an operation on what an object holds.
    mutating func edit(of object: ObjectAddress, in seen: RealmContents) -> ChangeOperation.Action {
        switch focus {
        case .everything: break
        case .oneList: return list("list", of: object, in: seen)
        case .links:
            switch random.below(6) {
            case 0: return .set("link", random.once(in: 4) ? .null : link())
            case 1, 2, 3: return list("people", of: object, in: seen)
            case 4: return set("friends")
            default: return map("links", of: object, in: seen)
            }
        case .lives:
            switch random.below(4) {
            case 0: return list("homes", of: object, in: seen)
            case 1: return anything(at: "any", of: object, in: seen)
            case 2: return map("boxes", of: object, in: seen)
            default: return embedded(at: "address", of: object, in: seen)
            }
        }
        switch random.below(20) {
        case 0..<3: return .set(CellPath(pick(["a", "b"]) ?? "a"), random.once(in: 8) ? .null : number())
        case 3: return .set("n", random.once(in: 3) ? .null : number())
        case 4, 5: return .add("n", Int64(1 + random.below(5)))
        case 6: return .set("link", random.once(in: 4) ? .null : link())
        case 7, 8: return embedded(at: "address", of: object, in: seen)
        case 9, 10: return anything(at: "any", of: object, in: seen)
        case 11..<15: return list(pick(["list", "people", "homes"]) ?? "list", of: object, in: seen)
        case 15, 16: return set(pick(["tags", "friends"]) ?? "tags")
        default: return map(pick(["map", "links", "boxes"]) ?? "map", of: object, in: seen)
        }
    }

    private mutating func link() -> CellValue {
        let target = pick(objects) ?? .sample()
        return random.once(in: 3) ? .anyLink(target) : .link(target)
    }

    /// Writes an embedded object, or into it.
    private mutating func embedded(
        at path: CellPath,
        of object: ObjectAddress,
        in seen: RealmContents
    ) -> ChangeOperation.Action {
        let value = seen[object, path]
        if let life = value?.life, life.kind == .embedded, !random.once(in: 3) {
            let inside = path.appending(.life(life.id))
            switch random.below(4) {
            case 0: return .add(inside.appending(.property("n")), 1)
            case 1: return list(inside.appending(.property("list")), of: object, in: seen)
            default: return .set(inside.appending(.property(pick(["street", "city"]) ?? "city")), number())
            }
        }
        // Null is no element of a list of embedded objects.
        if case .property = path.steps.last, value?.life != nil, random.once(in: 3) { return .set(path, .null) }
        var cells: ChangeOperation.Cells = ["street": number(), "n": .int(0)]
        if random.once(in: 2) { cells["city"] = number() }
        return .embeddedNew(path, element(), cells)
    }

    /// Writes a value of any type, or into the collection that is there.
    private mutating func anything(
        at path: CellPath,
        of object: ObjectAddress,
        in seen: RealmContents
    ) -> ChangeOperation.Action {
        if let life = seen[object, path]?.life, !random.once(in: 4) {
            let inside = path.appending(.life(life.id))
            guard life.kind == .list else { return map(inside, of: object, in: seen) }
            return list(inside, of: object, in: seen)
        }
        switch random.below(4) {
        case 0: return .set(path, number())
        case 1: return .set(path, .string("x"))
        case 2: return .collectionNew(path, Life(element(), .list))
        default: return .collectionNew(path, Life(element(), .dictionary))
        }
    }

    private mutating func list(
        _ path: CellPath,
        of object: ObjectAddress,
        in seen: RealmContents
    ) -> ChangeOperation.Action {
        let elements = seen.elements(object, path)
        guard let id = pick(elements), !random.once(in: 3) else {
            let right = random.once(in: 3) ? nil : pick(elements)
            return .listInsert(path, element(), before: right, value(in: path))
        }
        switch random.below(8) {
        case 0, 1: return .listRemove(path, id)
        case 2, 3, 4:
            if path == "homes" { return embedded(at: path.appending(.element(id)), of: object, in: seen) }
            return .listSet(path, id, value(in: path))
        case 5, 6:
            let right = random.once(in: 4) ? nil : pick(elements.filter { $0 != id })
            return .listMove(path, id, before: right)
        default: return random.once(in: 2) ? .clear(path) : .listRemove(path, id)
        }
    }

    private mutating func set(_ path: CellPath) -> ChangeOperation.Action {
        let member = path == "friends" ? link() : .int(Int64(random.below(4)))
        switch random.below(12) {
        case 0: return .clear(path)
        case 1..<5: return .setRemove(path, member)
        default: return .setInsert(path, member)
        }
    }

    private mutating func map(
        _ path: CellPath,
        of object: ObjectAddress,
        in seen: RealmContents
    ) -> ChangeOperation.Action {
        let key = pick(["x", "y", "z"] as [ExactText]) ?? "x"
        switch random.below(12) {
        case 0: return .clear(path)
        case 1, 2, 3: return .mapRemove(path, key)
        default:
            if path == "boxes" { return embedded(at: path.appending(.key(key)), of: object, in: seen) }
            return .mapSet(path, key, value(in: path))
        }
    }

    /// Makes a value as the collection holds it.
    private mutating func value(in path: CellPath) -> CellValue {
        switch path {
        case "people", "links": return link()
        case "homes": return .life(Life(element(), .embedded))
        default: return number()
        }
    }
}
