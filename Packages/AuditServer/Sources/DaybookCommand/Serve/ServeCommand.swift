import ArgumentParser
import AuditServer
import EventModel
import Logging

/// `daybook serve`: runs the server.
struct ServeCommand: AsyncParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "serve",
            abstract: "Runs the server that devices upload to.",
            discussion: """
                Events go to a SQLite database in the data folder. A token for auditors is written to auditor.token in \
                that folder, which only you can read. In Development Mode, which is on unless you turn it off, every \
                app id is accepted and new metadata columns are added as they arrive.

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
        let store = try SQLiteEventStore(path: folder.databasePath, addsColumns: developmentMode)
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

    /// Says where the server listens, in the file first, so that it is there when the line is.
    private func announce(_ port: Int) throws {
        if let portFile { try PrivateFile.write(Array("\(port)\n".utf8), to: portFile) }
        let address = "http://\(host.contains(":") ? "[\(host)]" : host):\(port)"
        if json { return StandardOutput.write(try EventLine.lines([Address(address: address, port: port)])) }
        StandardOutput.write("listening on \(address)\n")
    }
}
