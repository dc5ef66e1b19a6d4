import ObjectQueries

extension Results {
    /// Finds the first place of an element, objects by their row; nil when it is not there.
    func place(of element: Element) -> Int? {
        switch content {
        case .objects(let state):
            guard let core = (element as? ObjectBase)?._core, core.realm === state.core, core.table === state.table
            else { return nil }
            return state.place(of: core.key)
        case .values(let state):
            state.reportQuery()
            return state.values().firstIndex(of: element)
        case .memory(let elements): return elements.firstIndex(of: element)
        }
    }

    /// Finds the first element that is among others that were filtered out of the same result.
    func place(matching matches: Results<Element>) -> Int? {
        matches.state?.reportQuery()
        switch (content, matches.content) {
        case (.objects(let state), .objects(let matching)):
            guard !state.plan.distinct.isEmpty else { return matching.firstRow().flatMap { state.place(of: $0.key) } }
            // A condition narrows before equals are dropped, so that the first match may be one that was dropped here.
            var plan = matching.plan
            plan.distinct = []
            let keys = Set(ObjectResultState(state.core, state.table, plan).rows().map(\.key))
            return state.rows().firstIndex { keys.contains($0.key) }
        case (.values(let state), .values(let matching)):
            // The same values fulfil the same conditions; texts are the same when their bytes are.
            let found = Set(matching.values().map(\._identity))
            return state.values().firstIndex { found.contains($0._identity) }
        case (.memory(let elements), .memory(let matching)):
            // The first match is the first of all that are the same, since these fulfil the same conditions.
            guard let first = matching.first?._identity else { return nil }
            return elements.firstIndex { $0._identity == first }
        default: return nil
        }
    }
}
