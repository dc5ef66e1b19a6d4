import ArgumentParser
import AuditAccounts
import AuditArchives
import AuditExport
import AuditHTTP
import AuditKeeping
import AuditModel
import EventModel
import LogPublishing
import Logging
import PostgreSQLStore
import SQLiteStore

/// `daybook serve`: runs the server.
struct ServeCommand: AsyncParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "serve",
            abstract: "Runs the server that devices upload to.",
            discussion: """
                Events go to a SQLite database in the data folder, or to PostgreSQL 15 or later with --postgres. A \
                token for auditors is written to auditor.token in that folder, and one for administrators, who add \
                and remove users, to administrator.token; only you can read them. In Development Mode, which is on \
                unless you turn it off, every app id is accepted, and collections and their columns are made as events arrive.

                --postgres takes a connection string of libpq, such as \
                'postgresql://daybook@db1,db2/audit?sslmode=verify-full'; the tables are made if they are missing. \
                The password comes from PGPASSWORD or from the password file that PGPASSFILE names. Devices delete \
                what is acknowledged: name standbys in PostgreSQL's synchronous_standby_names to have it on more \
                than one machine.

                  daybook serve --data ./daybook-data --port 8080

                The server ends when it gets SIGINT (Control-C) or SIGTERM.

                With --check it does not start, but says whether it could: settings, certificate, folder and database are looked \
                at and not changed, also while a server runs on them.

                  daybook serve --check --config /etc/daybook/serve.json5
                """
        )
    }

    @Option(
        help: "A file with all settings, as the server's documentation describes; options override it.",
        completion: .file()
    )
    var config: String?

    @Option(help: "The address to listen on; 127.0.0.1, the default, is reachable from this machine alone.")
    var host: String?

    @Option(help: "The port to listen on; 0, the default, takes any free one.")
    var port: Int?

    @Option(
        help: "The folder for databases, keys and tokens, made if it is missing; daybook-data by default.",
        completion: .directory
    )
    var data: String?

    @Option(help: "The address of a PostgreSQL database for the events, without a password.")
    var postgres: String?

    @Option(help: "A file that the port is written to once connections are accepted.", completion: .file())
    var portFile: String?

    @Option(help: "The certificate and those that it is signed by, as PEM; needs --tls-key.", completion: .file())
    var tlsCertificate: String?

    @Option(help: "The private key of the certificate, as PEM.", completion: .file())
    var tlsKey: String?

    @Option(
        parsing: .singleValue,
        help: "An app id to accept when Development Mode is off; may be given several times."
    )
    var app: [String] = []

    @Option(
        help: "A file of API keys: one app id and one key in each line, with a space between them.",
        completion: .file()
    )
    var apiKeys: String?

    @Flag(
        inversion: .prefixedNo,
        help: "Accept every app id and add new metadata columns; on by default on 127.0.0.1 alone."
    )
    var developmentMode: Bool?

    @Flag(inversion: .prefixedNo, help: "Let anybody sign in as a new anonymous user; on by default.")
    var anonymousUsers: Bool?

    @Flag(help: "Sign tokens with a new key; those of the present one are accepted until the next rotation.")
    var rotateTokenKey = false

    @Flag(
        help: """
            Sign receipts, exports and the log with new keys: the old ones sign that they follow, and are forgotten. Devices go on; \
            whoever runs witnesses, or gives the log's key to others, gives them the new one.
            """
    )
    var rotateSigningKey = false

    @Flag(
        help: """
            Start although another server has the lock of the folder: only when there is none, as on a network file system \
            that remembers the lock of a machine that is gone. Two servers on one folder damage its data.
            """
    )
    var ignoreLock = false

    @Flag(
        help: """
            Make keys that are missing although there are events: devices that know the old one of receipts stop until they \
            are given the new one, and devices whose tokens it signed have to sign in again.
            """
    )
    var makeMissingKeys = false

    @Option(help: "What is logged on stderr: trace, debug, info, notice, warning, error or critical.")
    var logLevel: LogLevel?

    @Flag(help: "Look at what the server would start with, say what is wrong, and change nothing.")
    var check = false

    @Flag(help: "Write the address, or with --check each finding, as one JSON object.")
    var json = false

    private struct Address: Encodable {
        let address: String
        let port: Int
        let receiptKey: String
        let exportKey: String
    }

    func validate() throws {
        guard (0...65_535).contains(port ?? 0) else { throw ValidationError("A port is a number from 0 to 65535.") }
        guard (tlsCertificate == nil) == (tlsKey == nil) else {
            throw ValidationError("A certificate needs its key: give --tls-certificate and --tls-key together.")
        }
        guard !check || !(rotateTokenKey || rotateSigningKey || makeMissingKeys || ignoreLock) else {
            throw ValidationError("--check changes nothing; leave out what rotates or makes keys, or takes a lock.")
        }
        if let postgres, PostgreSQLConfiguration(address: postgres).hasPassword {
            throw ValidationError(
                "Everybody on this machine can read a password on a command line; set PGPASSWORD, or name a file in PGPASSFILE."
            )
        }
    }

    func run() async throws {
        SystemAllocator.giveMemoryBack()
        let file = try await readConfiguration()
        let configuration = try overriding(file?.configuration ?? ServerConfiguration())
        let database = postgres.map { PostgreSQLConfiguration(address: $0) } ?? file?.postgres
        let path = data ?? file?.data ?? "daybook-data"
        // LIVE: whether a certificate is valid now.
        if check {
            return try await show(ServeCheck(configuration, folder: path, database, at: SystemClock().now().wall))
        }
        let folder = try DataFolder(path)
        let lock = ignoreLock ? nil : try folder.lock()
        defer { withExtendedLifetime(lock) {} }
        var logger = Logger(label: "daybook", factory: { StreamLogHandler.standardError(label: $0) })
        logger.logLevel = (logLevel ?? file?.logLevel ?? .notice).level
        let parts = try await ServerParts(
            folder,
            database,
            file?.keyCipher,
            rotatesTokenKey: rotateTokenKey,
            rotatesSigningKey: rotateSigningKey,
            makesMissingKeys: makeMissingKeys,
            logger
        )
        let service = AuditService(
            configuration: configuration,
            store: parts.store,
            index: try SearchIndex(path: folder.searchPath),
            accounts: parts.accounts,
            tokens: parts.tokens,
            key: parts.identity.key,
            keyHistory: parts.identity.history,
            term: parts.term,
            exports: try ExportFolder(folder.exportsPath),
            realms: parts.realms,
            // LIVE: the clocks of this machine.
            clockGuard: try ClockGuard(
                path: folder.clockPath,
                clock: SystemClock(),
                uptime: SystemUptime.nanoseconds
            ),
            // LIVE: the log is published on this machine's disk.
            logFolder: LogFolder(at: folder.logPath, in: POSIXFileSystem()),
            trailFile: folder.trailPath,
            checkFile: folder.checkPath
        )

        let isSecure = configuration.certificate != nil
        try await service.run(logger: logger) { [self, logger] port in
            do {
                try announce(configuration.host, port, isSecure: isSecure, parts.identity.key)
            } catch {
                logger.error("\(error)")
            }
        }
    }

    /// Writes what a check finds.
    ///
    /// - Throws: `ExitCode` 1 when the server could not start.
    private func show(_ check: ServeCheck) async throws {
        let findings = await check.findings()
        if json {
            StandardOutput.write(try EventLine.lines(findings))
        } else {
            StandardOutput.write(findings.map { "\($0)\n" }.joined())
        }
        if findings.contains(where: { $0.state == .problem }) { throw ExitCode(1) }
    }

    private func readConfiguration() async throws -> ConfigurationFile? {
        guard let config else { return nil }
        return try await ConfigurationFile(path: config)
    }

    /// Applies what the command line says to a configuration.
    func overriding(_ base: ServerConfiguration) throws -> ServerConfiguration {
        var configuration = base
        if let host { configuration.host = host }
        if let port { configuration.port = port }
        if let tlsCertificate, let tlsKey {
            configuration.certificate = .init(chainFile: tlsCertificate, keyFile: tlsKey)
        }
        if let developmentMode { configuration.isDevelopmentMode = developmentMode }
        if let anonymousUsers { configuration.otherApps.allowsAnonymousUsers = anonymousUsers }
        let keys = try apiKeys.map { try APIKeyFile.read($0) } ?? []
        configuration.otherApps.apiKeys += keys
        for id in app {
            var settings = configuration.apps[id] ?? AppSettings(allowsAnonymousUsers: anonymousUsers ?? true)
            settings.apiKeys += keys.filter { $0.app == id }
            configuration.apps[id] = settings
        }
        return configuration
    }

    /// Says where the server listens, in the file first, so that it is there when the line is.
    private func announce(_ host: String, _ port: Int, isSecure: Bool, _ key: SigningKey) throws {
        if let portFile { try PrivateFile.write(Array("\(port)\n".utf8), to: portFile) }
        let address = "http\(isSecure ? "s" : "")://\(host.contains(":") ? "[\(host)]" : host):\(port)"
        let publicKey = Hexadecimal.text(key.publicKey)
        let exportKey = Hexadecimal.text(key.exportKey.publicKey)
        if json {
            let line = Address(address: address, port: port, receiptKey: publicKey, exportKey: exportKey)
            return StandardOutput.write(try EventLine.lines([line]))
        }
        StandardOutput.write(
            "listening on \(address)\nreceipts are signed with the key \(publicKey)\n"
                + "exports are signed with the key \(exportKey)\n"
        )
    }
}
