import ChangeModel
import EventModel
import ObjectQueries

/// The one row of a file that says how far it has come in sync.
struct SyncStateTable {
    private let objects: SyncedObjects

    init(_ objects: SyncedObjects) { self.objects = objects }

    /// How far the file has come.
    func state(_ schemaHash: Digest) throws(Realm.Error) -> SyncState {
        let standing = try PendingChanges(objects).standing()
        let row = try objects.statement(
            """
            SELECT history, file, salt, sent, acknowledged, chain, snapshotHistory, snapshotHead, snapshotCursor, snapshotIsWhole, \
            snapshotAcknowledged FROM \(SyncTables.state)
            """
        )
        guard try row.step(), let chain = Digest(Array(row.bytes(5))) else {
            throw Realm.Error(.invalidDatabase, "The realm file does not say where it is in sync.")
        }
        defer { row.reset() }
        var state = SyncState(
            position: standing.position,
            acknowledged: Int(row.int(4)),
            sent: Int(row.int(3)),
            nextNumber: standing.next,
            clock: standing.clock,
            chain: chain,
            schemaHash: schemaHash
        )
        if let history = HistoryID(row.bytes(0)), let file = UInt32(exactly: row.int(1)) {
            state.binding = FileBinding(history: history, file: file, salt: Array(row.bytes(2)))
        }
        if let history = HistoryID(row.bytes(6)) {
            state.bootstrap = SyncState.Bootstrap(
                history: history,
                head: Int(row.int(7)),
                acknowledged: Int(row.int(10)),
                cursor: row.isNull(8) ? nil : SnapshotCursor(bytes: Array(row.bytes(8))),
                isWhole: row.int(9) != 0
            )
        }
        let totals = try PendingChanges(objects).totals()
        (state.pendingChanges, state.pendingBytes) = (totals.changes, totals.bytes)
        return state
    }

    func setBinding(_ binding: FileBinding) throws(Realm.Error) {
        let update = try objects.statement("UPDATE \(SyncTables.state) SET history = ?1, file = ?2, salt = ?3")
        binding.history.bytes.withUnsafeBytes { bindBytes($0, update.handle, 1) }
        update.bind(2, Int64(binding.file))
        binding.salt.withUnsafeBytes { bindBytes($0, update.handle, 3) }
        try update.run()
    }

    func setBootstrap(_ bootstrap: SyncState.Bootstrap?) throws(Realm.Error) {
        let update = try objects.statement(
            """
            UPDATE \(SyncTables.state) \
            SET snapshotHistory = ?1, snapshotHead = ?2, snapshotCursor = ?3, snapshotIsWhole = ?4, \
            snapshotAcknowledged = ?5
            """
        )
        for index in 1...5 as ClosedRange<Int32> { update.bindNull(index) }
        if let bootstrap {
            bootstrap.history.bytes.withUnsafeBytes { bindBytes($0, update.handle, 1) }
            update.bind(2, Int64(bootstrap.head))
            bootstrap.cursor?.bytes.withUnsafeBytes { bindBytes($0, update.handle, 3) }
            update.bind(4, bootstrap.isWhole ? 1 : 0)
            update.bind(5, Int64(bootstrap.acknowledged))
        }
        try update.run()
    }

    func noteSent(_ number: Int) throws(Realm.Error) {
        let update = try objects.statement("UPDATE \(SyncTables.state) SET sent = max(sent, ?1)")
        update.bind(1, Int64(number))
        try update.run()
    }

    func acknowledge(_ number: Int, _ chain: Digest) throws(Realm.Error) {
        let update = try objects.statement(
            "UPDATE \(SyncTables.state) SET acknowledged = ?1, sent = max(sent, ?1), chain = ?2 WHERE acknowledged < ?1"
        )
        update.bind(1, Int64(number))
        chain.bytes.withUnsafeBytes { bindBytes($0, update.handle, 2) }
        try update.run()
    }

    /// Gives the changes that were never sent the times that the server's clock would have shown.
    ///
    /// Those that have them, as where the clock is right, are not written.
    ///
    /// - Complexity: O(*n*) in the changes, with one of them in memory.
    func correctClocks(_ correction: StampCorrection) throws(Realm.Error) {
        let changes = PendingChanges(objects)
        let sent = try objects.statement("SELECT sent FROM \(SyncTables.state)").keys().first.map { Int($0) } ?? 0
        var last = try changes.standing().settled
        if let before = try changes.lastClock(through: sent) { last = before }
        var others: [(number: Int, clock: HybridClock)] = []
        try changes.forEachTime(after: sent) { number, clock, reading in
            last = correction.clock(of: reading, after: last)
            if clock != last { others.append((number, last)) }
        }
        for (number, clock) in others { try changes.setClock(clock, of: number) }
        // What was taken apart has the times of before.
        if !others.isEmpty { objects.store.touchedCells?.pending = nil }
    }
}
