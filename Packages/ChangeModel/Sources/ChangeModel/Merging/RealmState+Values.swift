extension RealmState {
    /// Returns the value of a cell as everybody has it.
    ///
    /// - Returns: The value with its increments; null for a property or entry whose link was cleared by a deletion; nil
    ///   for a removed entry or member, an element that is gone, one whose link was cleared, and a cell that was never
    ///   written. A link to an object that is not there yet is a value: devices keep it and show nothing.
    public func literalValue(at address: CellAddress) -> CellValue? {
        guard let cell = cell(at: address), let value = cell.total else { return nil }
        guard isCleared(cell) else { return value }
        switch address.path.steps.last {
        case .property, .key: return .null
        case .element: return value.isOfAnyType ? .null : nil
        case .member, .life, nil: return nil
        }
    }

    /// Returns the elements that a list has, in order.
    ///
    /// - Complexity: O(*n*) in the places of the list, those of removed elements included.
    public func elements(of list: CellAddress) -> [ElementID] {
        var elements: [ElementID] = []
        var next = outermostPlace(before: nil, of: list)
        while let place = next {
            if holdsElement(place, of: list) { elements.append(place.element) }
            next = self.place(after: place, of: list)
        }
        return elements
    }

    /// Whether the cell holds a link that a deletion has cleared.
    func isCleared(_ cell: Cell) -> Bool {
        guard let target = cell.value?.target else { return false }
        return existence(of: target).hasCleared(linkOf: cell.stamp, known: cell.targetEpoch)
    }
}

// MARK: - Order

extension RealmState {
    /// Returns the element that stands next on the right of a place; nil for the end.
    func elementAfter(_ place: ListPlace, of list: CellAddress) -> ElementID? {
        var next = self.place(after: place, of: list)
        while let place = next {
            if holdsElement(place, of: list) { return place.element }
            next = self.place(after: place, of: list)
        }
        return nil
    }

    /// Returns the next place of the walk, whoever stands there.
    private func place(after place: ListPlace, of list: CellAddress) -> ListPlace? {
        if let sibling = nextPlace(after: place, of: list) { return outermostPlace(under: sibling, of: list) }
        return place.anchor.flatMap { self.place($0, of: list) }
    }

    /// Returns the first place of the walk among those that stand before an anchor because of it.
    func outermostPlace(before anchor: Stamp?, of list: CellAddress) -> ListPlace? {
        firstPlace(anchoredTo: anchor, of: list).map { outermostPlace(under: $0, of: list) }
    }

    private func outermostPlace(under place: ListPlace, of list: CellAddress) -> ListPlace {
        var place = place
        while let child = firstPlace(anchoredTo: place.stamp, of: list) { place = child }
        return place
    }

    /// Whether an element stands at a place, and is one that everybody has.
    private func holdsElement(_ place: ListPlace, of list: CellAddress) -> Bool {
        element(place.element, of: list)?.place == place
            && literalValue(at: list.appending(.element(place.element))) != nil
    }
}
