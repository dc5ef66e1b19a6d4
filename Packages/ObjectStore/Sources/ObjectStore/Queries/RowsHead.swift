import EventModel

/// The first rows of a result, as many as a list on the screen shows; most results are never asked for the others.
struct RowsHead {
    /// How many rows are read together.
    static let limit = 64

    /// What the store's generation was.
    let generation: UInt64
    let rows: [ObjectSnapshot]

    /// The row at an index; an inner nil behind the last row of the result, and an outer nil behind what was read.
    func row(at index: Int) -> ObjectSnapshot?? {
        if index < rows.count { return .some(rows[index]) }
        return rows.count < Self.limit ? .some(nil) : nil
    }
}
