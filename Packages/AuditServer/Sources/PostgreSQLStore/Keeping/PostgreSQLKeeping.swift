import AuditModel
import EventModel

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Holds and erasures in the transaction that is open.
struct PostgreSQLKeeping {
    let connection: PostgreSQLConnection

    // MARK: - Holds

    func holds() throws -> [LegalHold] {
        let rows = try connection.rows("SELECT number, name, filter, placed, lifted FROM LegalHold ORDER BY number")
        return try (0..<rows.count)
            .map { row in
                guard let number = rows.integer(row, 0), let name = rows.text(row, 1) else { throw damaged }
                return LegalHold(
                    number: number,
                    name: name,
                    filter: try decoded(rows, row, 2),
                    placed: try decoded(rows, row, 3),
                    lifted: rows.isNull(row, 4) ? nil : try decoded(rows, row, 4)
                )
            }
    }

    func placeHold(_ name: String, on filter: KeepingFilter, _ act: LegalHold.Act) throws -> LegalHold {
        try lock()
        let rows = try connection.rows(
            "INSERT INTO LegalHold (name, filter, placed) VALUES ($1, $2, $3) RETURNING number",
            [.text(name), try value(filter), try value(act)]
        )
        guard let number = rows.integer(0, 0) else { throw damaged }
        return LegalHold(number: number, name: name, filter: filter, placed: act)
    }

    func liftHold(_ number: Int64, _ act: LegalHold.Act) throws -> LegalHold? {
        try connection
            .rows(
                "UPDATE LegalHold SET lifted = $2 WHERE number = $1 AND lifted IS NULL RETURNING number",
                [.bigint(number), try value(act)]
            )
            .count > 0 ? try holds().first { $0.number == number } : nil
    }

    /// Keeps holds from being placed while events are erased, and the other way round.
    private func lock() throws {
        try connection.run("LOCK TABLE LegalHold IN SHARE ROW EXCLUSIVE MODE")
    }

    // MARK: - Erasures

    func begin(_ order: ErasureOrder) throws -> ErasureRecord {
        let rows = try connection.rows(
            "INSERT INTO Erasure (request) VALUES ($1) RETURNING number",
            [try value(order)]
        )
        guard let number = rows.integer(0, 0) else { throw damaged }
        return ErasureRecord(number: number, order: order)
    }

    func erasures(after number: Int64, limit: Int) throws -> [ErasureRecord] {
        let rows = try connection.rows(
            "SELECT number, request, result FROM Erasure WHERE number > $1 ORDER BY number LIMIT $2",
            [.bigint(number), .bigint(Int64(max(0, limit)))]
        )
        return try (0..<rows.count)
            .map { row in
                guard let number = rows.integer(row, 0) else { throw damaged }
                return ErasureRecord(
                    number: number,
                    order: try decoded(rows, row, 1),
                    result: rows.isNull(row, 2) ? nil : try decoded(rows, row, 2)
                )
            }
    }

    func finish(_ erasure: Int64) throws -> ErasureRecord {
        let result = try ranges(of: erasure).result
        try connection.rows(
            "UPDATE Erasure SET result = $2 WHERE number = $1 AND result IS NULL",
            [.bigint(erasure), try value(result)]
        )
        guard let record = try erasures(after: erasure - 1, limit: 1).first, record.number == erasure else {
            throw damaged
        }
        return record
    }

    func ranges(of erasure: Int64) throws -> ErasedRanges {
        let rows = try connection.rows(
            "SELECT partition, first, last FROM ErasedRange WHERE erasure = $1 ORDER BY partition, first",
            [.bigint(erasure)]
        )
        return ErasedRanges(
            try (0..<rows.count)
                .map { row in
                    guard let partition = rows.text(row, 0).flatMap({ try? PartitionID($0) }),
                        let first = rows.integer(row, 1), let last = rows.integer(row, 2)
                    else { throw damaged }
                    return ErasedRange(
                        partition: partition,
                        first: UInt64(clamping: first),
                        last: UInt64(clamping: last)
                    )
                }
        )
    }

    /// Erases what may go of these events.
    func erase(_ addresses: [EventAddress], for erasure: Int64) throws -> ErasureStep {
        try lock()
        let open = try connection.rows(
            "SELECT FROM Erasure WHERE number = $1 AND result IS NULL FOR SHARE",
            [.bigint(erasure)]
        )
        guard open.count > 0 else { throw AuditServerError.unavailable(reason: "the erasure is not under way") }
        let judge = ErasureJudge(try holds())
        var total = ErasureStep()
        for (partition, places) in Dictionary(grouping: addresses, by: \.partition) {
            let (events, month) = try events(of: partition, places.map(\.sequence))
            let (doomed, step) = judge.step(events)
            total.add(step)
            let sequences = doomed.map(\.sequence).sorted()
            try destroyKeys(of: partition, sequences)
            for range in ErasedRanges(doomed.map { EventAddress(partition: partition, sequence: $0.sequence) }).ranges {
                try clear(range, month, for: erasure)
            }
        }
        return total
    }

    private func events(of partition: PartitionID, _ sequences: [UInt64]) throws -> ([StoredEvent], Int32) {
        // Locked like an upload, so that a device that goes on waits for the step.
        guard let row = try PartitionRow.locked(partition, on: connection) else { return ([], 0) }
        let wanted = sequences.sorted()
        guard let first = wanted.first, let last = wanted.last else { return ([], 0) }
        let rows = try connection.rows(
            """
            SELECT \(EventColumns.selected) FROM AuditEvent
            WHERE daybook_month = $1 AND _partition = $2 AND daybook_sequence BETWEEN $3 AND $4
                AND daybook_sequence = ANY ($5::text[]::bigint[])
            ORDER BY daybook_sequence
            """,
            [
                .integer(row.month.number), .text(partition.value), .bigint(Int64(clamping: first)),
                .bigint(Int64(clamping: last)), .array(ofTexts: wanted.map { "\($0)" }),
            ]
        )
        let events = (0..<rows.count)
            .map { EventColumns.read(rows, $0, partition: partition, owner: row.ledger.owner) }
        return (events, row.month.number)
    }

    private func clear(_ range: ErasedRange, _ month: Int32, for erasure: Int64) throws {
        let (partition, first, last) = (
            SQLValue.text(range.partition.value), SQLValue.bigint(Int64(clamping: range.first)),
            SQLValue.bigint(Int64(clamping: range.last))
        )
        try connection.rows(
            "INSERT INTO ErasedRange (erasure, partition, first, last) VALUES ($1, $2, $3, $4)",
            [.bigint(erasure), partition, first, last]
        )
        try connection.rows(
            """
            UPDATE AuditEvent SET activity = '', event = NULL, data = NULL, daybook_payload = NULL, metadata = NULL,
                timestamp = 0, daybook_monotonic = 0, daybook_boot = '00000000-0000-0000-0000-000000000000',
                daybook_committed = NULL, daybook_marks = 0, daybook_sync = NULL, daybook_erased = $1
            WHERE daybook_month = $2 AND _partition = $3 AND daybook_sequence BETWEEN $4 AND $5
            """,
            [.bigint(erasure), .integer(month), partition, first, last]
        )
    }

    /// Overwrites keys with zeros; the sequences are in order.
    private func destroyKeys(of partition: PartitionID, _ sequences: [UInt64]) throws {
        var rest = sequences[...]
        while let next = rest.first {
            let rows = try connection.rows(
                """
                SELECT first, keys FROM PayloadKey WHERE partition = $1 AND first <= $2 ORDER BY first DESC LIMIT 1
                """,
                [.text(partition.value), .bigint(Int64(clamping: next))]
            )
            // Events of an earlier version have no keys; clearing the column is all there is to do.
            guard rows.count > 0, let first = rows.integer(0, 0), var keys = rows.bytes(0, 1) else {
                rest = rest.dropFirst()
                continue
            }
            let end = UInt64(first) + UInt64(keys.count / SealedPayloads.keyByteCount)
            let here = rest.prefix { $0 < end }
            for sequence in here { SealedPayloads.destroy(Int(sequence - UInt64(first)), in: &keys) }
            try connection.rows(
                "UPDATE PayloadKey SET keys = $3 WHERE partition = $1 AND first = $2",
                [.text(partition.value), .bigint(first), .bytes(keys)]
            )
            rest = rest.dropFirst(max(1, here.count))
        }
    }

    // MARK: - JSON

    private func value(_ value: some Encodable) throws -> SQLValue {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return .text(bytes: [UInt8](try encoder.encode(value)))
    }

    private func decoded<T: Decodable>(_ rows: SQLRows, _ row: Int, _ column: Int) throws -> T {
        do {
            return try JSONDecoder().decode(T.self, from: Data(rows.textBytes(row, column) ?? []))
        } catch {
            throw damaged
        }
    }

    private var damaged: PostgreSQLFailure { .damaged(what: "the record of a hold or an erasure") }
}
