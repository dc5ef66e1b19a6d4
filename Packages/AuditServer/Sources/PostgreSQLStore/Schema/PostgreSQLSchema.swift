import AuditModel

/// Brings the tables of a database to the version of this code, and adds months as they come.
///
/// Several servers may start at once: each change is made under one advisory lock, and looked for again under it.
struct PostgreSQLSchema {
    /// The lock of everything that changes tables; a number that is ours alone.
    private static let lock = "SELECT pg_advisory_xact_lock(7521983764150231)"

    let connection: PostgreSQLConnection

    /// Checks the address and brings the tables to the version of this code.
    ///
    /// - Throws: `AuditServerError.inaccessible(path:reason:)` with what to do about it.
    static func prepare(_ configuration: PostgreSQLConfiguration, on pool: ConnectionPool) async throws {
        do {
            try PostgreSQLConnection.check(configuration.address)
            try await pool.run { try PostgreSQLSchema(connection: $0).migrate() }
        } catch let failure as PostgreSQLFailure {
            throw AuditServerError(opening: failure)
        }
    }

    /// Applies the migrations that the database lacks, all in one transaction.
    func migrate(_ migrations: [PostgreSQLMigration] = PostgreSQLMigration.all) throws {
        // Most starts find everything there, and need no lock and no standby for it.
        if try missingMigrations(migrations) == 0 { return }
        _ = try connection.acknowledged {
            try connection.run(Self.lock)
            try connection.run(
                """
                CREATE TABLE IF NOT EXISTS DaybookMigration (
                    version bigint PRIMARY KEY,
                    name text NOT NULL,
                    applied timestamptz NOT NULL DEFAULT now()
                )
                """
            )
            let version = try version()
            for migration in migrations where migration.version > version {
                try connection.run(migration.sql)
                try migration.fill(connection)
                try connection.rows(
                    "INSERT INTO DaybookMigration (version, name) VALUES ($1, $2)",
                    [.bigint(migration.version), .text(migration.name)]
                )
            }
            return true
        }
    }

    /// Counts the migrations that the database lacks.
    ///
    /// - Throws: `PostgreSQLFailure.schemaTooNew(_:)` for tables of a newer version, and what the connection throws.
    func missingMigrations(_ migrations: [PostgreSQLMigration] = PostgreSQLMigration.all) throws -> Int {
        guard try hasTable("daybookmigration") else { return migrations.count }
        let version = try version()
        if version > migrations.last?.version ?? 0 { throw PostgreSQLFailure.schemaTooNew(version) }
        return migrations.filter { $0.version > version }.count
    }

    /// Makes the table of a month if it is missing.
    ///
    /// Attached and not created in place, because that would stop every writer of every month.
    ///
    /// - Parameters:
    ///   - month: The month.
    ///   - milliseconds: How long to wait for others and for the standbys; nil waits as long as it takes.
    /// - Throws: What the connection throws.
    func addMonth(_ month: EventMonth, within milliseconds: Int? = nil) throws {
        if try hasTable(month.table) { return }
        _ = try connection.acknowledged(within: milliseconds) { () -> Bool? in
            try connection.run(Self.lock)
            if try hasTable(month.table) { return nil }
            // The name and the number are digits.
            try connection.run("CREATE TABLE \(month.table) (LIKE AuditEvent INCLUDING ALL)")
            try connection.run(
                "ALTER TABLE AuditEvent ATTACH PARTITION \(month.table) FOR VALUES IN (\(month.number))"
            )
            return true
        }
    }

    private func version() throws -> Int64 {
        let rows = try connection.rows("SELECT coalesce(max(version), 0) FROM DaybookMigration")
        guard let version = rows.integer(0, 0) else {
            throw PostgreSQLFailure.damaged(what: "the table of migrations")
        }
        return version
    }

    /// Looks into the catalog itself: what `to_regclass` knows may be from before the lock.
    private func hasTable(_ name: String) throws -> Bool {
        let rows = try connection.rows(
            "SELECT EXISTS (SELECT FROM pg_class WHERE relname = $1::text AND pg_table_is_visible(oid))",
            [.text(name)]
        )
        return rows.boolean(0, 0) ?? false
    }
}
