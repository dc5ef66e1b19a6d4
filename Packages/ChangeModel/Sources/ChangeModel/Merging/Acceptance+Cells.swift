extension Acceptance {
    /// Writes a value, or nil for "not there", if it is newer than what is there; says what changed.
    ///
    /// - Returns: Whether the cell holds now what was written.
    @discardableResult
    mutating func assign(
        _ value: CellValue?,
        to address: CellAddress,
        _ stamp: Stamp,
        isInsertion: Bool = false,
        in state: inout some RealmState
    ) -> Bool {
        guard isInsertion || isReachable(address, stamp, in: state) else { return false }
        let before = state.literalValue(at: address)
        guard write(value, to: address, stamp, in: &state) else { return false }
        let after = state.literalValue(at: address)
        if before != nil || after != nil { tellValue(of: address, wasThere: before != nil, in: state) }
        return after == value
    }

    /// Assigns a new embedded object with its values.
    mutating func embed(
        _ id: ElementID,
        _ cells: ChangeOperation.Cells,
        at address: CellAddress,
        _ stamp: Stamp,
        in state: inout some RealmState
    ) -> Bool {
        guard isReachable(address, stamp, in: state) else { return false }
        let wasThere = state.literalValue(at: address) != nil
        guard write(.life(Life(id, .embedded)), to: address, stamp, in: &state) else { return false }
        let inside = address.appending(.life(id))
        var shown: ChangeOperation.Cells = [:]
        for (name, value) in cells {
            let cell = inside.appending(.property(name))
            _ = write(value, to: cell, stamp, in: &state)
            shown[name] = state.literalValue(at: cell)
        }
        if case .element = address.path.steps.last, !wasThere {
            literals += state.literals(of: address)
        } else {
            tell(address.object, .embeddedNew(address.path, id, shown))
        }
        return shown == cells
    }

    /// Adds to an integer, now and under every older value that arrives later.
    mutating func add(
        _ number: Int64,
        to address: CellAddress,
        _ stamp: Stamp,
        in state: inout some RealmState
    ) -> Bool {
        guard isReachable(address, stamp, in: state) else { return false }
        var cell = state.cell(at: address) ?? Cell(stamp: .oldest, value: nil)
        guard stamp > cell.stamp else { return false }
        cell.increments[stamp] = number
        state.setCell(cell, at: address)
        guard case .int = cell.value else { return false }
        tellValue(of: address, in: state)
        return true
    }

    /// Whether the cell can be written to: each life on the way is the present one, and no clearing is newer.
    func isReachable(_ address: CellAddress, _ stamp: Stamp, in state: some RealmState) -> Bool {
        guard isPresent(address, in: state) else { return false }
        switch address.path.steps.last {
        case .key, .member:
            guard rules.contains(.clearingMeetsLate), let cleared = state.clearing(of: address.parent) else {
                return true
            }
            return stamp > cleared
        case .element: return state.cell(at: address) != nil || !rules.contains(.removalWins)
        case .property, .life, nil: return true
        }
    }

    /// Whether each life on the way to an address is the one that its cell holds now.
    func isPresent(_ address: CellAddress, in state: some RealmState) -> Bool {
        guard rules.contains(.formerLivesAreGone) else { return true }
        let steps = address.path.steps
        for (index, step) in steps.enumerated() {
            guard case .life(let id) = step else { continue }
            let holder = CellAddress(address.object, CellPath(steps: Array(steps[..<index])))
            guard state.cell(at: holder)?.value?.life?.id == id else { return false }
        }
        return true
    }

    /// Writes a value if it is newer than what is there, and forgets what lay in the former one.
    func write(_ value: CellValue?, to address: CellAddress, _ stamp: Stamp, in state: inout some RealmState) -> Bool {
        let former = state.cell(at: address)
        if let former {
            guard stamp >= former.stamp || !rules.contains(.newerWins) else { return false }
            if former.value?.life != nil { state.removeContents(below: address) }
        }
        let increments = rules.contains(.incrementsStay) ? former?.increments.filter { $0.key > stamp } : nil
        let cell = Cell(
            stamp: stamp,
            value: value,
            targetEpoch: value?.target.map { epoch(of: $0, in: state) } ?? 0,
            increments: increments ?? [:]
        )
        state.setCell(cell, at: address)
        return true
    }

    /// The epoch of the target of a link that the author knew.
    private func epoch(of target: ObjectAddress, in state: some RealmState) -> Int {
        guard rules.contains(.deletionClearsLinks) else { return .max }
        guard rules.contains(.linksMeanOneObject) else { return 0 }
        return state.existence(of: target).known(to: file, at: change.base)
    }

    /// Says what a cell holds now.
    mutating func tellValue(of address: CellAddress, wasThere: Bool = true, in state: some RealmState) {
        guard let step = address.path.steps.last else { return }
        let value = state.literalValue(at: address)
        if case .element = step, value == nil || !wasThere {
            literals += state.literals(of: address)
        } else {
            tell(address.object, state.assignment(of: value, at: address.path, step))
        }
    }
}
