public import AuditModel
public import EventModel
import Synchronization

/// The store for more than one machine: PostgreSQL 15 or later, whose standbys have what is acknowledged.
///
/// An acknowledgement is the word that a device deletes by. It is given after a commit that wrote something, that every
/// standby named in `synchronous_standby_names` had to confirm, and that came back without a warning; see <doc:Acknowledging>.
///
/// Requests share a bounded number of connections. A request that has one runs to its end, also when its task is
/// cancelled, because a commit that is cancelled may still happen.
public final class PostgreSQLEventStore: AuditStore {
    private let storing: ConnectionPool
    private let reading: ConnectionPool
    /// Apart from both, so that neither devices whose uploads wait nor readers keep what is read from being recorded.
    private let recording: ConnectionPool
    /// Seals the partitions of uploads that come together.
    private let sealing: SharedCommit<PartitionSealing, Bool>
    /// Answers those who want the log as standbys have it.
    let confirming: SharedCommit<LogQuestion, LogAnswer>
    /// The log as standbys are known to have it.
    let confirmed = ConfirmedLog()
    private let patience: Int
    /// The months whose tables were seen; one number a month.
    private let months = Mutex<Set<EventMonth>>([])

    /// Connects to a database and makes or updates its tables.
    ///
    /// - Parameters:
    ///   - configuration: Where the database is.
    ///   - timer: What ends the waiting for a connection.
    /// - Throws: `AuditServerError.inaccessible` with what to do about it, when the database cannot be reached or used.
    public init(
        _ configuration: PostgreSQLConfiguration,
        timer: any EventTimer = SystemTimer()
    ) async throws {
        storing = ConnectionPool(
            configuration,
            name: "daybook.storing",
            count: configuration.storingConnections,
            timer: timer
        )
        reading = ConnectionPool(
            configuration,
            name: "daybook.reading",
            count: configuration.readingConnections,
            timer: timer
        )
        recording = ConnectionPool(configuration, name: "daybook.recording", count: 1, timer: timer)
        patience = configuration.readingPatience
        sealing = .sealing(configuration, confirmed, timer)
        confirming = .confirming(configuration, confirmed, timer)
        try await PostgreSQLSchema.prepare(configuration, on: storing)
    }

    /// Returns whether commits wait for standbys at all: whether `synchronous_standby_names` names any.
    ///
    /// Without any, what is acknowledged is on the disk of one machine, and nothing else here can tell.
    ///
    /// - Throws: `AuditServerError.unavailable` when the database does not answer.
    public func waitsForStandbys() async throws -> Bool {
        try await read { connection in
            try connection.rows("SELECT current_setting('synchronous_standby_names') <> ''").boolean(0, 0) ?? false
        }
    }

    /// Stores a stretch in one transaction, or with a seal in two, and returns once the standbys have all of it.
    public func accept(_ upload: EventUpload) async throws -> DurabilityProof {
        // Encrypted here, where no connection waits for it.
        let payloads = try SealedPayloads(upload.events)
        if upload.seal != nil, let proof = try await acceptSealed(upload, payloads) { return proof }
        return try await accept(upload, payloads, on: storing, within: nil)
    }

    /// Stores what the server records itself; returns once the standbys have it, and throws when they do not soon.
    public func record(_ upload: EventUpload) async throws -> DurabilityProof {
        try await accept(upload, SealedPayloads(upload.events), on: recording, within: patience)
    }

    /// Stores a stretch without its seal, and has it sealed together with others.
    ///
    /// The first commit waits for nothing: the one of the seal comes behind it, and whoever has that has both.
    ///
    /// - Returns: Nil when its partition cannot be sealed in passing, and the whole has to be decided in a transaction of its own.
    private func acceptSealed(_ upload: EventUpload, _ payloads: SealedPayloads) async throws -> DurabilityProof? {
        try await PostgreSQLFailure.naming {
            let stored = try await storing.run { connection in
                try self.prepare(EventMonth(upload.received), on: connection, within: nil)
                return try connection.committedAhead {
                    try StretchTransaction(connection: connection).acceptUnsealed(upload, payloads)
                }
            }
            guard let stored, try await sealing.run(stored) else { return nil }
            return stored.proof
        }
    }

    private func accept(
        _ upload: EventUpload,
        _ payloads: SealedPayloads,
        on pool: ConnectionPool,
        within milliseconds: Int?
    ) async throws -> DurabilityProof {
        try await PostgreSQLFailure.naming {
            try await pool.run { connection in
                try self.prepare(EventMonth(upload.received), on: connection, within: milliseconds)
                let transaction = StretchTransaction(connection: connection)
                var proof = PartitionLedger(owner: upload.owner, partition: upload.partition).proof
                _ = try connection.acknowledged(within: milliseconds) {
                    let outcome = try transaction.accept(upload, payloads)
                    proof = outcome.proof
                    // Of a stretch behind a gap nothing is stored, not even that it came.
                    return outcome.isKnown ? true : nil
                }
                return proof
            }
        }
    }

    /// Returns what is kept of a partition, or nil, as one server has it.
    public func partition(_ partition: PartitionID) async throws -> PartitionRecord? {
        try await read { connection in
            let rows = try connection.rows(
                """
                SELECT \(PartitionRow.recordColumns)
                FROM EventPartition JOIN EventOwner ON EventOwner.id = owner WHERE value = $1
                """,
                [.text(partition.value)]
            )
            return rows.count > 0 ? try PartitionRow.record(rows, 0) : nil
        }
    }

    /// Returns what is kept of a partition, or nil, once the standbys have it.
    ///
    /// Devices resume by this answer, and may delete by it: it waits like an acknowledgement, for a bounded time.
    public func acknowledgedPartition(_ partition: PartitionID) async throws -> PartitionRecord? {
        try await PostgreSQLFailure.naming {
            try await storing.run { [patience] connection in
                try connection.acknowledged(within: patience) {
                    // Locked, so that what is read is what the acknowledgement is for.
                    let rows = try connection.rows(
                        """
                        SELECT \(PartitionRow.recordColumns)
                        FROM EventPartition JOIN EventOwner ON EventOwner.id = owner
                        WHERE value = $1 FOR UPDATE OF EventPartition
                        """,
                        [.text(partition.value)]
                    )
                    guard rows.count > 0 else { return nil }
                    try StretchTransaction(connection: connection).acknowledge(partition)
                    return try PartitionRow.record(rows, 0)
                }
            }
        }
    }

    /// Lists partitions by age.
    public func partitions(
        after: PartitionID?,
        limit: Int,
        maximumBytes: Int
    ) async throws -> [PartitionRecord] {
        try await read { connection in
            let rows = try connection.rows(
                """
                SELECT \(PartitionRow.recordColumns) FROM (
                    SELECT *, \(SealPage.sumOfBytes(orderedBy: "id, prefix")) AS bytes FROM (
                        SELECT * FROM EventPartition
                        WHERE (id, prefix) > ($1, $2) ORDER BY id, prefix LIMIT $3
                    ) AS chunk
                ) AS EventPartition JOIN EventOwner ON EventOwner.id = owner
                WHERE bytes <= $4 ORDER BY EventPartition.id, prefix
                """,
                [
                    .text(after?.id.stringValue ?? ""), .text(after?.prefix ?? ""), .bigint(Int64(max(0, limit))),
                    .bigint(Int64(maximumBytes)),
                ]
            )
            return try (0..<rows.count).map { try PartitionRow.record(rows, $0) }
        }
    }

    /// Lists events, partitions by age and events by sequence.
    ///
    /// - Complexity: O(*n*) in the events that are looked at, which without a partition are all behind the cursor.
    public func events(
        _ filter: EventFilter,
        after: EventCursor?,
        limit: Int,
        maximumBytes: Int
    ) async throws -> EventPage {
        try await read { connection in
            try PostgreSQLEventListing(
                filter: filter,
                limit: limit,
                maximumBytes: maximumBytes,
                connection: connection
            )
            .page(after: after)
        }
    }

    /// Lists the apps that have a collection.
    public func collections() async throws -> [String] {
        try await read { try CollectionKeys(connection: $0).apps() }
    }

    /// Returns the metadata columns of an app, or nil.
    public func metadataColumns(of app: String) async throws -> [String]? {
        try await read { try CollectionKeys(connection: $0).all(of: app) }
    }

    /// Creates the collection of an app and adds columns, in one transaction.
    public func extendCollection(of app: String, by columns: [String]) async throws {
        try await PostgreSQLFailure.naming {
            try await storing.run { connection in
                _ = try connection.acknowledged {
                    try CollectionKeys(connection: connection).extend(app, by: columns.map { Array($0.utf8) })
                    return true
                }
            }
        }
    }
}

extension SealPage {
    /// What selects the bytes of the seals through a row, in an order; nothing at the first row, which is in the page in any case.
    static func sumOfBytes(orderedBy order: String) -> String {
        """
        CASE WHEN row_number() OVER (ORDER BY \(order)) = 1 THEN 0
            ELSE sum(coalesce(octet_length(seal), 0)) OVER (ORDER BY \(order)) END
        """
    }
}

// MARK: - Connections

extension PostgreSQLEventStore {
    func read<T: Sendable>(
        _ body: @escaping @Sendable (PostgreSQLConnection) throws -> T
    ) async throws -> T {
        try await PostgreSQLFailure.naming {
            try await reading.run { connection in try connection.reading { try body(connection) } }
        }
    }

    /// Runs a transaction that writes, and returns once the standbys have it.
    ///
    /// - Parameter body: What it does.
    /// - Returns: What the body returned.
    /// - Throws: ``AuditServer/AuditServerError``, and what the body throws.
    func acknowledged<T: Sendable>(_ body: @escaping @Sendable (PostgreSQLConnection) throws -> T) async throws -> T {
        try await PostgreSQLFailure.naming {
            try await storing.run { connection in
                guard let value = try connection.acknowledged({ try body(connection) }) else {
                    preconditionFailure("A transaction that has a value is not taken back.")
                }
                return value
            }
        }
    }

    /// Makes the table of a month before the transaction that needs it, so that its locks are short.
    private func prepare(
        _ month: EventMonth,
        on connection: PostgreSQLConnection,
        within milliseconds: Int?
    ) throws {
        if months.withLock({ $0.contains(month) }) { return }
        try PostgreSQLSchema(connection: connection).addMonth(month, within: milliseconds)
        months.withLock { _ = $0.insert(month) }
    }
}
