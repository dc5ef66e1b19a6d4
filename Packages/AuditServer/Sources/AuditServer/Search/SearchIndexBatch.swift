import EventModel
import GRDB

/// Enters events of one partition, in one transaction.
struct SearchIndexBatch {
    private let partition: PartitionID
    private let shelf: Int64
    private let database: Database
    private let entry: PreparedStatement
    private let posting: PreparedStatement
    private let term: PreparedStatement
    private let newTerm: PreparedStatement
    private var number: Int64
    private var ids: [SearchTerm: Int64] = [:]
    private var counts: [Int64: Int64] = [:]
    private var owner: EventOwner?
    private var clocks: ClockLevels

    init(_ partition: PartitionID, in database: Database) throws {
        self.partition = partition
        self.database = database
        try database.execute(
            sql: "INSERT INTO Shelf (value, count) VALUES (?, 0) ON CONFLICT DO NOTHING",
            arguments: [partition.value]
        )
        let found = try Int64.fetchOne(
            database,
            sql: "SELECT id FROM Shelf WHERE value = ?",
            arguments: [partition.value]
        )
        guard let found else { throw AuditServerError.unavailable(reason: "the search index is damaged") }
        shelf = found
        number = try Int64.fetchOne(database, sql: "SELECT max(number) FROM Entry") ?? 0
        entry = try PreparedStatement(
            "INSERT INTO Entry (number, shelf, sequence, time, received, terms) VALUES (?, ?, ?, ?, ?, ?)",
            in: database
        )
        posting = try PreparedStatement("INSERT INTO Posting (term, time, number) VALUES (?, ?, ?)", in: database)
        term = try PreparedStatement("SELECT id FROM Term WHERE kind = ? AND text = ?", in: database)
        newTerm = try PreparedStatement("INSERT INTO Term (kind, text, count) VALUES (?, ?, 0)", in: database)
        clocks = ClockLevels(shelf: found, in: database)
    }

    /// Enters an event, unless it is the repetition of another one, or erased.
    mutating func enter(_ stored: StoredEvent) throws {
        guard !stored.isRepeated, stored.erasure == nil else { return }
        number += 1
        owner = stored.owner ?? owner
        let received = stored.received?.microseconds ?? 0
        // Of an event that cannot be read, the time of its arrival is the nearest that is known.
        let time = stored.event?.timestamp.microseconds ?? received
        var packed = PackedTerms()
        for found in SearchTerm.all(of: stored) {
            let id = try id(of: found)
            packed.append(id, found.kind)
            posting.reset()
            try posting.bind(id, at: 1)
            try posting.bind(time, at: 2)
            try posting.bind(number, at: 3)
            _ = try posting.step()
            counts[id, default: 0] += 1
        }
        try clocks.note(stored)
        entry.reset()
        try entry.bind(number, at: 1)
        try entry.bind(shelf, at: 2)
        try entry.bind(Int64(clamping: stored.sequence), at: 3)
        try entry.bind(time, at: 4)
        try entry.bind(received, at: 5)
        try packed.bytes.withUnsafeBytes { try entry.bind(blob: $0, at: 6) }
        _ = try entry.step()
    }

    /// Writes down how far the partition is entered.
    func finish(count: Int64) throws {
        entry.reset()
        posting.reset()
        term.reset()
        let update = try PreparedStatement("UPDATE Term SET count = count + ? WHERE id = ?", in: database)
        defer { update.reset() }
        for (id, added) in counts {
            update.reset()
            try update.bind(added, at: 1)
            try update.bind(id, at: 2)
            _ = try update.step()
        }
        try clocks.finish()
        try database.execute(
            sql: """
                UPDATE Shelf SET count = ?1, app = coalesce(?2, app), account = coalesce(?3, account), \
                newest = coalesce(?4, newest) WHERE id = ?5
                """,
            // Without an owner no event was entered, as when all of them are repetitions.
            arguments: [count, owner?.app, owner?.user, owner == nil ? nil : number, shelf]
        )
    }

    private mutating func id(of found: SearchTerm) throws -> Int64 {
        if let id = ids[found] { return id }
        // A statement that was stepped stays open until it is reset.
        defer { term.reset() }
        term.reset()
        try term.bind(found.kind.rawValue, at: 1)
        try found.bytes.withUnsafeBytes { try term.bind(blob: $0, at: 2) }
        if try term.step(), let id = term.integer(0) {
            ids[found] = id
            return id
        }
        newTerm.reset()
        try newTerm.bind(found.kind.rawValue, at: 1)
        try found.bytes.withUnsafeBytes { try newTerm.bind(blob: $0, at: 2) }
        _ = try newTerm.step()
        newTerm.reset()
        let id = database.lastInsertedRowID
        ids[found] = id
        return id
    }
}
