import EventModel

// How elements are handed to the program.
extension ManagedElements {
    /// The element at a place, handed to the program.
    @_specialize(where Label == Int64, Element == Int)
    @_specialize(where Label == Int64, Element == Double)
    @_specialize(where Label == Int64, Element == String)
    @_specialize(where Label == Int64, Element == ObjectId)
    func read(_ index: Int) -> Element {
        if isSettled, !isAny, index >= 0 {
            if holdsObjects {
                if index < contents.rows.count, let row = contents.rows[index], row.snapshot != nil {
                    return handOut(row, among: contents)
                }
            } else if index < contents.values.count {
                show()
                return contents.values[index]
            }
        }
        return readSlowly(index)
    }

    private func readSlowly(_ index: Int) -> Element {
        let contents = current()
        guard index >= 0, index < contents.labels.count else {
            if core.confinedRealm.version.lacksData, let standIn = Element.standIn { return standIn }
            misuse("The index \(index) is outside of a \(word) of \(contents.labels.count) elements.")
        }
        return read(contents, index)
    }

    /// Iterates over the elements as they are now, handing each to the program.
    @_specialize(where Label == Int64, Element == Int)
    @_specialize(where Label == Int64, Element == Double)
    @_specialize(where Label == Int64, Element == String)
    @_specialize(where Label == Int64, Element == ObjectId)
    func makeIterator() -> AnyIterator<Element> {
        let contents = current()
        if holdsObjects { return AnyIterator(ObjectsIterator(contents, of: self)) }
        if isAny {
            var index = 0
            return AnyIterator { [self] in
                guard index < contents.labels.count else { return nil }
                defer { index += 1 }
                return read(contents, index)
            }
        }
        return AnyIterator(ValuesIterator(contents.values, of: self))
    }

    /// An element that was among others, handed to the program.
    func read(_ contents: Contents, _ index: Int) -> Element {
        if holdsObjects { return handOut(rows(in: index..<(index + 1), of: contents)[0], among: contents) }
        show()
        return isAny ? any(contents.cells[index], isObserved: true) : contents.values[index]
    }

    /// Makes the object of an element for the program.
    func handOut(_ row: _ElementRow?, among contents: Contents) -> Element {
        show()
        let element = Element._element(row, of: core, slot)
        if let row { observe(row.key, among: contents) }
        return element
    }

    /// Every element, without telling an observer.
    var elements: [Element] {
        let contents = current()
        return contents.labels.indices.map { element(contents, $0) }
    }
}
