import Synchronization

/// A result and the key of each of its elements, with the sections as of the last evaluation; shared by copies.
final class SectionState<Key: Hashable, Element: RealmCollectionValue> {
    let results: Results<Element>
    let rule: Rule
    private let known = Mutex(Known())

    /// Makes the key of an element.
    // SAFETY: the block is called by whoever uses the sections, on any executor; those that take it say that it must not use what
    // belongs to one.
    final class Rule: @unchecked Sendable {
        let key: (Element) -> Key

        init(_ key: @escaping (Element) -> Key) {
            self.key = key
        }
    }

    // SAFETY: several threads read the sections of a frozen result, which never change; those of another belong to one executor.
    private struct Known: @unchecked Sendable {
        var generation: UInt64 = 0
        var sections: Sections<Key>?
    }

    init(_ results: Results<Element>, _ rule: Rule) {
        self.results = results
        self.rule = rule
    }

    /// The sections at the version of the realm.
    ///
    /// - Complexity: O(*n*) in the count of elements when the realm shows another version than before, otherwise O(1).
    func sections() -> Sections<Key> {
        let generation = results.generation
        let known = known.withLock { $0 }
        if let sections = known.sections, known.generation == generation { return sections }
        // An element is asked for by its place, for which all rows are needed: read once, and not a second time then.
        if case .objects(let state) = results.content { _ = state.rows() }
        var made = Sections<Key>()
        for element in results { made.append(rule.key(element)) }
        keep(made)
        return made
    }

    /// The sections and the elements as a token compares them, read without telling an observer of the elements.
    func contents() -> SectionContents<Key, Element> {
        var made = Sections<Key>()
        let elements: SectionContents<Key, Element>.Elements
        switch results.content {
        case .objects(let state):
            let rows = state.rows()
            for row in rows { made.append(rule.key(Element._object(state.object(row)))) }
            elements = .rows(made.places.map { $0.runs.flatMap { rows[$0].map(\.key) } })
        case .values(let state):
            let values = state.values()
            for value in values { made.append(rule.key(value)) }
            elements = .values(made.places.map { $0.runs.flatMap { values[$0].map(\._identity) } })
        case .memory: elements = .rows([])
        }
        keep(made)
        return SectionContents(keys: made.keys, elements: elements)
    }

    private func keep(_ sections: Sections<Key>) {
        // What stands in for data that could not be read must not be taken for current later on.
        guard results.state.map({ !$0.core.version.lacksData }) ?? true else { return }
        let made = Known(generation: results.generation, sections: sections)
        known.withLock { $0 = made }
    }
}

extension Results {
    /// What tells versions apart; always the same for elements of an unmanaged collection.
    fileprivate var generation: UInt64 {
        guard let state else { return 1 }
        state.prepare()
        return state.core.store.generation
    }

    /// Returns what reads elements by their places as they are now, also when the result changes meanwhile.
    func reader() -> (Int) -> Element {
        switch content {
        case .objects(let state):
            let rows = state.rows()
            return { place in
                state.report(rows[place])
                return Element._object(state.object(rows[place]))
            }
        case .values(let state):
            state.reportQuery()
            let values = state.values()
            return { values[$0] }
        case .memory(let elements): return { elements[$0] }
        }
    }
}
