import AuditModel
import EventModel
import GRDB

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Holds and erasures in the transaction that is open.
struct SQLiteKeeping {
    let database: Database

    // MARK: - Holds

    func holds() throws -> [LegalHold] {
        try Row.fetchAll(database, sql: "SELECT number, name, filter, placed, lifted FROM LegalHold ORDER BY number")
            .map { row in
                LegalHold(
                    number: row["number"],
                    name: row["name"],
                    filter: try Self.decoded(row["filter"]),
                    placed: try Self.decoded(row["placed"]),
                    lifted: try (row["lifted"] as String?).map { try Self.decoded($0) }
                )
            }
    }

    func placeHold(_ name: String, on filter: KeepingFilter, _ act: LegalHold.Act) throws -> LegalHold {
        try database.execute(
            sql: "INSERT INTO LegalHold (name, filter, placed) VALUES (?, ?, ?)",
            arguments: [name, try Self.encoded(filter), try Self.encoded(act)]
        )
        return LegalHold(number: database.lastInsertedRowID, name: name, filter: filter, placed: act)
    }

    func liftHold(_ number: Int64, _ act: LegalHold.Act) throws -> LegalHold? {
        try database.execute(
            sql: "UPDATE LegalHold SET lifted = ? WHERE number = ? AND lifted IS NULL",
            arguments: [try Self.encoded(act), number]
        )
        guard database.changesCount > 0 else { return nil }
        return try holds().first { $0.number == number }
    }

    // MARK: - Erasures

    func begin(_ order: ErasureOrder) throws -> ErasureRecord {
        try database.execute(
            sql: "INSERT INTO Erasure (request) VALUES (?)",
            arguments: [try Self.encoded(order)]
        )
        return ErasureRecord(number: database.lastInsertedRowID, order: order)
    }

    /// Reads erasures; the clause is one of ours, and everything that comes from outside is an argument.
    func erasures(_ clause: String, _ arguments: StatementArguments) throws -> [ErasureRecord] {
        try Row.fetchAll(
            database,
            sql: "SELECT number, request, result FROM Erasure \(clause)",
            arguments: arguments
        )
        .map { row in
            ErasureRecord(
                number: row["number"],
                order: try Self.decoded(row["request"]),
                result: try (row["result"] as String?).map { try Self.decoded($0) }
            )
        }
    }

    func finish(_ erasure: Int64) throws -> ErasureRecord {
        let result = try ranges(of: erasure).result
        try database.execute(
            sql: "UPDATE Erasure SET result = ? WHERE number = ? AND result IS NULL",
            arguments: [try Self.encoded(result), erasure]
        )
        guard let record = try erasures("WHERE number = ?", [erasure]).first else { throw damaged }
        return record
    }

    func ranges(of erasure: Int64) throws -> ErasedRanges {
        let rows = try Row.fetchAll(
            database,
            sql: "SELECT partition, first, last FROM ErasedRange WHERE erasure = ? ORDER BY partition, first",
            arguments: [erasure]
        )
        return ErasedRanges(
            try rows.map { row in
                guard let partition = try? PartitionID(row["partition"] as String) else { throw damaged }
                return ErasedRange(
                    partition: partition,
                    first: UInt64(clamping: row["first"] as Int64),
                    last: UInt64(clamping: row["last"] as Int64)
                )
            }
        )
    }

    /// Erases what may go of these events.
    func erase(_ addresses: [EventAddress], for erasure: Int64) throws -> ErasureStep {
        let open = try Bool.fetchOne(
            database,
            sql: "SELECT result IS NULL FROM Erasure WHERE number = ?",
            arguments: [erasure]
        )
        guard open == true else { throw AuditServerError.unavailable(reason: "the erasure is not under way") }
        let (doomed, step) = ErasureJudge(try holds())
            .step(try SQLiteEventListing.events(at: addresses, maximumBytes: .max, in: database).events)
        let places = doomed.map { EventAddress(partition: $0.partition, sequence: $0.sequence) }
        for (partition, events) in Dictionary(grouping: places, by: \.partition) {
            try destroyKeys(of: partition, events.map(\.sequence).sorted())
        }
        let columns = try clearing()
        for range in ErasedRanges(places).ranges {
            try database.execute(
                sql: "INSERT INTO ErasedRange (erasure, partition, first, last) VALUES (?, ?, ?, ?)",
                arguments: [erasure, range.partition.value, Int64(range.first), Int64(range.last)]
            )
            try database.execute(
                sql: """
                    UPDATE AuditEvent SET \(columns), daybook_erased = ? \
                    WHERE _partition = ? AND daybook_sequence BETWEEN ? AND ?
                    """,
                arguments: [erasure, range.partition.value, Int64(range.first), Int64(range.last)]
            )
        }
        return step
    }

    /// The assignments that clear all columns with what an event says, those of metadata as well.
    func clearing() throws -> String {
        let metadata = try String.fetchAll(database, sql: "SELECT name FROM MetadataColumn ORDER BY ordinal")
        // The names are ours and need no escaping.
        return """
            activity = '', event = NULL, data = NULL, timestamp = 0, daybook_monotonic = 0, daybook_boot = '', \
            daybook_committed = NULL, daybook_marks = 0, daybook_sync = NULL\(metadata.map { ", \"\($0)\" = NULL" }.joined())
            """
    }

    /// Overwrites keys with zeros; the sequences are in order.
    func destroyKeys(of partition: PartitionID, _ sequences: [UInt64]) throws {
        var rest = sequences[...]
        while let next = rest.first {
            let row = try Row.fetchOne(
                database,
                sql: """
                    SELECT first, keys FROM PayloadKey WHERE partition = ? AND first <= ? ORDER BY first DESC LIMIT 1
                    """,
                arguments: [partition.value, Int64(clamping: next)]
            )
            // Events of an earlier version have no keys; clearing the column is all there is to do.
            guard let row, let first = Int64.fromDatabaseValue(row["first"]),
                var keys = Data.fromDatabaseValue(row["keys"]).map({ [UInt8]($0) })
            else {
                rest = rest.dropFirst()
                continue
            }
            let end = UInt64(first) + UInt64(keys.count / SealedPayloads.keyByteCount)
            let here = rest.prefix { $0 < end }
            for sequence in here { SealedPayloads.destroy(Int(sequence - UInt64(first)), in: &keys) }
            try database.execute(
                sql: "UPDATE PayloadKey SET keys = ? WHERE partition = ? AND first = ?",
                arguments: [Data(keys), partition.value, first]
            )
            rest = rest.dropFirst(max(1, here.count))
        }
    }

    // MARK: - JSON

    private static func encoded(_ value: some Encodable) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode(value), as: UTF8.self)
    }

    private static func decoded<T: Decodable>(_ text: String) throws -> T {
        do {
            return try JSONDecoder().decode(T.self, from: Data(text.utf8))
        } catch {
            throw AuditServerError.unavailable(reason: "the record of a hold or an erasure is damaged")
        }
    }

    private var damaged: AuditServerError { .unavailable(reason: "the record of an erasure is damaged") }
}
