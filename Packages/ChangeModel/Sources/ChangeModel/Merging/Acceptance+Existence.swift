extension Acceptance {
    /// What an operation meets.
    enum Verdict: Equatable {
        /// A creation makes a new object, or a deletion takes one away.
        case changes
        /// The object is as the operation wants it, or there: a creation is merged, a deletion does nothing, all else
        /// is done.
        case stays
        /// The operation is refused.
        case refused(OperationRefusal)
    }

    /// Proposes what the operation wants to be, leaves the mark of that, and returns what the operation meets.
    func propose(_ action: ChangeOperation.Action, _ stamp: Stamp, _ existence: inout Existence) -> Verdict {
        let known = existence.known(to: file, at: change.base)
        let isKnownAlive = !known.isMultiple(of: 2)
        let present = existence.epoch
        switch action {
        case .create:
            let proposal = isKnownAlive ? known : known + 1
            mark(proposal, stamp, &existence)
            if proposal < present { return .refused(.deleted) }
            return proposal > present ? .changes : .stays
        case .delete:
            let proposal = isKnownAlive ? known + 1 : known
            mark(proposal, stamp, &existence)
            return proposal > present ? .changes : .stays
        case .post: return .stays
        default:
            if !rules.contains(.deletionWins) { return existence.isAlive ? .stays : .refused(.deleted) }
            guard known == present, isKnownAlive else { return .refused(known == 0 ? .missing : .deleted) }
            return .stays
        }
    }

    private func mark(_ epoch: Int, _ stamp: Stamp, _ existence: inout Existence) {
        let mark = Existence.Mark(number: number, epoch: epoch, stamp: stamp)
        existence.add(mark, marks: rules.contains(.everyProposalMarks))
    }

    /// Returns why each operation of an atomic change is refused; nil if none is, by itself.
    ///
    /// Whether one is depends on what others deleted before it arrived, as it must. So the order of arrival decides
    /// there.
    func refusalsOfAll(in state: some RealmState, _ refused: [OperationRefusal?]) -> [OperationRefusal]? {
        var seen: [ObjectAddress: Existence] = [:]
        var reasons = refused
        for (index, operation) in change.operations.enumerated() where reasons[index] == nil {
            var existence = seen[operation.object] ?? state.existence(of: operation.object)
            if case .refused(let reason) = propose(operation.action, stamp(index), &existence) {
                reasons[index] = reason
            }
            seen[operation.object] = existence
        }
        guard reasons.contains(where: { $0 != nil }) else { return nil }
        return reasons.map { $0 ?? .atomic }
    }

    /// Creates an object, or writes what is newer into the one that another device created.
    mutating func create(
        _ object: ObjectAddress,
        _ given: ChangeOperation.Cells,
        _ defaults: ChangeOperation.Cells,
        _ stamp: Stamp,
        isNew: Bool,
        in state: inout some RealmState
    ) -> OperationResult {
        let root = CellAddress(object, CellPath(steps: []))
        let told = literals.count
        let older = rules.contains(.defaultsAreOldest) ? stamp.asDefault : stamp
        for (values, stamp) in [(defaults, older), (given, stamp)] {
            for (name, value) in values {
                assign(value, to: root.appending(.property(name)), stamp, in: &state)
            }
        }
        guard isNew else { return .superseded }
        // The object and all its values are one literal.
        literals.removeSubrange(told...)
        var cells: ChangeOperation.Cells = [:]
        let sent = defaults.updated(with: given)
        for (name, _) in sent {
            cells[name] = state.literalValue(at: root.appending(.property(name)))
        }
        tell(object, .create(given: cells, defaults: [:]))
        return cells == sent ? .asSent : .superseded
    }

    /// Deletes an object, and clears the links that this deletion clears, also where another one came before it.
    mutating func delete(
        _ object: ObjectAddress,
        _ existence: Existence,
        isDeath: Bool,
        in state: inout some RealmState
    ) -> OperationResult {
        if isDeath {
            tell(object, .delete)
            if rules.contains(.newObjectsAreEmpty) {
                state.removeContents(below: CellAddress(object, CellPath(steps: [])))
            }
        }
        let links = state.referrers(of: object).filter { state.literalValue(at: $0)?.target != nil }
        state.setExistence(existence, of: object)
        for link in links {
            if !rules.contains(.newerLinksStay), let cell = state.cell(at: link) {
                state.setCell(Cell(stamp: cell.stamp, value: .null), at: link)
            }
            guard state.literalValue(at: link)?.target == nil else { continue }
            tellValue(of: link, in: state)
            if !rules.contains(.clearedElementsReturn), case .element(let id) = link.path.steps.last {
                _ = remove(id, from: link.parent, in: &state)
            }
        }
        return existence.isAlive ? .superseded : .asSent
    }
}
