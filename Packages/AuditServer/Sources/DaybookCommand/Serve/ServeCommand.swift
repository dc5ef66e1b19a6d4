import ArgumentParser
import AuditServer
import EventModel
import Logging
import PostgreSQLStore

/// `daybook serve`: runs the server.
struct ServeCommand: AsyncParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "serve",
            abstract: "Runs the server that devices upload to.",
            discussion: """
                Events go to a SQLite database in the data folder, or to PostgreSQL 15 or later with --postgres. A \
                token for auditors is written to auditor.token in that folder, which only you can read. In \
                Development Mode, which is on unless you turn it off, every app id is accepted and new metadata \
                columns are added as they arrive.

                --postgres takes a connection string of libpq, such as \
                'postgresql://daybook@db1,db2/audit?sslmode=verify-full'; the tables are made if they are missing. \
                The password comes from PGPASSWORD or from the password file that PGPASSFILE names. Devices delete \
                what is acknowledged: name standbys in PostgreSQL's synchronous_standby_names to have it on more \
                than one machine.

                The server ends when it gets SIGINT (Control-C) or SIGTERM.
                """
        )
    }

    @Option(help: "The address to listen on; the default is reachable from this machine alone.")
    var host = "127.0.0.1"

    @Option(help: "The port to listen on; 0 takes any free one.")
    var port = 0

    @Option(help: "The folder for the database, the token key and the auditor's token; made if it is missing.")
    var data = "daybook-data"

    @Option(help: "The address of a PostgreSQL database for the events, without a password.")
    var postgres: String?

    @Option(help: "A file that the port is written to once connections are accepted.")
    var portFile: String?

    @Option(
        parsing: .singleValue,
        help: "An app id to accept when Development Mode is off; may be given several times."
    )
    var app: [String] = []

    @Option(help: "A file of API keys: one app id and one key in each line, with a space between them.")
    var apiKeys: String?

    @Flag(inversion: .prefixedNo, help: "Accept every app id and add new metadata columns.")
    var developmentMode = true

    @Flag(inversion: .prefixedNo, help: "Let anybody sign in as a new anonymous user.")
    var anonymousUsers = true

    @Option(help: "What is logged on stderr: trace, debug, info, notice, warning, error or critical.")
    var logLevel = LogLevel.notice

    @Flag(help: "Write the address as one JSON object.")
    var json = false

    private struct Address: Encodable {
        let address: String
        let port: Int
    }

    func validate() throws {
        guard (0...65_535).contains(port) else { throw ValidationError("A port is a number from 0 to 65535.") }
        if let postgres, PostgreSQLConfiguration(address: postgres).hasPassword {
            throw ValidationError(
                "Everybody on this machine can read a password on a command line; set PGPASSWORD, or name a file in PGPASSFILE."
            )
        }
    }

    func run() async throws {
        let configuration = ServerConfiguration(
            host: host,
            port: port,
            isDevelopmentMode: developmentMode,
            apps: Set(app),
            allowsAnonymousUsers: anonymousUsers,
            apiKeys: try apiKeys.map { try APIKeyFile.read($0) } ?? []
        )
        let folder = try DataFolder(data)
        let tokens = try await folder.tokenIssuer(clock: SystemClock())
        let store = try await store(in: folder)
        let service = AuditService(configuration: configuration, store: store, tokens: tokens)
        var logger = Logger(label: "daybook", factory: { StreamLogHandler.standardError(label: $0) })
        logger.logLevel = logLevel.level

        try await service.run(logger: logger) { [self, logger] port in
            do {
                try announce(port)
            } catch {
                logger.error("\(error)")
            }
        }
    }

    private func store(in folder: DataFolder) async throws -> any EventStore {
        guard let postgres else {
            return try SQLiteEventStore(path: folder.databasePath, addsColumns: developmentMode)
        }
        return try await PostgreSQLEventStore(
            PostgreSQLConfiguration(address: postgres),
            addsColumns: developmentMode
        )
    }

    /// Says where the server listens, in the file first, so that it is there when the line is.
    private func announce(_ port: Int) throws {
        if let portFile { try PrivateFile.write(Array("\(port)\n".utf8), to: portFile) }
        let address = "http://\(host.contains(":") ? "[\(host)]" : host):\(port)"
        if json { return StandardOutput.write(try EventLine.lines([Address(address: address, port: port)])) }
        StandardOutput.write("listening on \(address)\n")
    }
}
