import EventModel
import ObjectQueries

extension StoreConnection {
    /// Where the file is in sync, at the version that is read or in the transaction that is open.
    ///
    /// - Parameter changeCount: How many changes the open transaction made.
    /// - Returns: The place; nil for a file that does not sync.
    /// - Throws: A `Realm.Error` when the file cannot be read.
    func place(changeCount: Int = 0) throws(Realm.Error) -> SyncReference? {
        guard isSynced else { return nil }
        let row = try SyncedObjects(self)
            .statement(
                """
                SELECT history, file, position, next, (SELECT max(number) FROM \(SyncTables.pending)) \
                FROM \(SyncTables.state)
                """
            )
        defer { row.reset() }
        guard try row.step() else {
            throw Realm.Error(.invalidDatabase, "The realm file does not say where it is in sync.")
        }
        let number = row.isNull(1) ? 0 : UInt32(exactly: row.int(1)) ?? 0
        return SyncReference(
            file: SyncReference.File(history: Array(row.bytes(0)), number: number),
            position: Int(row.int(2)),
            change: max(Int(row.int(3)) - 1, Int(row.int(4))),
            changeCount: changeCount
        )
    }
}
