import ArgumentParser
import AuditArchives
import AuditHTTP
import AuditModel
import EventModel

/// `daybook devices`: the keys that seal events, and which of them are not to be believed.
struct DevicesCommand: AsyncParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "devices",
            abstract: "Lists the keys of devices, and says which are not to be believed.",
            discussion: """
                A tablet is gone: from now on, what is sealed with its key is kept and shown as doubtful.

                  daybook devices list --server URL --token-file auditor.token
                  daybook devices revoke --server URL --token-file administrator.token \\
                      --app ward-app --user 65a1… --reason "Stolen, case 4711" KEY
                """,
            subcommands: [DevicesListCommand.self, DevicesRevokeCommand.self, DevicesReinstateCommand.self]
        )
    }
}

/// `daybook devices list`.
struct DevicesListCommand: AsyncParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "list",
            abstract:
                "Lists the keys that have sealed partitions, the oldest first, since when they are registered, and what was said of them.",
            discussion: """
                The token is that of an auditor of all apps.

                  daybook devices list --server URL --token-file auditor.token
                """
        )
    }

    @OptionGroup var server: ServerOptions

    @Flag(help: "Write one JSON object per line instead of a table.")
    var json = false

    func run() async throws {
        let remote = try server.remote()
        let statements = try await remote.keyStatements()
        let said = Dictionary(statements.map { ($0.device, $0) }) { $1 }
        let registrations = try await remote.keyRegistrations()
        let lines = DeviceLine.lines(try await remote.devices(), registered: registrations)
            .map { $0.saying(said[$0.device]) }
        if json { return StandardOutput.write(try EventLine.lines(lines)) }
        StandardOutput.write(lines.map(\.row).joined())
    }
}

/// What both commands that say something of a key are told.
struct KeyStatementOptions: ParsableArguments {
    @Option(help: "The app of the device.")
    var app: String

    @Option(help: "The id of the device's user.")
    var user: String

    @Option(help: "Why; it is recorded, and in the log with what auditors do.")
    var reason: String

    @Argument(help: ArgumentHelp("The public key, as the list has it.", valueName: "key"))
    var publicKey: String

    @Flag(help: "Write what was recorded as one JSON object.")
    var json = false

    private struct Order: Encodable {
        let app: String
        let user: String
        let publicKey: String
        let isRevoked: Bool
        let since: String?
        let reason: String
    }

    /// Says it, and shows what was recorded.
    func send(_ remote: RemoteServer, isRevoked: Bool, since: EventInstant? = nil) async throws {
        let order = Order(
            app: app,
            user: user,
            publicKey: publicKey,
            isRevoked: isRevoked,
            since: since?.description,
            reason: reason
        )
        let answer = try await remote.change("POST", "devices/statements", order)
        let line = try remote.decode(KeyStatementLine.self, from: answer)
        if json { return StandardOutput.write(try EventLine.lines([line])) }
        let words = line.revokedSince.map { "revoked as of \($0)" } ?? "believed again"
        StandardOutput.write("\(line.publicKey)  \(words), recorded at \(line.written)\n")
    }
}

/// `daybook devices revoke`.
struct DevicesRevokeCommand: AsyncParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "revoke",
            abstract: "Says that the key of a device is not to be believed any more.",
            discussion: """
                What it seals later is kept, raises an alert, and is a problem of 'daybook verify --server'. With --since, also what
                was received from then on.

                  daybook devices revoke --server URL --token-file administrator.token \\
                      --app ward-app --user 65a1… --since 2026-01-31 \\
                      --reason "Stolen" KEY
                """
        )
    }

    @OptionGroup var server: ServerOptions
    @OptionGroup var statement: KeyStatementOptions

    @Option(help: "From which time of receipt on; from now on without it.")
    var since: String?

    func run() async throws {
        let time = try since.map { try TimeOption.instant($0, now: SystemClock().now().wall) }
        try await statement.send(server.remote(), isRevoked: true, since: time)
    }
}

/// `daybook devices reinstate`.
struct DevicesReinstateCommand: AsyncParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "reinstate",
            abstract: "Says that a key that was revoked is to be believed after all.",
            discussion: """
                Both statements stay in the auditors' trail. Alerts that were raised stay as well.

                  daybook devices reinstate --server URL \\
                      --token-file administrator.token --app ward-app --user 65a1… \\
                      --reason "Found in the laundry" KEY
                """
        )
    }

    @OptionGroup var server: ServerOptions
    @OptionGroup var statement: KeyStatementOptions

    func run() async throws { try await statement.send(server.remote(), isRevoked: false) }
}
