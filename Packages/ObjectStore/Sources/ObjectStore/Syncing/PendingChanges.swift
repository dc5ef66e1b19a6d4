import CSQLite
import ChangeModel
import EventModel
import ObjectQueries

/// The changes of a file that no entry of the server has confirmed yet, in its own tables.
///
/// A change is written in the transaction that it is made of: nothing is sent that is not committed, and nothing is committed that is
/// not sent some time.
struct PendingChanges {
    /// One change that waits.
    struct Pending {
        let number: Int
        /// The change as it is sent, see ``Change``.
        let body: [UInt8]
        /// What the clocks showed at the commit.
        let reading: ClockReading
    }

    /// Where the file is: in the server's order, and in its own.
    struct Standing: Equatable {
        /// The number of the server's entry that was integrated last; 0 for none.
        var position: Int
        /// The number that the next change gets.
        var next: Int
        /// The latest time that the file has made or heard of.
        var clock: HybridClock
    }

    private let statement: (String) throws(Realm.Error) -> Statement

    init(_ objects: SyncedObjects) { statement = { sql throws(Realm.Error) in try objects.statement(sql) } }

    /// Where the file is, with what is pending.
    func standing() throws(Realm.Error) -> Standing {
        let state = try statement("SELECT position, next, clock FROM \(SyncTables.state)")
        guard try state.step() else { throw Realm.Error(.invalidDatabase, "The realm file does not say where it is in sync.") }
        var standing = Standing(
            position: Int(state.int(0)),
            next: Int(state.int(1)),
            clock: HybridClock(bits: UInt64(bitPattern: state.int(2)))
        )
        state.reset()
        // What is pending says it itself, so that a commit writes one row.
        let last = try statement("SELECT number, body FROM \(SyncTables.pending) ORDER BY number DESC LIMIT 1")
        defer { last.reset() }
        guard try last.step() else { return standing }
        standing.next = max(standing.next, Int(last.int(0)) + 1)
        if let clock = try? Change(number: 1, body: Array(last.bytes(1))[...]).clock { standing.clock = max(standing.clock, clock) }
        return standing
    }

    /// Keeps a change under the next number.
    func append(_ operations: [ChangeOperation], _ reading: ClockReading) throws(Realm.Error) {
        let standing = try standing()
        let change = Change(
            number: standing.next,
            base: standing.position,
            clock: standing.clock.atCommit(wallMilliseconds: reading.wall.microseconds / 1000),
            operations: operations
        )
        let insert = try statement("INSERT INTO \(SyncTables.pending) VALUES (?1, ?2, ?3, ?4, ?5)")
        insert.bind(1, Int64(change.number))
        change.body.withUnsafeBytes { bindBytes($0, insert.handle, 2) }
        insert.bind(3, reading.wall.microseconds)
        insert.bind(4, Int64(bitPattern: UInt64(reading.monotonicNanoseconds)))
        withUnsafeBytes(of: (reading.boot.high.littleEndian, reading.boot.low.littleEndian)) {
            bindBytes($0, insert.handle, 5)
        }
        try insert.run()
    }

    /// The changes that wait, in order.
    func all() throws(Realm.Error) -> [Pending] {
        let select = try statement("SELECT number, body, wall, monotonic, boot FROM \(SyncTables.pending) ORDER BY number")
        var pending: [Pending] = []
        while try select.step() {
            let boot = select.bytes(4)
            let halves = [0, 8].map { $0 + 8 <= boot.count ? boot.loadUnaligned(fromByteOffset: $0, as: UInt64.self) : 0 }
            pending.append(
                Pending(
                    number: Int(select.int(0)),
                    body: Array(select.bytes(1)),
                    reading: ClockReading(
                        wall: EventInstant(microseconds: select.int(2)),
                        monotonicNanoseconds: UInt64(bitPattern: select.int(3)),
                        boot: Boot(high: UInt64(littleEndian: halves[0]), low: UInt64(littleEndian: halves[1]))
                    )
                )
            )
        }
        return pending
    }
}

extension RealmCore {
    /// Keeps what the open transaction did for a server, if the file keeps its changes.
    func keepChange() throws(Realm.Error) {
        guard let touched = store.touchedCells, !touched.isPaused else { return }
        var collector = ChangeCollector(store, touched)
        let operations = try collector.collect()
        guard !operations.isEmpty else { return }
        try PendingChanges(collector.objects).append(operations, SystemClock().now())
    }
}
