import ChangeModel

extension OverlayObject {
    /// Does what an entry says: changes what the server has, in the order that the server has.
    ///
    /// - Parameters:
    ///   - action: The literal operation.
    ///   - stamp: When the entry was made; among pending elements before one neighbour it decides where a new one
    ///     stands.
    ///   - hiders: Returns the pending changes that hide an element.
    mutating func apply(_ action: ChangeOperation.Action, stamp: Stamp, hiders: (CellPath) -> Set<Int>) {
        switch action {
        case .create, .delete, .post: break
        case .set(let path, let value): if isReachable(path) { assign(value, to: path) }
        case .add: break
        case .listInsert(let list, let id, let right, let value):
            guard isReachable(list) else { return }
            lists[list]?.removeAll { $0.element == id && $0.change == nil }
            place(Slot(element: id, hiddenBy: hiders(list.appending(.element(id)))), before: right, in: list, stamp)
            // Also where it is hidden: it may be about to be shown elsewhere.
            assign(value, to: list.appending(.element(id)))
        case .listRemove(let list, let id):
            lists[list]?.removeAll { $0.element == id }
            forgetUnshown(id, of: list)
        case .listSet(let list, let id, let value):
            if isReachable(list.appending(.element(id))) { assign(value, to: list.appending(.element(id))) }
        case .listMove(let list, let id, let right):
            guard let slot = lists[list]?.first(where: { $0.element == id && $0.change == nil }) else { return }
            lists[list]?.removeAll { $0.element == id && $0.change == nil }
            place(slot, before: right, in: list, stamp)
        case .clear(let path):
            let elements = confirmed(path)
            lists[path]?.removeAll { elements.contains($0.element) }
            for element in elements { forgetUnshown(element, of: path) }
            for cell in cells.keys where cell.parent == path && !cell.isElement { assign(nil, to: cell) }
        case .setInsert(let set, let member): write(member, to: set.appending(.member(member)))
        case .setRemove(let set, let member): write(nil, to: set.appending(.member(member)))
        case .mapSet(let map, let key, let value): write(value, to: map.appending(.key(key)))
        case .mapRemove(let map, let key): write(nil, to: map.appending(.key(key)))
        case .embeddedNew(let path, let id, let values):
            guard isReachable(path) else { return }
            assign(.life(Life(id, .embedded)), to: path)
            for (name, value) in values { cells[path.appending(.life(id)).appending(.property(name))] = value }
        case .collectionNew(let path, let life): write(.life(life), to: path)
        }
    }

    /// A change is not pending any more: its places go, as entries bring those that hold, and what it hid shows again.
    mutating func settle(_ change: Int) {
        for (list, slots) in lists {
            lists[list] = slots.filter { $0.change != change }
                .map { slot in
                    var slot = slot
                    slot.hiddenBy.remove(change)
                    slot.unlinkedBy.remove(change)
                    return slot
                }
        }
    }

    /// Forgets the values of all elements that are shown nowhere.
    mutating func forgetUnshown() {
        for path in cells.keys {
            if case .element(let id) = path.steps.last { forgetUnshown(id, of: path.parent) }
        }
    }

    private mutating func write(_ value: CellValue?, to path: CellPath) {
        if isReachable(path.parent) { assign(value, to: path) }
    }

    /// Puts a place of the server directly before another one, behind pending ones that are older.
    private mutating func place(_ slot: Slot, before right: ElementID?, in list: CellPath, _ stamp: Stamp) {
        var slots = lists[list] ?? []
        var index = slots.firstIndex { $0.element == right && $0.change == nil } ?? slots.count
        while index > 0, let pending = slots[index - 1].stamp, pending > stamp { index -= 1 }
        slots.insert(slot, at: index)
        lists[list] = slots
    }
}

extension CellPath {
    fileprivate var isElement: Bool {
        if case .element = steps.last { true } else { false }
    }
}
