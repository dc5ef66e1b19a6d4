public import AuditModel
import EventModel

extension PostgreSQLEventStore {
    /// Lists all holds.
    public func holds() async throws -> [LegalHold] {
        try await read { try PostgreSQLKeeping(connection: $0).holds() }
    }

    /// Places a hold, and returns once the standbys have it.
    public func placeHold(_ name: String, on filter: KeepingFilter, _ act: LegalHold.Act) async throws -> LegalHold {
        try await acknowledged { try PostgreSQLKeeping(connection: $0).placeHold(name, on: filter, act) }
    }

    /// Lifts a hold, and returns once the standbys know.
    public func liftHold(_ number: Int64, _ act: LegalHold.Act) async throws -> LegalHold? {
        let lifted = try await acknowledged { connection in
            try PostgreSQLKeeping(connection: connection).liftHold(number, act).map { [$0] } ?? []
        }
        return lifted.first
    }

    /// Writes down what is to be erased, and returns once the standbys have it.
    public func begin(_ order: ErasureOrder) async throws -> ErasureRecord {
        try await acknowledged { try PostgreSQLKeeping(connection: $0).begin(order) }
    }

    /// Erases events in one transaction, and returns once the standbys did, too.
    public func erase(_ addresses: [EventAddress], for erasure: Int64) async throws -> ErasureStep {
        try await acknowledged { try PostgreSQLKeeping(connection: $0).erase(addresses, for: erasure) }
    }

    /// Ends an erasure.
    ///
    /// PostgreSQL keeps what was overwritten until it vacuums the table, and in the archive of its log.
    public func finish(_ erasure: Int64) async throws -> ErasureRecord {
        try await acknowledged { try PostgreSQLKeeping(connection: $0).finish(erasure) }
    }

    /// Lists erasures behind a number.
    public func erasures(after number: Int64, limit: Int) async throws -> [ErasureRecord] {
        try await read { try PostgreSQLKeeping(connection: $0).erasures(after: number, limit: limit) }
    }

    /// Lists which events an erasure took.
    public func ranges(of erasure: Int64) async throws -> ErasedRanges {
        try await read { try PostgreSQLKeeping(connection: $0).ranges(of: erasure) }
    }
}
