public import AuditModel
import EventModel
import GRDB

extension SQLiteEventStore {
    /// Lists all holds.
    public func holds() async throws -> [LegalHold] {
        try await read { try SQLiteKeeping(database: $0).holds() }
    }

    /// Places a hold.
    public func placeHold(_ name: String, on filter: KeepingFilter, _ act: LegalHold.Act) async throws -> LegalHold {
        try await write { try SQLiteKeeping(database: $0).placeHold(name, on: filter, act) }
    }

    /// Lifts a hold.
    public func liftHold(_ number: Int64, _ act: LegalHold.Act) async throws -> LegalHold? {
        try await write { try SQLiteKeeping(database: $0).liftHold(number, act) }
    }

    /// Writes down what is to be erased.
    public func begin(_ order: ErasureOrder) async throws -> ErasureRecord {
        try await write { try SQLiteKeeping(database: $0).begin(order) }
    }

    /// Erases events in one transaction; uploads wait for it.
    public func erase(_ addresses: [EventAddress], for erasure: Int64) async throws -> ErasureStep {
        try await write { try SQLiteKeeping(database: $0).erase(addresses, for: erasure) }
    }

    /// Ends an erasure, once the log beside the database holds nothing of what it destroyed, nor the database if it is small.
    public func finish(_ erasure: Int64) async throws -> ErasureRecord {
        try await rewriteIfSmall()
        try await emptyLog()
        return try await write { try SQLiteKeeping(database: $0).finish(erasure) }
    }

    /// Lists erasures behind a number.
    public func erasures(after number: Int64, limit: Int) async throws -> [ErasureRecord] {
        try await read { database in
            try SQLiteKeeping(database: database)
                .erasures("WHERE number > ? ORDER BY number LIMIT ?", [number, limit])
        }
    }

    /// Lists which events an erasure took.
    public func ranges(of erasure: Int64) async throws -> ErasedRanges {
        try await read { try SQLiteKeeping(database: $0).ranges(of: erasure) }
    }
}
