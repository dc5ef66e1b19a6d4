extension RealmState {
    /// Returns the operations that bring one cell, with what lies in it, to what holds now.
    ///
    /// - Complexity: O(*n*) in the cells that lie in it.
    func literals(of address: CellAddress) -> [ChangeOperation] {
        guard let step = address.path.steps.last else { return [] }
        let operation: ChangeOperation.Action
        switch (step, literalValue(at: address)) {
        case (.element(let id), let value?):
            let place = element(id, of: address.parent)?.place
            let next = place.flatMap { elementAfter($0, of: address.parent) }
            operation = .listInsert(address.path.parent, id, before: next, value)
        case (.element(let id), nil): operation = .listRemove(address.path.parent, id)
        case (_, let value): operation = assignment(of: value, at: address.path, step)
        }
        // Only a life has something in it, and only then is it looked for.
        let holdsLife = cell(at: address)?.value?.life != nil
        return [ChangeOperation(address.object, operation)] + (holdsLife ? contents(below: address) : [])
    }

    /// Returns the operations that make an object what it is now, from nothing.
    ///
    /// - Complexity: O(*n*) in the cells of the object.
    public func literals(of object: ObjectAddress) -> [ChangeOperation] {
        guard existence(of: object).isAlive else { return [] }
        let root = CellAddress(object, CellPath(steps: []))
        return [ChangeOperation(object, .create(given: [:], defaults: [:]))] + contents(below: root)
    }

    /// Returns the operations that fill what is empty at an address, parents before what lies in them.
    func contents(below address: CellAddress) -> [ChangeOperation] {
        var operations: [ChangeOperation] = []
        var lists: Set<CellPath> = []
        for path in cellPaths(below: address) {
            let cell = CellAddress(address.object, path)
            switch path.steps.last {
            case .element:
                // All elements at once, in the order of the list; what lies in them has longer paths and follows.
                guard lists.insert(path.parent).inserted else { continue }
                for id in elements(of: cell.parent) {
                    guard let value = literalValue(at: cell.parent.appending(.element(id))) else { continue }
                    operations.append(
                        ChangeOperation(cell.object, .listInsert(path.parent, id, before: nil, value))
                    )
                }
            case let step?:
                guard let value = literalValue(at: cell) else { continue }
                operations.append(ChangeOperation(cell.object, assignment(of: value, at: path, step)))
            case nil: continue
            }
        }
        return operations
    }

    /// Returns the operation that gives a cell a value, or takes it out where there is none.
    func assignment(of value: CellValue?, at path: CellPath, _ step: CellPath.Step) -> ChangeOperation.Action {
        switch (step, value) {
        case (.member(let member), nil): .setRemove(path.parent, member)
        case (.member(let member), .some): .setInsert(path.parent, member)
        case (.key(let key), nil): .mapRemove(path.parent, key)
        case (_, .life(let life)) where life.kind == .embedded: .embeddedNew(path, life.id, [:])
        case (_, .life(let life)): .collectionNew(path, life)
        case (.key(let key), let value?): .mapSet(path.parent, key, value)
        case (.element(let id), let value): .listSet(path.parent, id, value ?? .null)
        case (.property, let value), (.life, let value): .set(path, value ?? .null)
        }
    }
}
