public import ChangeModel
public import EventModel

/// Everything that a realm holds, as plain values: what states, replicas and models are compared by.
public struct RealmContents: Sendable, Equatable {
    /// What one object holds.
    public struct Object: Sendable, Equatable {
        /// The values of all cells that have one, elements and members included.
        public var cells: [CellPath: CellValue]
        /// The elements of all lists that have some, in order.
        public var lists: [CellPath: [ElementID]]

        /// Creates an object.
        public init(cells: [CellPath: CellValue] = [:], lists: [CellPath: [ElementID]] = [:]) {
            self.cells = cells
            self.lists = lists
        }
    }

    /// The living objects.
    public var objects: [ObjectAddress: Object]

    /// Creates contents; by default of an empty realm.
    public init(objects: [ObjectAddress: Object] = [:]) { self.objects = objects }

    /// Reads everything that a state of the rules holds.
    public init(_ state: InMemoryRealmState) {
        objects = [:]
        for address in state.objects where state.existence(of: address).isAlive {
            var object = Object()
            for path in state.cellPaths(below: CellAddress(address, CellPath(steps: []))) {
                object.cells[path] = state.literalValue(at: CellAddress(address, path))
                guard case .element = path.steps.last, object.lists[path.parent] == nil else { continue }
                object.lists[path.parent] = state.elements(of: CellAddress(address, path.parent))
            }
            object.lists = object.lists.filter { !$0.value.isEmpty }
            objects[address] = object
        }
    }
}

// MARK: - What an app sees

extension RealmContents {
    /// Returns the value of a cell as an app reads it: a link to what is not there is null.
    public subscript(_ object: ObjectAddress, _ path: CellPath) -> CellValue? {
        guard let value = objects[object]?.cells[path] else { return nil }
        guard let target = value.target, objects[target] == nil else { return value }
        return .null
    }

    /// Returns the values of a list as an app reads them: elements that link to what is not there are passed over.
    public func list(_ object: ObjectAddress, _ path: CellPath) -> [CellValue] {
        elements(object, path).compactMap { self[object, path.appending(.element($0))] }
    }

    /// Returns the elements of a list as an app reads them.
    public func elements(_ object: ObjectAddress, _ path: CellPath) -> [ElementID] {
        (objects[object]?.lists[path] ?? [])
            .filter { isShown(objects[object]?.cells[path.appending(.element($0))]) }
    }

    /// Returns the members of a set as an app reads them.
    public func set(_ object: ObjectAddress, _ path: CellPath) -> Set<CellValue> {
        Set((objects[object]?.cells ?? [:]).filter { isMember($0.key, of: path) && isShown($0.value) }.values)
    }

    /// Returns the entries of a map as an app reads them.
    public func map(_ object: ObjectAddress, _ path: CellPath) -> [ExactText: CellValue] {
        var entries: [ExactText: CellValue] = [:]
        for cell in (objects[object]?.cells ?? [:]).keys where cell.parent == path {
            if case .key(let key) = cell.steps.last { entries[key] = self[object, cell] }
        }
        return entries
    }

    private func isShown(_ value: CellValue?) -> Bool {
        guard let value else { return false }
        return value.isOfAnyType || value.target.map { objects[$0] != nil } ?? true
    }

    private func isMember(_ cell: CellPath, of set: CellPath) -> Bool {
        if case .member = cell.steps.last { cell.parent == set } else { false }
    }
}
