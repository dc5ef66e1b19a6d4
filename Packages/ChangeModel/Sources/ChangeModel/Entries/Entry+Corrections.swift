extension Entry {
    /// The corrections in an order in which they can be done: an element of a list follows the one it stands before.
    ///
    /// A correction names the element that its own one stands before in the server's order. Where that one is
    /// corrected, too, its author has it somewhere else, or not at all, until that is done.
    ///
    /// - Complexity: O(*n*) in the corrections.
    public var correctionsInOrder: [ChangeOperation] {
        var indices: [CellAddress: Int] = [:]
        for (index, correction) in corrections.enumerated() {
            if let element = correction.insertedElement { indices[element] = index }
        }
        guard indices.count > 1 else { return corrections }
        var ordered: [ChangeOperation] = []
        ordered.reserveCapacity(corrections.count)
        var isDone = [Bool](repeating: false, count: corrections.count)
        for first in corrections.indices {
            var run: [Int] = []
            var next: Int? = first
            while let index = next, !isDone[index] {
                isDone[index] = true
                run.append(index)
                next = corrections[index].followingElement.flatMap { indices[$0] }
            }
            for index in run.reversed() { ordered.append(corrections[index]) }
        }
        return ordered
    }
}

extension ChangeOperation {
    /// The element of a list that is inserted; nil for other operations.
    fileprivate var insertedElement: CellAddress? {
        guard case .listInsert(let path, let id, _, _) = action else { return nil }
        return CellAddress(object, path).appending(.element(id))
    }

    /// The element of a list that one is inserted before; nil for the end and for other operations.
    fileprivate var followingElement: CellAddress? {
        guard case .listInsert(let path, _, let right?, _) = action else { return nil }
        return CellAddress(object, path).appending(.element(right))
    }
}
