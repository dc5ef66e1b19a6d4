import AuditModel
public import EventModel

/// What a database is for a server that would start on it, looked at without a change.
public struct PostgreSQLOutlook: Sendable, Hashable {
    /// The version of the database's server, such as `15.4`.
    public let version: String
    /// How many steps a server takes to bring the tables to its version; 0 where they are.
    public let missingMigrations: Int
    /// Whether commits wait for standbys, and what is acknowledged is on more than one machine.
    public let waitsForStandbys: Bool

    /// Connects and looks.
    ///
    /// - Parameters:
    ///   - configuration: Where the database is.
    ///   - timer: What ends the waiting for a connection.
    /// - Returns: What is there.
    /// - Throws: `AuditServerError.inaccessible` with what to do about it, when a server could not start on the database.
    public static func of(
        _ configuration: PostgreSQLConfiguration,
        timer: any EventTimer = SystemTimer()
    ) async throws -> PostgreSQLOutlook {
        do {
            try PostgreSQLConnection.check(configuration.address)
            let pool = ConnectionPool(configuration, name: "daybook.looking", count: 1, timer: timer)
            return try await pool.run { connection in
                let rows = try connection.rows(
                    "SELECT current_setting('server_version'), current_setting('synchronous_standby_names') <> ''"
                )
                guard let version = rows.text(0, 0), let waits = rows.boolean(0, 1) else {
                    throw PostgreSQLFailure.damaged(what: "the settings of the database")
                }
                return PostgreSQLOutlook(
                    version: version,
                    missingMigrations: try PostgreSQLSchema(connection: connection).missingMigrations(),
                    waitsForStandbys: waits
                )
            }
        } catch let failure as PostgreSQLFailure {
            throw AuditServerError(opening: failure)
        }
    }
}
