import AuditModel
import EventModel
import GRDB

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The keys of payloads, and the records of holds and erasures, in a file beside a copy of the database.
///
/// A backup has them apart, so that copies of the events open nothing once the older copies of this small file are destroyed.
/// A database takes up such a file when it is opened: what was erased since its events were copied is erased again.
enum SQLiteKeyFile {
    /// The tables that are in the file and not in the copy of the database.
    private static let tables = ["PayloadKey", "Erasure", "ErasedRange", "LegalHold"]

    /// Returns the file that belongs to a database.
    static func path(of database: String) -> String { "\(database).keys" }

    /// Moves keys and records out of a copy of a database.
    ///
    /// - Returns: Whether there is a file; there is none for a database of a version that had no keys.
    static func split(_ path: String) throws -> Bool {
        let file = Self.path(of: path)
        var configuration = Configuration()
        configuration.prepareDatabase { try $0.execute(sql: "PRAGMA secure_delete = ON") }
        let copy = try DatabaseQueue(path: path, configuration: configuration)
        guard try copy.read({ try $0.tableExists("PayloadKey") }) else { return false }
        try PrivateFile.createIfMissing(file)
        try copy.writeWithoutTransaction { database in
            // Of the keys nothing may stay in this file or beside it.
            try database.execute(sql: "PRAGMA journal_mode = MEMORY")
            try database.execute(sql: "ATTACH ? AS keys", arguments: [file])
            try database.inTransaction {
                for table in tables {
                    try database.execute(sql: "CREATE TABLE keys.\(table) AS SELECT * FROM main.\(table)")
                }
                try database.execute(sql: "DELETE FROM main.PayloadKey")
                return .commit
            }
            try database.execute(sql: "DETACH keys")
        }
        try copy.close()
        return true
    }

    /// Takes up the file beside a database, if there is one, and removes it.
    static func join(_ path: String, to pool: DatabasePool) throws {
        let file = Self.path(of: path)
        guard PrivateFile.exists(file) else { return try requireKeys(pool) }
        try pool.writeWithoutTransaction { database in
            try database.execute(sql: "ATTACH ? AS keys", arguments: [file])
            defer { try? database.execute(sql: "DETACH keys") }
            try database.inTransaction(.immediate) {
                try joinKeys(database)
                try joinRecords(database)
                return .commit
            }
        }
        try pool.barrierWriteWithoutTransaction { _ = try $0.checkpoint(.truncate) }
        try PrivateFile.removeIfPresent(file)
        try requireKeys(pool)
    }

    /// Takes up keys; one that is zero here or there stays zero.
    private static func joinKeys(_ database: Database) throws {
        let rows = try Row.fetchCursor(
            database,
            sql: """
                SELECT ours.partition, ours.first, ours.keys AS own, theirs.keys AS other
                FROM main.PayloadKey AS ours JOIN keys.PayloadKey AS theirs USING (partition, first)
                WHERE ours.keys <> theirs.keys
                """
        )
        var changed: [(partition: String, first: Int64, keys: Data)] = []
        while let row = try rows.next() {
            var keys = [UInt8](row["own"] as Data)
            let other = [UInt8](row["other"] as Data)
            for index in 0..<keys.count / SealedPayloads.keyByteCount {
                let bytes = index * SealedPayloads.keyByteCount..<(index + 1) * SealedPayloads.keyByteCount
                if bytes.upperBound <= other.count, other[bytes].allSatisfy({ $0 == 0 }) {
                    SealedPayloads.destroy(index, in: &keys)
                }
            }
            changed.append((row["partition"], row["first"], Data(keys)))
        }
        for row in changed {
            try database.execute(
                sql: "UPDATE main.PayloadKey SET keys = ? WHERE partition = ? AND first = ?",
                arguments: [row.keys, row.partition, row.first]
            )
        }
        try database.execute(
            sql: """
                INSERT OR IGNORE INTO main.PayloadKey (partition, first, keys)
                SELECT partition, first, keys FROM keys.PayloadKey
                """
        )
    }

    /// Takes up holds and erasures, and erases what they say.
    private static func joinRecords(_ database: Database) throws {
        try database.execute(
            sql: """
                INSERT OR REPLACE INTO main.LegalHold SELECT * FROM keys.LegalHold;
                INSERT OR REPLACE INTO main.Erasure SELECT * FROM keys.Erasure;
                INSERT OR IGNORE INTO main.ErasedRange SELECT * FROM keys.ErasedRange;
                """
        )
        let keeping = SQLiteKeeping(database: database)
        let clearing = try keeping.clearing()
        try database.execute(
            sql: """
                UPDATE AuditEvent SET \(clearing), daybook_erased = found.erasure FROM main.ErasedRange AS found
                WHERE _partition = found.partition AND daybook_sequence BETWEEN found.first AND found.last
                    AND daybook_erased IS NULL
                """
        )
        for erasure in try keeping.erasures("", []) {
            for range in try keeping.ranges(of: erasure.number).ranges {
                try keeping.destroyKeys(of: range.partition, Array(range.first...range.last))
            }
        }
    }

    /// Refuses a database whose payloads nobody can read.
    private static func requireKeys(_ pool: DatabasePool) throws {
        let isLocked: Bool?
        do {
            isLocked = try pool.read { database in
                // Only a database without any key is looked through.
                try Bool.fetchOne(
                    database,
                    sql: """
                        SELECT NOT EXISTS (SELECT 1 FROM PayloadKey)
                            AND EXISTS (SELECT 1 FROM AuditEvent WHERE typeof(data) = 'blob')
                        """
                )
            }
        } catch let error as DatabaseError where error.resultCode == .SQLITE_CORRUPT {
            // What is whole of a damaged database is served all the same; whoever reads the rest is told.
            return
        }
        if isLocked == true {
            throw AuditServerError.inaccessible(
                path: pool.path,
                reason: "the keys of its payloads are missing; put the file with the ending .keys of a backup beside it"
            )
        }
    }
}
