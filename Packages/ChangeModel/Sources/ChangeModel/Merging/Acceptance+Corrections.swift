extension Acceptance {
    /// Returns what the author must be told because its own writes do not hold as it made them.
    ///
    /// The author has shown its own writes since it made them, and passed over what others wrote to the same cells
    /// meanwhile. So for each operation that does not hold as sent these are the values that do: of a creation or
    /// deletion the whole object. A deletion brings every link to the object that is left, too, as the author has
    /// cleared them all.
    func corrections(in state: some RealmState) -> [ChangeOperation] {
        var corrections: [ChangeOperation] = []
        var whole: Set<ObjectAddress> = []
        for (operation, result) in zip(change.operations, results) {
            if case .delete = operation.action {
                corrections += state.referrers(of: operation.object)
                    .filter { state.literalValue(at: $0)?.target != nil }
                    .flatMap { state.literals(of: $0) }
            }
            guard result != .asSent, operation.posted == nil, !whole.contains(operation.object) else { continue }
            if let path = operation.path, state.existence(of: operation.object).isAlive {
                corrections += correction(of: operation, CellAddress(operation.object, path), in: state)
            } else {
                whole.insert(operation.object)
                corrections.append(ChangeOperation(operation.object, .delete))
                corrections += state.literals(of: operation.object)
            }
        }
        return corrections
    }

    private func correction(
        of operation: ChangeOperation,
        _ address: CellAddress,
        in state: some RealmState
    ) -> [ChangeOperation] {
        let steps = address.path.steps
        // The author may have written into a life that is not there any more: then it needs the one that is.
        for (index, step) in steps.enumerated() {
            guard case .life(let id) = step else { continue }
            let holder = CellAddress(address.object, CellPath(steps: Array(steps[..<index])))
            if state.cell(at: holder)?.value?.life?.id != id { return state.literals(of: holder) }
        }
        guard case .clear = operation.action else { return state.literals(of: address) }
        return [ChangeOperation(address.object, .clear(address.path))] + state.contents(below: address)
    }
}
