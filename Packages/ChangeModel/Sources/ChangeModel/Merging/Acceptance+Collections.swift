extension Acceptance {
    /// Inserts an element before the place where the author saw its right neighbour.
    mutating func insert(
        _ id: ElementID,
        before right: ElementID?,
        _ value: CellValue,
        into list: CellAddress,
        _ stamp: Stamp,
        in state: inout some RealmState
    ) -> Bool {
        guard isPresent(list, in: state), state.element(id, of: list) == nil else { return false }
        let place = makePlace(of: id, before: right, in: list, stamp, of: &state)
        // The place is kept in any case: what the author inserted before the element is anchored to it.
        state.setElement(ListElement(inserted: stamp, places: [place]), id, of: list)
        if rules.contains(.clearingMeetsLate), let cleared = state.clearing(of: list), cleared > stamp { return false }
        return assign(value, to: list.appending(.element(id)), stamp, isInsertion: true, in: &state)
    }

    /// Removes an element for ever.
    mutating func remove(_ id: ElementID, from list: CellAddress, in state: inout some RealmState) -> Bool {
        guard isPresent(list, in: state) else { return false }
        guard var element = state.element(id, of: list) else { return true }
        element.isRemoved = true
        state.setElement(element, id, of: list)
        forget(list.appending(.element(id)), in: &state)
        return true
    }

    /// Moves an element to a place of its own, if no newer move did.
    mutating func move(
        _ id: ElementID,
        before right: ElementID?,
        in list: CellAddress,
        _ stamp: Stamp,
        of state: inout some RealmState
    ) -> Bool {
        guard isPresent(list, in: state), var element = state.element(id, of: list) else { return false }
        let former = element.place
        let place = makePlace(of: id, before: right, in: list, stamp, of: &state)
        if rules.contains(.newerMoveWins) { element.places.append(place) } else { element.places = [place] }
        state.setElement(element, id, of: list)
        guard element.place != former, state.literalValue(at: list.appending(.element(id))) != nil else { return false }
        tell(list.object, .listMove(list.path, id, before: state.elementAfter(place, of: list)))
        return true
    }

    /// Removes what is older than this from a list, set or map.
    mutating func clear(_ collection: CellAddress, _ stamp: Stamp, in state: inout some RealmState) -> Bool {
        guard isPresent(collection, in: state) else { return false }
        if let cleared = state.clearing(of: collection), cleared > stamp { return false }
        state.setClearing(stamp, of: collection)
        let told = literals.count
        var remains = false
        for path in state.cellPaths(below: collection) where path.parent == collection.path {
            let cell = CellAddress(collection.object, path)
            if isOlder(cell, than: stamp, in: state) || !rules.contains(.clearingSparesNewer) {
                forget(cell, in: &state)
            } else if state.literalValue(at: cell) != nil {
                remains = true
            }
        }
        if !remains, literals.count > told {
            literals.removeSubrange(told...)
            tell(collection.object, .clear(collection.path))
        }
        return !remains
    }

    /// Whether a member, entry or element came into its collection before a moment.
    private func isOlder(_ address: CellAddress, than stamp: Stamp, in state: some RealmState) -> Bool {
        guard case .element(let id) = address.path.steps.last else {
            return state.cell(at: address).map { $0.stamp < stamp } ?? true
        }
        return state.element(id, of: address.parent).map { $0.inserted < stamp } ?? true
    }

    /// Forgets a member, entry or element with what lies in it, and says so where somebody has it.
    private mutating func forget(_ address: CellAddress, in state: inout some RealmState) {
        let wasThere = state.literalValue(at: address) != nil
        if state.cell(at: address)?.value?.life != nil { state.removeContents(below: address) }
        state.setCell(nil, at: address)
        if wasThere { tellValue(of: address, in: state) }
    }

    /// Makes a place directly before the one where the author saw the right neighbour; an unknown neighbour means the
    /// end.
    private func makePlace(
        of id: ElementID,
        before right: ElementID?,
        in list: CellAddress,
        _ stamp: Stamp,
        of state: inout some RealmState
    ) -> ListPlace {
        let neighbour = right.flatMap { state.element($0, of: list) }
        let seen =
            rules.contains(.neighboursAsSeen)
            ? neighbour?.place(seenBy: file, at: change.base) : neighbour?.place
        var anchor = seen?.stamp
        if !rules.contains(.placesAscend) { anchor = state.outermostPlace(before: anchor, of: list)?.stamp ?? anchor }
        let place = ListPlace(stamp: stamp, anchor: anchor, element: id, number: number)
        state.addPlace(place, to: list)
        return place
    }
}
