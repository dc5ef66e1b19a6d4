import CSQLite
import ChangeModel
import EventModel
import ObjectQueries

/// The changes of a file that no entry of the server has confirmed yet, in its own tables.
///
/// A change is written in the transaction that it is made of: nothing is sent that is not committed, and nothing is committed that is
/// not sent some time.
struct PendingChanges {
    /// Where the file is: in the server's order, and in its own.
    struct Standing: Equatable {
        /// The number of the server's entry that was integrated last; 0 for none.
        var position: Int
        /// The number that the next change gets.
        var next: Int
        /// The latest time that the file has made or heard of.
        var clock: HybridClock
        /// The time of the last change of the file that an entry has confirmed.
        var settled: HybridClock
    }

    private let objects: SyncedObjects

    init(_ objects: SyncedObjects) { self.objects = objects }

    func statement(_ sql: String) throws(Realm.Error) -> Statement { try objects.statement(sql) }

    /// Where the file is, with what is pending.
    func standing() throws(Realm.Error) -> Standing {
        try standingAndFile().standing
    }

    private func standingAndFile() throws(Realm.Error) -> (standing: Standing, file: SyncReference.File?) {
        let state = try statement("SELECT position, next, clock, settled, history, file FROM \(SyncTables.state)")
        guard try state.step() else {
            throw Realm.Error(.invalidDatabase, "The realm file does not say where it is in sync.")
        }
        let file = SyncReference.File(state, history: 4, number: 5)
        var standing = Standing(
            position: Int(state.int(0)),
            next: Int(state.int(1)),
            clock: HybridClock(bits: UInt64(bitPattern: state.int(2))),
            settled: HybridClock(bits: UInt64(bitPattern: state.int(3)))
        )
        state.reset()
        // What is pending says it itself, so that a commit writes one row.
        let last = try statement("SELECT number, body FROM \(SyncTables.pending) ORDER BY number DESC LIMIT 1")
        defer { last.reset() }
        guard try last.step() else { return (standing, file) }
        standing.next = max(standing.next, Int(last.int(0)) + 1)
        standing.clock = max(standing.clock, try Self.clock(of: last, 1))
        return (standing, file)
    }

    /// Keeps changes under the next numbers.
    ///
    /// - Parameters:
    ///   - encoders: The changes.
    ///   - reading: What the clocks show at the commit.
    ///   - limits: How much may wait with them.
    /// - Returns: The number that the first one got, which those of the others follow, and the times of all.
    /// - Throws: A `Realm.Error` with `.outOfDiskSpace` when more would wait than may, or why the file cannot be written to. The transaction
    ///   must be rolled back then.
    func append(
        _ encoders: inout [ChangeEncoder],
        _ reading: ClockReading,
        _ limits: PendingLimits
    ) throws(Realm.Error) -> (first: Int, clocks: [HybridClock]) {
        var (standing, totals, file) = try whole()
        try limits.requireRoom(changes: totals.changes + encoders.count)
        let first = standing.next
        var clocks: [HybridClock] = []
        for index in encoders.indices {
            standing.clock = standing.clock.atCommit(wallMilliseconds: reading.wall.microseconds / 1000)
            try encoders[index]
                .withBody(base: standing.position, clock: standing.clock) { body throws(Realm.Error) in
                    totals.last += body.count
                    totals.changes += 1
                    try limits.requireRoom(bytes: totals.bytes)
                    try insert(body, number: standing.next, reading, total: totals.last)
                }
            clocks.append(standing.clock)
            standing.next += 1
        }
        objects.store.touchedCells?.known = objects.store.connection.contentState
            .map { KnownStanding(standing, totals, file: file, in: $0) }
        return (first, clocks)
    }

    /// Where the file is, and how much waits.
    private func whole() throws(Realm.Error) -> (Standing, Totals, SyncReference.File?) {
        if let known = objects.store.knownStanding { return (known.standing, known.totals, known.file) }
        let (standing, file) = try standingAndFile()
        return (standing, try totals(), file)
    }

    private func insert(
        _ body: UnsafeRawBufferPointer,
        number: Int,
        _ reading: ClockReading,
        total: Int
    ) throws(Realm.Error) {
        let insert = try insertion()
        insert.bind(1, Int64(number))
        insert.bind(3, reading.wall.microseconds)
        insert.bind(4, Int64(bitPattern: reading.monotonicNanoseconds))
        withUnsafeBytes(of: (reading.boot.high.littleEndian, reading.boot.low.littleEndian)) {
            bindBytes($0, insert.handle, 5)
        }
        insert.bind(6, Int64(total))
        // SQLite reads the bytes where they are, and forgets them before they go: a change of many objects is not copied once more.
        sqlite3_bind_blob64(insert.handle, 2, body.baseAddress, UInt64(body.count), nil)
        defer { sqlite3_bind_null(insert.handle, 2) }
        try insert.run()
    }

    private func insertion() throws(Realm.Error) -> Statement {
        if let known = objects.store.insertPending { return known }
        let made = try objects.store.connection.prepare(
            "INSERT INTO \(SyncTables.pending) VALUES (?1, ?2, ?3, ?4, ?5, ?6)"
        )
        objects.store.insertPending = made
        return made
    }

    /// The number of the first change that waits; nil for none.
    func firstNumber() throws(Realm.Error) -> Int? {
        let first = try statement("SELECT min(number) FROM \(SyncTables.pending)")
        defer { first.reset() }
        return try first.step() && !first.isNull(0) ? Int(first.int(0)) : nil
    }

    /// How much waits.
    struct Totals {
        var changes = 0
        /// The bytes of all changes since some time before the first one, up to that one and up to the last one.
        var before = 0
        var last = 0

        var bytes: Int { last - before }
    }

    /// How much waits.
    ///
    /// Numbers have no gaps, and each change says how many bytes there are up to it: nothing is counted.
    func totals() throws(Realm.Error) -> Totals {
        guard let first = try firstNumber() else { return Totals() }
        let last = try statement("SELECT number, total FROM \(SyncTables.pending) ORDER BY number DESC LIMIT 1")
        defer { last.reset() }
        guard try last.step() else { return Totals() }
        return Totals(
            changes: Int(last.int(0)) - first + 1,
            before: Int(try bytesBefore(Int64(first))),
            last: Int(last.int(1))
        )
    }

    /// The bytes of all changes since some time before one that waits.
    ///
    /// That never changes, and lies behind the bytes of the change, which SQLite goes through to get there: where a change of many objects
    /// waits first, that would be most of the work of each small commit.
    private func bytesBefore(_ number: Int64) throws(Realm.Error) -> Int64 {
        let touched = objects.store.touchedCells
        if let known = touched?.bytesBefore, known.number == number { return known.bytes }
        let first = try statement("SELECT total - length(body) FROM \(SyncTables.pending) WHERE number = ?1")
        first.bind(1, number)
        defer { first.reset() }
        guard try first.step() else { return 0 }
        touched?.bytesBefore = (number, first.int(0))
        return first.int(0)
    }

    /// Notes where the file is.
    func setStanding(_ standing: Standing) throws(Realm.Error) {
        let update = try statement("UPDATE \(SyncTables.state) SET position = ?1, next = ?2, clock = ?3, settled = ?4")
        update.bind(1, Int64(standing.position))
        update.bind(2, Int64(standing.next))
        update.bind(3, Int64(bitPattern: standing.clock.bits))
        update.bind(4, Int64(bitPattern: standing.settled.bits))
        try update.run()
    }

    /// The number that the server gave the file; nil before it did.
    func file() throws(Realm.Error) -> UInt32? {
        let select = try statement("SELECT file FROM \(SyncTables.state)")
        defer { select.reset() }
        guard try select.step(), !select.isNull(0) else { return nil }
        return UInt32(exactly: select.int(0))
    }

    /// Takes a change out that an entry has confirmed, with what it hid.
    func remove(_ number: Int) throws(Realm.Error) {
        // What it put somewhere is where the server has it from now on, until the entry says otherwise.
        let places = try statement(
            """
            DELETE FROM \(SyncTables.places) WHERE (list, owner, element) IN \
            (SELECT list, owner, element FROM \(SyncTables.placed) WHERE change = ?1)
            """
        )
        places.bind(1, Int64(number))
        try places.run()
        for (table, column) in [
            (SyncTables.pending, "number"), (SyncTables.placed, "change"), (SyncTables.hides, "change"),
        ] {
            let delete = try statement("DELETE FROM \(table) WHERE \(column) = ?1")
            delete.bind(1, Int64(number))
            try delete.run()
        }
    }

    /// Forgets the places of elements that nothing hides and that link to nothing that is missing: the entry has said that they are gone.
    func forgetPlacesWithoutReason() throws(Realm.Error) {
        try statement(
            """
            DELETE FROM \(SyncTables.places) AS p WHERE NOT EXISTS (SELECT 1 FROM \(SyncTables.hides) AS h \
            WHERE h.list = p.list AND h.owner = p.owner AND h.element = p.element) \
            AND NOT EXISTS (SELECT 1 FROM \(SyncTables.links) AS l WHERE l.step = p.element AND l.holder = p.owner)
            """
        )
        .run()
    }

    /// The changes that wait behind a number, in order, taken apart.
    func decoded(after number: Int = 0) throws(Realm.Error) -> [Change] {
        var changes: [Change] = []
        for pending in try all(after: number) {
            do {
                changes.append(try Change(number: pending.number, body: pending.body))
            } catch {
                throw .damagedChange(error)
            }
        }
        return changes
    }

    /// The changes that wait, in order.
    ///
    /// - Parameters:
    ///   - number: The number of the change before the first one.
    ///   - bytes: How many bytes they may have together; one is returned also if it has more.
    /// - Returns: The changes.
    /// - Throws: A `Realm.Error` when the file cannot be read.
    func all(after number: Int = 0, limit bytes: Int = .max) throws(Realm.Error) -> [PendingChange] {
        let select = try statement(
            "SELECT number, body, wall, monotonic, boot FROM \(SyncTables.pending) WHERE number > ?1 ORDER BY number"
        )
        select.bind(1, Int64(number))
        defer { select.reset() }
        var pending: [PendingChange] = []
        var left = bytes
        while try select.step() {
            guard select.bytes(1).count <= left || pending.isEmpty else { break }
            left -= select.bytes(1).count
            pending.append(
                PendingChange(
                    number: Int(select.int(0)),
                    body: Array(select.bytes(1)),
                    reading: Self.reading(of: select, from: 2)
                )
            )
        }
        return pending
    }
}

extension Realm.Error {
    static func damagedChange(_ error: ChangeModelError) -> Realm.Error {
        Realm.Error(.invalidDatabase, "A pending change of the realm file is damaged.", details: [error.description])
    }
}

extension RealmCore {
    /// Keeps what the open transaction did for a server, if the file keeps its changes.
    ///
    /// - Returns: How many changes it became.
    func keepChange() throws(Realm.Error) -> Int {
        guard let touched = store.touchedCells, !touched.isPaused else { return 0 }
        var collector = ChangeCollector(store, touched)
        try collector.collect()
        guard !collector.isEmpty else { return 0 }
        let (first, clocks) = try PendingChanges(collector.objects)
            .append(&collector.encoders, touched.clock.now(), touched.limits)
        try collector.notePlaces(from: first, clocks)
        return clocks.count
    }
}
