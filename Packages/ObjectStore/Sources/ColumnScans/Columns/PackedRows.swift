package import ObjectQueries

/// Some columns of all rows of a class, as they are at one version.
package struct PackedRows: Sendable {
    /// The key of each row, ascending.
    package private(set) var keys: [Int64]
    /// The columns that are there, by slot.
    package private(set) var columns: [Int: PackedColumn]

    /// Creates rows; each column has as many as there are keys.
    package init(keys: [Int64] = [], columns: [Int: PackedColumn] = [:]) {
        self.keys = keys
        self.columns = columns
    }

    /// How many bytes they take.
    package var byteCount: Int { columns.values.reduce(keys.capacity * 8) { $0 + $1.byteCount } }

    /// Adds or replaces a column; nil removes it.
    package mutating func set(_ slot: Int, _ column: PackedColumn?) { columns[slot] = column }

    /// Makes the forms of a text column for some options.
    ///
    /// - Returns: False when there is too much for one column.
    package mutating func fold(_ slot: Int, _ options: [QueryPredicate.Options]) -> Bool {
        guard options.contains(where: { columns[slot]?.isFolded($0) == false }),
            var column = columns.removeValue(forKey: slot)
        else { return true }
        let fits = options.allSatisfy { column.fold($0) }
        columns[slot] = column
        return fits
    }

    // MARK: Changes

    /// Adds rows with greater keys, which have the same columns.
    ///
    /// - Returns: False when there is too much for one column: the rows must not be used then.
    package mutating func append(_ new: PackedRows) -> Bool {
        keys += new.keys
        return each { column, slot in new.columns[slot].map { column.append(contentsOf: $0) } ?? false }
    }

    /// Adds rows with any keys, which have the same columns; where both have a key the new row counts.
    ///
    /// - Returns: False when there is too much for one column: the rows must not be used then.
    /// - Complexity: O(*n*) in the count of all rows, unless the new ones lie behind the others.
    package mutating func merge(_ new: PackedRows) -> Bool {
        guard let first = new.keys.first else { return true }
        if keys.last ?? .min < first { return append(new) }
        let order = MergedOrder(of: keys, with: new.keys)
        keys = order.keys
        return each { column, slot in new.columns[slot].map { column.merge($0, order) } ?? false }
    }

    /// Replaces rows by what they are now; those of unknown keys are left out.
    ///
    /// - Parameter changed: The rows, with some of the columns.
    /// - Returns: False when there is too much for one column: the rows must not be used then.
    package mutating func replace(_ changed: PackedRows) -> Bool {
        var places: [(row: Int, by: Int)] = []
        places.reserveCapacity(changed.keys.count)
        for (index, key) in changed.keys.enumerated() {
            if let row = row(of: key) { places.append((row, index)) }
        }
        guard !places.isEmpty else { return true }
        return each { column, slot in changed.columns[slot].map { column.replace(places, from: $0) } ?? true }
    }

    /// Removes the rows that are not among the keys.
    ///
    /// - Parameter left: Ascending keys; those of unknown rows are left out.
    package mutating func keep(_ left: [Int64]) {
        var rows = RowSet(noneOf: keys.count)
        var place = 0
        for key in left {
            while place < keys.count, keys[place] < key { place += 1 }
            guard place < keys.count else { break }
            if keys[place] == key { rows.insert(place) }
        }
        guard rows.count < keys.count else { return }
        var kept: [Int64] = []
        kept.reserveCapacity(rows.count)
        rows.eachRow { kept.append(keys[$0]) }
        keys = kept
        _ = each { column, _ in
            column.keep(rows)
            return true
        }
    }

    /// Where a key is; nil when it is not there.
    ///
    /// - Complexity: O(log *n*); O(1) while no row was deleted.
    package func row(of key: Int64) -> Int? {
        guard let first = keys.first else { return nil }
        let likely = key &- first
        if likely >= 0, likely < Int64(keys.count), keys[Int(likely)] == key { return Int(likely) }
        var low = 0
        var high = keys.count
        while low < high {
            let middle = (low + high) / 2
            if keys[middle] < key { low = middle + 1 } else { high = middle }
        }
        return low < keys.count && keys[low] == key ? low : nil
    }

    /// The first row behind a key.
    ///
    /// - Complexity: O(log *n*).
    package func row(behind key: Int64) -> Int {
        var low = 0
        var high = keys.count
        while low < high {
            let middle = (low + high) / 2
            if keys[middle] <= key { low = middle + 1 } else { high = middle }
        }
        return low
    }

    /// Changes each column in its place: one that lies in the table meanwhile would be copied.
    private mutating func each(_ change: (inout PackedColumn, Int) -> Bool) -> Bool {
        var fits = true
        for slot in Array(columns.keys) {
            guard var column = columns.removeValue(forKey: slot) else { continue }
            fits = change(&column, slot) && fits
            columns[slot] = column
        }
        return fits
    }
}
