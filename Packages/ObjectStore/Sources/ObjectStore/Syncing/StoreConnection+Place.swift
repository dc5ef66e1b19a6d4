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
        if let known = knownStanding {
            return SyncReference(
                file: known.file,
                position: known.standing.position,
                change: known.standing.next - 1,
                changeCount: changeCount
            )
        }
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
        return SyncReference(
            file: SyncReference.File(row, history: 0, number: 1),
            position: Int(row.int(2)),
            change: max(Int(row.int(3)) - 1, Int(row.int(4))),
            changeCount: changeCount
        )
    }
}

extension SyncReference.File {
    /// The file as two columns name it; nil before the server has.
    init?(_ row: Statement, history: Int32, number: Int32) {
        self.init(
            history: Array(row.bytes(history)),
            number: row.isNull(number) ? 0 : UInt32(exactly: row.int(number)) ?? 0
        )
    }
}
