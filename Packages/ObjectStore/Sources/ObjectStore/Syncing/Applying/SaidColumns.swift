import ChangeModel
import EventModel

/// Where the value of each property is among those that a server said of an object.
///
/// Objects of a class come with the same names, one after the other. So what was found for one is kept for the next, and a name is compared
/// with the one in its place rather than looked up.
final class SaidColumns {
    private let names: [ExactText]
    /// The index of the value by the slot of its property; nil where nothing was said.
    let indices: [Int?]
    /// Whether a name is that of no declared property.
    let hasUndeclared: Bool

    init(_ cells: ChangeOperation.Cells, of table: ClassTable) {
        var indices = [Int?](repeating: nil, count: table.storedNames.count)
        var hasUndeclared = false
        for (index, cell) in cells.enumerated() {
            if let slot = table.slot(named: cell.key) { indices[slot] = index } else { hasUndeclared = true }
        }
        names = Array(cells.keys)
        self.indices = indices
        self.hasUndeclared = hasUndeclared
    }

    /// Whether cells have the names that these columns were found for.
    func fit(_ cells: ChangeOperation.Cells) -> Bool {
        guard cells.count == names.count else { return false }
        for index in names.indices where cells[index].key != names[index] { return false }
        return true
    }
}

extension ClassTable {
    /// Finds the columns of values that were said of an object.
    ///
    /// - Complexity: O(*n*) in the values; without a look-up when they have the names of the last ones.
    func saidColumns(_ cells: ChangeOperation.Cells) -> SaidColumns {
        if let latestSaid, latestSaid.fit(cells) { return latestSaid }
        let columns = SaidColumns(cells, of: self)
        latestSaid = columns
        return columns
    }
}
