import ObjectQueries

extension Results {
    /// Returns how the database finds the elements: one line for each step, in the words of SQLite.
    ///
    /// `SEARCH … USING INDEX` means that an index leads to the rows, `SCAN` alone that each one is looked at. It is meant for
    /// diagnosis: the words differ between versions of SQLite. The elements of an unmanaged collection have no steps.
    public func explain() -> String {
        guard let state else { return "" }
        return state.explain().joined(separator: "\n")
    }
}

extension ResultState {
    fileprivate func explain() -> [String] {
        prepare()
        return core.reading { () throws(Realm.Error) in
            let statement = try bound("EXPLAIN QUERY PLAN \(compiled.select("\(compiled.alias).*"))")
            var lines: [String] = []
            while try statement.step() { lines.append(statement.text(3)) }
            return lines
        }
    }
}
