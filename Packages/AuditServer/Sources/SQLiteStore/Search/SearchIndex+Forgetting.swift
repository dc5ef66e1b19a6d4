import AuditModel
import EventModel
import GRDB
import Synchronization

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension SearchIndex {
    /// How many erasures are read at once.
    private static let erasureCount = 100

    /// Removes what was erased since the last time, with the values that no other event has.
    ///
    /// That an event was erased stays, so that it is found by where it lies and whose it was. Events count from the moment when
    /// they are gone from the store, also those of an erasure that has not ended: its server may have died. One that is under
    /// way here is left until its end, see ``willErase(_:)``. Other servers erase, too, so that the store is asked and not told.
    ///
    /// - Throws: `unavailable` when the store or the index fails.
    /// - Complexity: O(*n*) in all postings when something was erased.
    func forget(from store: any EventReading) async throws {
        var (last, known) = try await SQLiteFailure.naming { try await database.read(Self.forgotten) }
        let underWay = state.withLock(\.underWay)
        var isUnbroken = true
        while true {
            let page = try await store.erasures(after: last, limit: Self.erasureCount)
            guard let newest = page.last?.number else { return }
            var (ranges, counts): ([ErasedRange], [Int64: Int64]) = ([], [:])
            var through: Int64?
            for erasure in page where !underWay.contains(erasure.number) || erasure.result != nil {
                if let result = erasure.result, known[erasure.number] == Int64(clamping: result.events) { continue }
                let gone = try await store.ranges(of: erasure.number)
                let count = Int64(clamping: gone.result.events)
                if count > known[erasure.number] ?? 0 {
                    ranges += gone.ranges
                    counts[erasure.number] = count
                }
            }
            for erasure in page where isUnbroken {
                isUnbroken = erasure.result != nil
                if isUnbroken { through = erasure.number }
            }
            try await forget(ErasedRanges(ranges), counts, through: through)
            if page.count < Self.erasureCount { return }
            last = newest
            known.merge(counts) { $1 }
        }
    }

    /// Notes that this process erases, so that what goes step by step is forgotten at once, in the end.
    public func willErase(_ erasure: Int64) {
        state.withLock { _ = $0.underWay.insert(erasure) }
    }

    /// Notes that this process erases no more, whether the erasure has ended or not.
    public func didErase(_ erasure: Int64) {
        state.withLock { _ = $0.underWay.remove(erasure) }
    }

    private func forget(_ gone: ErasedRanges, _ counts: [Int64: Int64], through last: Int64?) async throws {
        try await SQLiteFailure.naming {
            if !gone.ranges.isEmpty {
                try await database.write { try Self.remove(gone, tallySize: tallySize, in: $0) }
                // What was removed lies in the log beside the index, too.
                try await database.barrierWriteWithoutTransaction { _ = try $0.checkpoint(.truncate) }
            }
            guard !counts.isEmpty || last != nil else { return }
            try await database.write { database in
                for (erasure, events) in counts {
                    try database.execute(
                        sql: "INSERT OR REPLACE INTO PartlyForgotten (erasure, events) VALUES (?, ?)",
                        arguments: [erasure, events]
                    )
                }
                guard let last else { return }
                try database.execute(
                    sql: "UPDATE Forgotten SET erasure = max(erasure, ?) WHERE id = 0",
                    arguments: [last]
                )
                try database.execute(sql: "DELETE FROM PartlyForgotten WHERE erasure <= ?", arguments: [last])
            }
        }
    }

    /// The erasure up to which all is forgotten, and how many events of later ones.
    private static func forgotten(_ database: Database) throws -> (last: Int64, known: [Int64: Int64]) {
        let last = try Int64.fetchOne(database, sql: "SELECT erasure FROM Forgotten WHERE id = 0") ?? 0
        var known: [Int64: Int64] = [:]
        for row in try Row.fetchAll(database, sql: "SELECT erasure, events FROM PartlyForgotten") {
            known[row[0]] = row[1]
        }
        return (last, known)
    }

    private static func remove(_ gone: ErasedRanges, tallySize: Int64, in database: Database) throws {
        let byPartition = Dictionary(grouping: gone.ranges, by: \.partition)
        guard !byPartition.isEmpty else { return }
        try database.execute(
            sql: """
                CREATE TEMP TABLE IF NOT EXISTS Doomed (number INTEGER PRIMARY KEY);
                DELETE FROM temp.Doomed;
                """
        )
        try mark(byPartition, in: database)
        try database.execute(
            sql: """
                CREATE TEMP TABLE Gone AS SELECT term, time, number FROM Posting
                WHERE number IN (SELECT number FROM temp.Doomed);
                DELETE FROM Posting WHERE (term, time, number) IN (SELECT term, time, number FROM temp.Gone);
                """
        )
        var writer = try PostingWriter(tallySize: tallySize, in: database)
        try discount(&writer, in: database)
        // The words first: the next new term may have the id of one that is gone.
        try database.execute(
            sql: """
                DELETE FROM Word WHERE term IN (SELECT id FROM Term WHERE count <= 0 AND id IN (SELECT term FROM temp.Gone));
                DELETE FROM Term WHERE count <= 0 AND id IN (SELECT term FROM temp.Gone);
                UPDATE Entry SET time = received, terms = x'' WHERE number IN (SELECT number FROM temp.Doomed);
                DROP TABLE temp.Gone;
                """
        )
        try enterErased(&writer, in: database)
        try writer.flush()
        try ClockLevels.forgetDoomed(in: database)
        try SearchIndexSchema.rewriteTerms(database)
    }

    /// Takes the postings in the table `Gone` out of the counts.
    private static func discount(_ writer: inout PostingWriter, in database: Database) throws {
        let rows = try Row.fetchCursor(
            database,
            sql: "SELECT term, time, count FROM temp.Gone JOIN Term ON Term.id = term ORDER BY term, time"
        )
        var (term, before, times): (Int64?, Int64, [Int64]) = (nil, 0, [])
        while let row = try rows.next() {
            let next: Int64 = row[0]
            if let term, term != next {
                try writer.discount(times, of: term, before: before)
                times = []
            }
            if times.isEmpty { (term, before) = (next, row[2]) }
            times.append(row[1])
        }
        if let term { try writer.discount(times, of: term, before: before) }
    }

    /// Lets the events in the table `Doomed` be found as erased ones.
    private static func enterErased(_ writer: inout PostingWriter, in database: Database) throws {
        var known: [Int64: Set<SearchTerm>] = [:]
        let rows = try Row.fetchCursor(
            database,
            sql: "SELECT number, time, shelf FROM Entry WHERE number IN (SELECT number FROM temp.Doomed)"
        )
        while let row = try rows.next() {
            let shelf: Int64 = row[2]
            let terms = try known[shelf] ?? Self.erasedTerms(of: shelf, in: database)
            known[shelf] = terms
            for term in terms { try writer.enter(term, at: row[1], number: row[0]) }
        }
    }

    private static func erasedTerms(of shelf: Int64, in database: Database) throws -> Set<SearchTerm> {
        let found = try Row.fetchOne(
            database,
            sql: "SELECT value, app, account, device FROM Shelf WHERE id = ?",
            arguments: [shelf]
        )
        guard let found, let partition = try? PartitionID(found["value"]) else {
            throw AuditServerError.unavailable(reason: "the search index is damaged")
        }
        var owner: EventOwner?
        if let app: String = found["app"], let user: String = found["account"] {
            owner = EventOwner(app: app, user: user)
        }
        var terms = SearchTerm.all(ofErasedIn: partition, owner)
        if let device: Data = found["device"] {
            terms.insert(SearchTerm(.device, Hexadecimal.text(Array(device)), in: .erased))
        }
        return terms
    }

    /// Enters the numbers of events into the table `Doomed`, in one walk along all entries, and notes which is the newest that stays.
    private static func mark(_ gone: [PartitionID: [ErasedRange]], in database: Database) throws {
        var shelves: [Int64: [ErasedRange]] = [:]
        for (partition, ranges) in gone {
            let shelf = try Int64.fetchOne(
                database,
                sql: "SELECT id FROM Shelf WHERE value = ?",
                arguments: [partition.value]
            )
            if let shelf { shelves[shelf] = ranges }
        }
        // An erased event names no terms.
        let entries = try PreparedStatement(
            "SELECT number, shelf, sequence FROM Entry WHERE length(terms) > 0 ORDER BY number",
            in: database
        )
        let doomed = try PreparedStatement("INSERT INTO temp.Doomed (number) VALUES (?)", in: database)
        defer {
            entries.reset()
            doomed.reset()
        }
        var newest: [Int64: Int64] = [:]
        while try entries.step() {
            guard let number = entries.integer(0), let shelf = entries.integer(1), let ranges = shelves[shelf],
                let sequence = entries.integer(2).map(UInt64.init(clamping:))
            else { continue }
            guard ranges.contains(where: { $0.first <= sequence && sequence <= $0.last }) else {
                newest[shelf] = number
                continue
            }
            doomed.reset()
            try doomed.bind(number, at: 1)
            _ = try doomed.step()
        }
        for shelf in shelves.keys {
            try database.execute(
                sql: "UPDATE Shelf SET newest = ? WHERE id = ?",
                arguments: [newest[shelf], shelf]
            )
        }
    }
}
