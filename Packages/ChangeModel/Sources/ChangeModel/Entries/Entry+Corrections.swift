extension Entry {
    /// The corrections in an order in which they can be done: an element of a list follows the one it stands before.
    ///
    /// A correction names the element that its own one stands before in the server's order. Where that one is
    /// corrected, too, its author has it somewhere else, or not at all, until that is done. Where a list begins anew
    /// in between, as with its object, whatever was put into it before is gone, so that nothing has to be in order.
    ///
    /// - Complexity: O(*n*) in the corrections.
    public var correctionsInOrder: [ChangeOperation] {
        var order = CorrectionOrder()
        for (index, correction) in corrections.enumerated() { order.add(correction, index) }
        return order.isGiven ? corrections : order.indices(corrections.count).map { corrections[$0] }
    }
}

/// Which corrections have to wait for which.
private struct CorrectionOrder {
    /// An element of a list that may begin anew several times.
    private struct Element: Hashable {
        let address: CellAddress
        /// How often the list has begun anew.
        let beginning: Int
    }

    /// How often an object, a list or what lies around one began anew.
    private var beginnings: [CellAddress: Int] = [:]
    /// The index at which an element is inserted.
    private var insertions: [Element: Int] = [:]
    /// What the insertion at an index stands before.
    private var following: [Int: Element] = [:]

    /// Whether no insertion names another one.
    var isGiven: Bool { !following.values.contains { insertions[$0] != nil } }

    mutating func add(_ correction: ChangeOperation, _ index: Int) {
        let object = correction.object
        switch correction.action {
        case .create, .delete: begin(CellAddress(object, CellPath(steps: [])))
        case .clear(let path), .embeddedNew(let path, _, _), .collectionNew(let path, _):
            begin(CellAddress(object, path))
        case .listInsert(let path, let id, let right, _):
            let beginning = beginning(of: path, object)
            let list = CellAddress(object, path)
            insertions[Element(address: list.appending(.element(id)), beginning: beginning)] = index
            if let right {
                following[index] = Element(address: list.appending(.element(right)), beginning: beginning)
            }
        default: break
        }
    }

    private mutating func begin(_ address: CellAddress) { beginnings[address, default: 0] += 1 }

    /// How often a list has begun anew: each beginning of what lies around it is one of its own.
    private func beginning(of path: CellPath, _ object: ObjectAddress) -> Int {
        guard !beginnings.isEmpty else { return 0 }
        return (0...path.steps.count)
            .reduce(0) { sum, depth in
                sum + beginnings[CellAddress(object, CellPath(steps: Array(path.steps.prefix(depth)))), default: 0]
            }
    }

    /// All indices, each behind the one that it waits for; those that wait for each other come in any order.
    func indices(_ count: Int) -> [Int] {
        var ordered: [Int] = []
        ordered.reserveCapacity(count)
        var isDone = [Bool](repeating: false, count: count)
        for first in 0..<count {
            var run: [Int] = []
            var next: Int? = first
            while let index = next, !isDone[index] {
                isDone[index] = true
                run.append(index)
                next = following[index].flatMap { insertions[$0] }
            }
            ordered += run.reversed()
        }
        return ordered
    }
}
