import ChangeModel

/// One object as a device keeps it: what is shown, and where the elements stand that others still have.
struct OverlayObject: Sendable {
    /// One place of a list on a device.
    struct Slot: Sendable {
        let element: ElementID
        /// The pending change that put the element here; nil where the server has it here.
        var change: Int?
        /// When that change was made.
        var stamp: Stamp?
        /// The pending changes that removed the element, cleared the list, or moved the element elsewhere.
        var hiddenBy: Set<Int> = []
        /// The pending changes that deleted what the element links to, as long as nobody gave it another value.
        ///
        /// Such an element keeps its value: the entry of the deletion says nothing of an element that links elsewhere
        /// by then.
        var unlinkedBy: Set<Int> = []

        var isShown: Bool { hiddenBy.isEmpty && unlinkedBy.isEmpty }
    }

    /// The values that are shown.
    var cells: [CellPath: CellValue] = [:]
    /// All places, those of pending elements and those that are hidden included.
    var lists: [CellPath: [Slot]] = [:]

    /// What is shown.
    var contents: RealmContents.Object {
        let shown = lists.mapValues { $0.filter(\.isShown).map(\.element) }.filter { !$0.value.isEmpty }
        let cells = cells.filter { path, _ in
            if case .element(let id) = path.steps.last { shown[path.parent]?.contains(id) == true } else { true }
        }
        return RealmContents.Object(cells: cells, lists: shown)
    }

    /// The order that the server has, by what the device knows.
    func confirmed(_ list: CellPath) -> [ElementID] {
        (lists[list] ?? []).filter { $0.change == nil }.map(\.element)
    }

    /// Whether all lives and elements on the way to a cell are there.
    func isReachable(_ path: CellPath) -> Bool {
        for (index, step) in path.steps.enumerated() {
            let holder = CellPath(steps: Array(path.steps[..<index]))
            switch step {
            case .life(let id): if cells[holder]?.life?.id != id { return false }
            case .element(let id):
                if lists[holder]?.contains(where: { $0.element == id && $0.hiddenBy.isEmpty }) != true { return false }
            case .property, .key, .member: break
            }
        }
        return true
    }

    mutating func assign(_ value: CellValue?, to path: CellPath) {
        if value == nil || cells[path]?.life != nil || value?.life != nil { removeContents(below: path) }
        cells[path] = value
        if case .element(let id) = path.steps.last { update(id, of: path.parent) { $0.unlinkedBy = [] } }
    }

    /// Changes all places of an element.
    mutating func update(_ id: ElementID, of list: CellPath, _ change: (inout Slot) -> Void) {
        for index in (lists[list] ?? []).indices where lists[list]?[index].element == id {
            guard var slot = lists[list]?[index] else { continue }
            change(&slot)
            lists[list]?[index] = slot
        }
    }

    /// Forgets the places of all hidden elements, as a device would that keeps only what it shows.
    mutating func dropHidden() {
        lists = lists.mapValues { $0.filter(\.hiddenBy.isEmpty) }
    }

    /// Forgets what lies below a path.
    mutating func removeContents(below path: CellPath) {
        cells = cells.filter { !$0.key.isBelow(path) }
        lists = lists.filter { !$0.key.isBelow(path) }
    }

    /// Forgets the value of an element that is shown nowhere any more.
    mutating func forgetUnshown(_ element: ElementID, of list: CellPath) {
        if lists[list]?.contains(where: { $0.element == element && $0.hiddenBy.isEmpty }) != true {
            assign(nil, to: list.appending(.element(element)))
        }
    }
}

// MARK: - Local writes

extension OverlayObject {
    /// Does what the app did, and hides what others still have.
    ///
    /// - Returns: The elements that this hid.
    mutating func write(_ action: ChangeOperation.Action, change: Int, stamp: Stamp) -> Set<CellPath> {
        switch action {
        case .create, .delete, .post: break
        case .set(let path, let value): assign(value, to: path)
        case .add(let path, let number):
            if case .int(let old) = cells[path] { cells[path] = .int(old &+ number) }
        case .listInsert(let list, let id, let right, let value):
            put(id, before: right, in: list, change, stamp)
            assign(value, to: list.appending(.element(id)))
        case .listRemove(let list, let id): return hide([id], in: list, change)
        case .listSet(let list, let id, let value): assign(value, to: list.appending(.element(id)))
        case .listMove(let list, let id, let right):
            lists[list]?.removeAll { $0.element == id && $0.change != nil }
            update(id, of: list) { $0.hiddenBy.insert(change) }
            put(id, before: right, in: list, change, stamp)
            return [list.appending(.element(id))]
        case .clear(let path):
            let hidden = hide(Set((lists[path] ?? []).map(\.element)), in: path, change)
            for cell in cells.keys where cell.parent == path { assign(nil, to: cell) }
            return hidden
        case .setInsert(let set, let member): assign(member, to: set.appending(.member(member)))
        case .setRemove(let set, let member): assign(nil, to: set.appending(.member(member)))
        case .mapSet(let map, let key, let value): assign(value, to: map.appending(.key(key)))
        case .mapRemove(let map, let key): assign(nil, to: map.appending(.key(key)))
        case .embeddedNew(let path, let id, let values):
            assign(.life(Life(id, .embedded)), to: path)
            for (name, value) in values { cells[path.appending(.life(id)).appending(.property(name))] = value }
        case .collectionNew(let path, let life): assign(.life(life), to: path)
        }
        return []
    }

    /// Takes elements away from sight; where the server has them their places stay.
    mutating func hide(_ elements: Set<ElementID>, in list: CellPath, _ change: Int) -> Set<CellPath> {
        lists[list]?.removeAll { elements.contains($0.element) && $0.change != nil }
        for element in elements {
            update(element, of: list) { $0.hiddenBy.insert(change) }
            forgetUnshown(element, of: list)
        }
        return Set(elements.map { list.appending(.element($0)) })
    }

    private mutating func put(
        _ id: ElementID,
        before right: ElementID?,
        in list: CellPath,
        _ change: Int,
        _ stamp: Stamp
    ) {
        var slots = lists[list] ?? []
        slots.removeAll { $0.element == id && $0.change != nil }
        let index = slots.firstIndex { $0.element == right && $0.isShown } ?? slots.count
        slots.insert(Slot(element: id, change: change, stamp: stamp), at: index)
        lists[list] = slots
    }
}
