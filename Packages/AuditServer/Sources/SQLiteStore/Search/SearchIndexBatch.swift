import AuditModel
import EventModel
import GRDB

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Enters events of some partitions, in one transaction.
struct SearchIndexBatch {
    private let database: Database
    private let entry: PreparedStatement
    private var writer: PostingWriter
    private var clocks: ClockLevels
    private var number: Int64
    /// What objects are called.
    private let labels: ObjectLabels

    init(_ labels: ObjectLabels, tallySize: Int64, in database: Database) throws {
        self.database = database
        self.labels = labels
        number = try Int64.fetchOne(database, sql: "SELECT max(number) FROM Entry") ?? 0
        entry = try PreparedStatement(
            "INSERT INTO Entry (number, shelf, sequence, time, received, terms) VALUES (?, ?, ?, ?, ?, ?)",
            in: database
        )
        writer = try PostingWriter(tallySize: tallySize, in: database)
        clocks = ClockLevels(in: database)
    }

    /// Enters events, and how far the partition is entered with them.
    mutating func enter(_ arrived: ArrivedEvents) throws {
        let shelf = try shelf(of: arrived.partition)
        var owner: EventOwner?
        var newest: Int64?
        // A repetition counts as the event that it repeats.
        for stored in arrived.events where !stored.isRepeated {
            owner = stored.owner ?? owner
            try enter(stored, on: shelf)
            if stored.erasure == nil { newest = number }
        }
        entry.reset()
        try database.execute(
            sql: """
                UPDATE Shelf SET count = coalesce(?1, count), app = coalesce(?2, app), account = coalesce(?3, account), \
                newest = coalesce(?4, newest) WHERE id = ?5
                """,
            arguments: [
                arrived.events.last.map { Int64(clamping: $0.sequence) }, owner?.app, owner?.user, newest, shelf,
            ]
        )
        if let device = arrived.device { try enter(device, of: arrived.partition, on: shelf) }
    }

    /// Writes down what waits.
    mutating func finish() throws {
        try writer.flush()
        try clocks.finish()
    }

    private func shelf(of partition: PartitionID) throws -> Int64 {
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
        return found
    }

    private mutating func enter(_ stored: StoredEvent, on shelf: Int64) throws {
        number += 1
        let received = stored.received?.microseconds ?? 0
        // Of an event that cannot be read, the time of its arrival is the nearest that is known.
        let time = stored.event?.timestamp.microseconds ?? received
        var packed = PackedTerms()
        let terms = SearchTerm.all(of: stored)
        // Names are for finding an object; of an event with more of them than terms, the others are found by their keys.
        let names = SearchTerm.labels(of: stored, labels, atMost: SearchTerm.maximumCount - terms.count)
        for term in Array(terms) + names {
            let id = try writer.enter(term, at: time, number: number)
            if stored.erasure == nil { packed.append(id, term.kind) }
        }
        try clocks.note(stored, on: shelf)
        entry.reset()
        try entry.bind(number, at: 1)
        try entry.bind(shelf, at: 2)
        try entry.bind(Int64(clamping: stored.sequence), at: 3)
        try entry.bind(time, at: 4)
        try entry.bind(received, at: 5)
        try packed.bytes.withUnsafeBytes { try entry.bind(blob: $0, at: 6) }
        _ = try entry.step()
    }

    /// Lets the events of a partition be found by the device that sealed it.
    ///
    /// The seal comes after the events, and nothing comes after the seal, so that this happens once for a partition.
    private mutating func enter(_ device: [UInt8], of partition: PartitionID, on shelf: Int64) throws {
        try database.execute(
            sql: "UPDATE Shelf SET device = ? WHERE id = ? AND device IS NULL",
            arguments: [Data(device), shelf]
        )
        guard database.changesCount == 1 else { return }
        try writer.flush()
        // Long names of partitions may share a term, which is cut; the shelf tells them apart.
        let places = try PreparedStatement(
            """
            SELECT Posting.time, Posting.number FROM Posting JOIN Entry ON Entry.number = Posting.number \
            WHERE term = ? AND shelf = ?
            """,
            in: database
        )
        defer { places.reset() }
        for realm in [SearchTerm.Realm.recorded, .audit, .erased] {
            let key = SearchTerm(.device, Hexadecimal.text(device), in: realm)
            places.reset()
            try places.bind(writer.known(SearchTerm(.partition, partition.value, in: realm)), at: 1)
            try places.bind(shelf, at: 2)
            while try places.step() {
                guard let time = places.integer(0), let number = places.integer(1) else { continue }
                try writer.enter(key, at: time, number: number)
            }
        }
    }
}
