extension RealmState {
    /// Returns the operations that make an object what it is now, from nothing, as a snapshot has them.
    ///
    /// They are ``literals(of:)`` with the plain values of properties in the creation: each name once for a page, and no operation
    /// of its own for each of them.
    ///
    /// - Complexity: O(*n*) in the cells of the object.
    public func snapshot(of object: ObjectAddress) -> [ChangeOperation] {
        var (given, others): (ChangeOperation.Cells, [ChangeOperation]) = ([:], [])
        for operation in literals(of: object).dropFirst() {
            if case .set(let path, let value) = operation.action, path.steps.count == 1,
                case .property(let name)? = path.steps.first, value.isPlain
            {
                given[name] = value
            } else {
                others.append(operation)
            }
        }
        guard existence(of: object).isAlive else { return [] }
        return [ChangeOperation(object, .create(given: given, defaults: [:]))] + others
    }
}

extension CellValue {
    /// Whether it says everything by itself: no other object, and nothing that lies in it.
    public var isPlain: Bool { target == nil && life == nil }
}
