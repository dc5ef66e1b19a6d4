public import ChangeModel

extension RealmContents {
    /// Applies what an entry says, without comparing anything, as devices do.
    public mutating func apply(_ entry: Entry) {
        for literal in entry.literals { apply(literal) }
    }

    /// Applies one literal operation.
    public mutating func apply(_ literal: ChangeOperation) {
        switch literal.action {
        case .create(let given, let defaults):
            var cells: [CellPath: CellValue] = [:]
            for (name, value) in defaults { cells[CellPath(name)] = value }
            for (name, value) in given { cells[CellPath(name)] = value }
            objects[literal.object] = Object(cells: cells)
        case .delete: objects[literal.object] = nil
        default: objects[literal.object]?.apply(literal.action)
        }
    }
}

extension RealmContents.Object {
    /// Applies an operation on what the object holds.
    mutating func apply(_ action: ChangeOperation.Action) {
        switch action {
        case .create, .delete, .post: break
        case .set(let path, let value): assign(value, to: path)
        case .add(let path, let number):
            if case .int(let old) = cells[path] { cells[path] = .int(old &+ number) }
        case .listInsert(let list, let id, let right, let value):
            place(id, before: right, in: list)
            assign(value, to: list.appending(.element(id)))
        case .listRemove(let list, let id):
            lists[list]?.removeAll { $0 == id }
            if lists[list]?.isEmpty == true { lists[list] = nil }
            remove(list.appending(.element(id)))
        case .listSet(let list, let id, let value): assign(value, to: list.appending(.element(id)))
        case .listMove(let list, let id, let right): place(id, before: right, in: list)
        case .clear(let path):
            removeContents(below: path)
            lists[path] = nil
        case .setInsert(let set, let member): assign(member, to: set.appending(.member(member)))
        case .setRemove(let set, let member): remove(set.appending(.member(member)))
        case .mapSet(let map, let key, let value): assign(value, to: map.appending(.key(key)))
        case .mapRemove(let map, let key): remove(map.appending(.key(key)))
        case .embeddedNew(let path, let id, let cells):
            assign(.life(Life(id, .embedded)), to: path)
            for (name, value) in cells { self.cells[path.appending(.life(id)).appending(.property(name))] = value }
        case .collectionNew(let path, let life): assign(.life(life), to: path)
        }
    }

    private mutating func assign(_ value: CellValue, to path: CellPath) {
        if cells[path]?.life != nil { removeContents(below: path) }
        cells[path] = value
    }

    private mutating func remove(_ path: CellPath) {
        removeContents(below: path)
        cells[path] = nil
    }

    private mutating func removeContents(below path: CellPath) {
        cells = cells.filter { !$0.key.isBelow(path) }
        lists = lists.filter { !$0.key.isBelow(path) }
    }

    private mutating func place(_ id: ElementID, before right: ElementID?, in list: CellPath) {
        var elements = lists[list] ?? []
        elements.removeAll { $0 == id }
        elements.insert(id, at: right.flatMap { elements.firstIndex(of: $0) } ?? elements.count)
        lists[list] = elements
    }
}
