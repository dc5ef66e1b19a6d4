// What was read becomes stale, as much of it as may have changed.
extension StoreConnection {
    /// Makes the rows of one class stale.
    @inline(__always)
    func invalidateRows(of table: ClassTable) {
        generation += 1
        table.didChangeRows()
    }

    /// Makes the collections of one row of a class stale.
    @inline(__always)
    func invalidateCollection(_ key: Int64, of table: ClassTable) {
        generation += 1
        table.didChangeCollection(key)
    }

    /// Makes one row of a class stale.
    @inline(__always)
    func invalidateRow(_ key: Int64, of table: ClassTable) {
        generation += 1
        table.didChangeRow(key)
    }
}
