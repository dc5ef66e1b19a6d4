import ChangeModel
import EventModel
import GRDB
import SyncServer

/// One transaction that removes the oldest entries of a realm.
struct LogShortening {
    /// How many bytes one transaction removes, as those who upload wait for it: 4 MiB, and one entry more.
    private static let stepBytes = 4 << 20

    /// An entry that goes.
    private struct Old {
        let change: ChangeReference
        let latestClock: Int64
        var bytes: Int
    }

    let realm: RealmRow
    let database: Database

    /// Removes entries up to the first that was received at an instant or later, so many at most.
    func run(before instant: EventInstant, limit: Int) throws -> ShortenedLog {
        let floor = realm.status.floor
        let (old, next, isDone) = try oldest(before: instant, limit: limit)
        guard let last = old.last else {
            return ShortenedLog(floor: floor, entries: 0, bytes: 0, isDone: isDone)
        }
        let uploaded = try removeUploads(of: old)
        try removeEntries(through: floor + old.count)
        let bytes = old.reduce(uploaded) { $0 + $1.bytes }
        try raiseFloor(to: floor + old.count, last.latestClock, next, removing: bytes)
        return ShortenedLog(floor: floor + old.count, entries: old.count, bytes: bytes, isDone: isDone)
    }

    /// The entries that go, when the one behind them was received, and whether that stays.
    private func oldest(
        before instant: EventInstant,
        limit: Int
    ) throws -> (old: [Old], next: EventInstant?, isDone: Bool) {
        let statement = try PreparedStatement(
            """
            SELECT number, latestClock, length(entry), substr(entry, 1, \(EntryHead.longestBytes)) FROM SyncEntry \
            WHERE realm = ? AND number > ? ORDER BY number
            """,
            in: database
        )
        defer { statement.reset() }
        try statement.bind(realm.number, at: 1)
        try statement.bind(realm.status.floor, at: 2)
        var old: [Old] = []
        var bytes = 0
        while try statement.step() {
            let head = try EntryHead(of: try statement.blob(3))
            guard head.received < instant else { return (old, head.received, true) }
            // What is not the entry of its place says nothing of which upload was it.
            guard try statement.number(0) == head.number, head.number == realm.status.floor + old.count + 1 else {
                throw OrderedReader.damage
            }
            guard old.count < limit, bytes < Self.stepBytes else { return (old, head.received, false) }
            let size = Int(try statement.number(2))
            bytes += size
            old.append(Old(change: head.change, latestClock: try statement.number(1), bytes: size))
        }
        return (old, nil, true)
    }

    /// Removes what was uploaded as entries, and returns how many bytes it had.
    ///
    /// The changes of a file have entries in their own order, so that all up to the last one go.
    private func removeUploads(of old: [Old]) throws -> Int {
        var last: [UInt32: Int] = [:]
        for entry in old { last[entry.change.file] = entry.change.number }
        let range = "FROM SyncUpload WHERE realm = ? AND file = ? AND change <= ?"
        let sum = try PreparedStatement("SELECT coalesce(sum(length(uploaded)), 0) \(range)", in: database)
        let delete = try PreparedStatement("DELETE \(range)", in: database)
        var bytes = 0
        for (file, change) in last {
            for statement in [sum, delete] {
                defer { statement.reset() }
                try statement.bind(realm.number, at: 1)
                try statement.bind(Int64(file), at: 2)
                try statement.bind(change, at: 3)
                if try statement.step() { bytes += Int(try statement.number(0)) }
            }
        }
        return bytes
    }

    private func removeEntries(through number: Int) throws {
        let statement = try PreparedStatement("DELETE FROM SyncEntry WHERE realm = ? AND number <= ?", in: database)
        defer { statement.reset() }
        try statement.bind(realm.number, at: 1)
        try statement.bind(number, at: 2)
        _ = try statement.step()
    }

    private func raiseFloor(
        to floor: Int,
        _ clock: Int64,
        _ oldest: EventInstant?,
        removing bytes: Int
    ) throws {
        let statement = try PreparedStatement(
            """
            UPDATE SyncRealm SET floor = ?, floorClock = ?, oldestReceived = ?, logBytes = logBytes - ? \
            WHERE realm = ?
            """,
            in: database
        )
        defer { statement.reset() }
        try statement.bind(floor, at: 1)
        try statement.bind(clock, at: 2)
        if let oldest { try statement.bind(oldest.microseconds, at: 3) }
        try statement.bind(bytes, at: 4)
        try statement.bind(realm.number, at: 5)
        _ = try statement.step()
    }
}
