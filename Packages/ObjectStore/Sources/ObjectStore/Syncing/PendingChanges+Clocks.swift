import CSQLite
import ChangeModel
import EventModel
import ObjectQueries

// The times of changes, which their bytes begin with, and what the clocks showed when they were made.
extension PendingChanges {
    /// The time of the last change up to a number that waits; nil for none.
    func lastClock(through number: Int) throws(Realm.Error) -> HybridClock? {
        let select = try statement(
            "SELECT body FROM \(SyncTables.pending) WHERE number <= ?1 ORDER BY number DESC LIMIT 1"
        )
        select.bind(1, Int64(number))
        defer { select.reset() }
        return try select.step() ? try Self.clock(of: select, 0) : nil
    }

    /// Visits the changes that wait behind a number, in order.
    ///
    /// - Parameters:
    ///   - number: The number of the change before the first one.
    ///   - body: Takes the number of a change, its time, and what the clocks showed when it was made; it writes nothing.
    /// - Throws: A `Realm.Error` when the file cannot be read.
    func forEachTime(
        after number: Int,
        _ body: (Int, HybridClock, ClockReading) -> Void
    ) throws(Realm.Error) {
        let select = try statement(
            "SELECT number, body, wall, monotonic, boot FROM \(SyncTables.pending) WHERE number > ?1 ORDER BY number"
        )
        select.bind(1, Int64(number))
        defer { select.reset() }
        while try select.step() {
            body(Int(select.int(0)), try Self.clock(of: select, 1), Self.reading(of: select, from: 2))
        }
    }

    /// Gives a pending change another time.
    func setClock(_ clock: HybridClock, of number: Int) throws(Realm.Error) {
        let select = try statement("SELECT body FROM \(SyncTables.pending) WHERE number = ?1")
        select.bind(1, Int64(number))
        guard try select.step() else { return select.reset() }
        let body = Array(select.bytes(0))
        select.reset()
        let update = try statement("UPDATE \(SyncTables.pending) SET body = ?2 WHERE number = ?1")
        update.bind(1, Int64(number))
        do {
            try Change.settingClock(clock, in: body).withUnsafeBytes { bindBytes($0, update.handle, 2) }
        } catch {
            throw .damagedChange(error)
        }
        try update.run()
    }

    /// What the clocks showed, from three columns: the wall, the monotonic one, and the boot.
    static func reading(of row: Statement, from column: Int32) -> ClockReading {
        let boot = row.bytes(column + 2)
        func half(_ offset: Int) -> UInt64 {
            guard offset + 8 <= boot.count else { return 0 }
            return UInt64(littleEndian: boot.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
        }
        return ClockReading(
            wall: EventInstant(microseconds: row.int(column)),
            monotonicNanoseconds: UInt64(bitPattern: row.int(column + 1)),
            boot: Boot(high: half(0), low: half(8))
        )
    }

    /// The time of a change, of whose bytes no more than that is copied.
    static func clock(of row: Statement, _ column: Int32) throws(Realm.Error) -> HybridClock {
        do {
            return try Change.clock(in: Array(row.bytes(column).prefix(Change.clockBytes)))
        } catch {
            throw .damagedChange(error)
        }
    }
}
