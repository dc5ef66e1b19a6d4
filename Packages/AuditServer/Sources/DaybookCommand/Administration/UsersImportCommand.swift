import ArgumentParser
import AuditArchives
import AuditHTTP
import AuditModel
import Foundation
import PostgreSQLStore
import SQLiteStore

/// `daybook users import`: brings the users of a data folder into a database that servers share.
struct UsersImportCommand: AsyncParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "import",
            abstract: "Brings the users of a data folder into PostgreSQL.",
            discussion: """
                For a server that kept its users in its data folder and moves to PostgreSQL. Users with passwords, removed \
                users, sessions and issued tokens are copied with their ids, so that nobody needs a new password and \
                every device stays signed in; what the database has already stays. The folder keeps its accounts, and accounts.sqlite.imported is a copy of what \
                was imported, with which the server's next start does not speak of it again; one that is there is not \
                overwritten. Nothing is asked of a server; run it where the folder is.

                  daybook users import --data daybook-data \\
                      --postgres 'postgresql://daybook@db1/audit'
                """
        )
    }

    @Option(help: "A server's configuration file, which names the folder and the database.", completion: .file())
    var config: String?

    @Option(help: "The data folder; daybook-data by default.", completion: .directory)
    var data: String?

    @Option(help: ArgumentHelp("The address of the database, without a password.", valueName: "address"))
    var postgres: String?

    @Flag(help: "Write the result as one JSON object.")
    var json = false

    private struct Result: Encodable {
        let users: Int
        let leftOut: Int
        let removedUsers: Int
        let tokens: Int
        let sessions: Int
    }

    func run() async throws {
        let file = try await config.asyncMap { try await ConfigurationFile(path: $0) }
        guard let database = postgres.map({ PostgreSQLConfiguration(address: $0) }) ?? file?.postgres else {
            throw ValidationError("Say which database: --postgres ADDRESS, or --config FILE that names one.")
        }
        let folder = data ?? file?.data ?? "daybook-data"
        let path = "\(folder)/accounts.sqlite"
        // LIVE: the outermost layer, which names files of this machine.
        guard FileManager.default.fileExists(atPath: path) else { throw CommandError.missingFile(path) }
        let copy = try DataFolder(folder).importedAccountsPath
        guard !PrivateFile.exists(copy) else {
            let reason = "there is one, of an import before; move it away to import again"
            throw CommandError.unwritable(path: copy, reason: reason)
        }
        let copied = try await SQLiteAccountStore(path: path).copy(to: PostgreSQLAccountStore(database))
        try DataFolder(folder).copyAccounts(to: copy)
        if json {
            let result = Result(
                users: copied.users,
                leftOut: copied.leftOut,
                removedUsers: copied.removedUsers,
                tokens: copied.tokens,
                sessions: copied.sessions
            )
            return StandardOutput.write(try EventLine.lines([result]))
        }
        StandardOutput.write(
            """
            \(copied.users) users, \(copied.removedUsers) removed users, \(copied.sessions) sessions and \
            \(copied.tokens) tokens imported

            """
        )
        if copied.leftOut > 0 {
            StandardOutput.remark("\(copied.leftOut) users were left out: the database has their addresses already.")
        }
    }
}

extension Optional {
    /// Transforms the value, if there is one.
    fileprivate func asyncMap<Result>(_ transform: (Wrapped) async throws -> Result) async rethrows -> Result? {
        switch self {
        case .some(let wrapped): try await transform(wrapped)
        case .none: nil
        }
    }
}
