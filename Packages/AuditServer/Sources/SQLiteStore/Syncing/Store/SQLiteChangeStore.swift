public import AuditModel
public import ChangeModel
public import EventModel
package import GRDB
public import SyncServer

/// The embedded store of synced realms: one SQLite database that only its owner may read.
///
/// Uses write-ahead logging with `synchronous=FULL`, so that a commit is on the disk when it returns. One connection
/// writes, several read beside it, each a moment of its own.
public final class SQLiteChangeStore: ChangeStore {
    /// Makes so many random bytes that nobody can guess.
    public typealias Randomness = @Sendable (Int) -> [UInt8]

    /// How much of the file the writer may have in memory: 32 MiB.
    ///
    /// Changes name objects in any order, so that a transaction of thousands comes back to each page again and again.
    private static let writerCacheKibibytes = 32 << 10

    package let pool: DatabasePool
    private let limits: RealmLimits
    private let randomness: Randomness
    private let rememberedRows: Int
    /// What a test does before each commit; what it throws undoes the transaction.
    private let beforeCommit: @Sendable () throws -> Void

    /// Opens the database at a path, or makes one.
    ///
    /// - Parameters:
    ///   - path: The file; its folder exists.
    ///   - limits: How much a realm may hold.
    ///   - randomness: Where salts and the ids of histories come from.
    /// - Throws: `AuditServerError.inaccessible(path:reason:)` when it cannot be opened or is no database of ours.
    public convenience init(
        path: String,
        limits: RealmLimits = RealmLimits(),
        randomness: Randomness? = nil
    ) throws(AuditServerError) {
        try self.init(
            path: path,
            limits: limits,
            randomness: randomness,
            rememberedRows: SQLiteRealmState.rememberedRows,
            beforeCommit: {}
        )
    }

    /// Opens a database that remembers less of a transaction, or whose commits can fail, for tests.
    package init(
        path: String,
        limits: RealmLimits = RealmLimits(),
        randomness: Randomness? = nil,
        rememberedRows: Int = SQLiteRealmState.rememberedRows,
        beforeCommit: @escaping @Sendable () throws -> Void
    ) throws(AuditServerError) {
        // LIVE: the system's generator.
        self.randomness = randomness ?? { count in (0..<count).map { _ in UInt8.random(in: .min ... .max) } }
        self.limits = limits
        self.rememberedRows = rememberedRows
        self.beforeCommit = beforeCommit
        pool = try DatabasePool.durable(
            path: path,
            label: "Sync",
            writerCacheKibibytes: Self.writerCacheKibibytes
        ) {
            try RealmTables.migrator.migrate($0)
        }
    }
}

// MARK: - Writing

extension SQLiteChangeStore {
    /// Binds a file to a realm, which is made if nobody had it.
    public func bind(_ binding: FileClaim, to realm: RealmName) async throws -> BoundFile {
        let salt = randomness(BoundFile.saltBytes)
        let history = randomness(RealmStatus.historyBytes)
        return try await writing { database in
            try Self.bind(binding, to: realm, salt: salt, history: history, in: database)
        }
        .get()
    }

    /// Takes uploads in their order, all changes of all of them in one transaction.
    ///
    /// Where that transaction fails, each upload is tried by itself, as what failed may be one of them.
    public func take(
        _ uploads: [ChangeUpload],
        in realm: RealmName,
        received: EventInstant
    ) async -> [Result<TakenChanges, SyncServerError>] {
        let outcome = await writing { [limits, rememberedRows] database in
            guard let row = try RealmRow.find(realm, in: database) else {
                return uploads.map { _ in Result<TakenChanges, SyncServerError>.failure(.unknownFile) }
            }
            let taking = SQLiteTaking(
                row,
                limits,
                received: received,
                rememberedRows: rememberedRows,
                in: database
            )
            let results = try uploads.map { try taking.take($0) }
            try taking.finish(in: database)
            return results
        }
        switch outcome {
        case .success(let results): return results
        case .failure(let error) where uploads.count == 1: return [.failure(error)]
        case .failure:
            var results: [Result<TakenChanges, SyncServerError>] = []
            for upload in uploads { results += await take([upload], in: realm, received: received) }
            return results
        }
    }

    /// Runs a body in a transaction of its own and returns when that is on the disk; cancellation changes nothing.
    func writing<Value: Sendable>(
        _ body: @escaping @Sendable (Database) throws -> Value
    ) async -> Result<Value, SyncServerError> {
        await withCheckedContinuation { continuation in
            pool.asyncWriteWithoutTransaction { [beforeCommit] database in
                let outcome = Result {
                    var value: Value?
                    try database.inTransaction(.immediate) {
                        value = try body(database)
                        try beforeCommit()
                        return .commit
                    }
                    guard let value else { preconditionFailure("A transaction runs its body once.") }
                    return value
                }
                continuation.resume(returning: outcome.mapError(Self.named))
            }
        }
    }

    /// Says what failed in words of ours; SQLite's own sentence may quote values.
    static func named(_ error: any Error) -> SyncServerError {
        error as? SyncServerError ?? .unavailable(reason: SQLiteFailure.reason(error))
    }
}

// MARK: - Reading

extension SQLiteChangeStore {
    /// Returns entries behind a number, as they lie in the database.
    public func entries(
        of realm: RealmName,
        after number: Int,
        history: [UInt8],
        maximumBytes: Int
    ) async throws -> EntryPage {
        try await reading(realm) { row, database in
            let status = row.status
            guard status.history == history else { throw SyncServerError.historyChanged }
            guard number >= status.floor else { throw SyncServerError.tooOld(floor: status.floor) }
            guard number <= status.head else { throw SyncServerError.impossiblePosition(head: status.head) }
            return try Self.entries(of: row, after: number, maximumBytes: maximumBytes, in: database)
        }
    }

    /// Returns where a realm is.
    public func status(of realm: RealmName) async throws -> RealmStatus? {
        do {
            return try await reading(realm) { row, _ in row.status }
        } catch SyncServerError.unknownRealm {
            return nil
        }
    }

    /// Returns living objects in the order of class and key.
    public func objects(
        of realm: RealmName,
        after object: ObjectAddress?,
        maximumBytes: Int
    ) async throws -> ObjectPage {
        try await reading(realm) { row, database in
            try ObjectPageReading(row, in: database).page(after: object, maximumBytes: maximumBytes)
        }
    }

    func reading<Value: Sendable>(
        _ realm: RealmName,
        _ body: @escaping @Sendable (RealmRow, Database) throws -> Value
    ) async throws -> Value {
        try await reading { database in
            guard let row = try RealmRow.find(realm, in: database) else { throw SyncServerError.unknownRealm }
            return try body(row, database)
        }
    }

    func reading<Value: Sendable>(_ body: @escaping @Sendable (Database) throws -> Value) async throws -> Value {
        do {
            return try await pool.read(body)
        } catch let error as CancellationError {
            throw error
        } catch {
            throw Self.named(error)
        }
    }

    private static func entries(
        of realm: RealmRow,
        after number: Int,
        maximumBytes: Int,
        in database: Database
    ) throws -> EntryPage {
        let statement = try PreparedStatement(
            "SELECT number, entry FROM SyncEntry WHERE realm = ? AND number > ? ORDER BY number",
            in: database
        )
        defer { statement.reset() }
        try statement.bind(realm.number, at: 1)
        try statement.bind(number, at: 2)
        var entries: [StoredEntry] = []
        var left = maximumBytes
        while try statement.step() {
            let entry = StoredEntry(number: Int(try statement.number(0)), bytes: try statement.blob(1))
            left -= entry.bytes.count
            if left < 0, !entries.isEmpty { break }
            entries.append(entry)
        }
        return EntryPage(entries: entries, head: realm.status.head)
    }
}
