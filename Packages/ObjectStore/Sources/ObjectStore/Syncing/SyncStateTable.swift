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
    func correctClocks(_ correction: StampCorrection) throws(Realm.Error) {
        let changes = PendingChanges(objects)
        let sent = try objects.statement("SELECT sent FROM \(SyncTables.state)").keys().first.map { Int($0) } ?? 0
        let all = try changes.all()
        var last = try changes.standing().settled
        if let before = all.last(where: { $0.number <= sent }) { last = try Self.clock(of: before) }
        let unsent = all.filter { $0.number > sent }
        let clocks = correction.clocks(of: unsent.map(\.reading), after: last)
        for (change, clock) in zip(unsent, clocks) {
            try changes.replace(change.number, with: try Self.setting(clock, in: change.body))
        }
    }

    private static func clock(of change: PendingChange) throws(Realm.Error) -> HybridClock {
        do {
            return try Change.clock(in: change.body)
        } catch {
            throw .damagedChange(error)
        }
    }

    private static func setting(_ clock: HybridClock, in body: [UInt8]) throws(Realm.Error) -> [UInt8] {
        do {
            return try Change.settingClock(clock, in: body)
        } catch {
            throw .damagedChange(error)
        }
    }
}
