import ArgumentParser
import AuditArchives
import AuditHTTP
import AuditModel
import Foundation

/// `daybook token`: issues, lists and revokes tokens of auditors, reviewers and administrators.
struct TokenCommand: AsyncParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "token",
            abstract: "Issues, lists and revokes tokens of auditors, reviewers and administrators.",
            discussion: """
                Give everybody who reads or administers a token of their own:

                  daybook token issue --server URL --token-file administrator.token \\
                      --role auditor --app ward-app --days 30 --out adams.token "Dr. Adams"
                """,
            subcommands: [TokenIssueCommand.self, TokenListCommand.self, TokenRevokeCommand.self]
        )
    }
}

/// `daybook token issue`.
struct TokenIssueCommand: AsyncParsableCommand {
    enum Role: String, ExpressibleByArgument, CaseIterable {
        case auditor, reviewer, administrator
    }

    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "issue",
            abstract: "Issues a token, which is shown this once.",
            discussion: """
                An auditor reads events; with --app only events of these apps. A reviewer is an auditor who may also \
                see masked values, with a reason, and sign off reviews. An administrator manages users, schemas and \
                tokens, and reads no event.

                  daybook token issue --server URL --token-file administrator.token \\
                      --role reviewer --out adams.token "Dr. Adams"
                """
        )
    }

    @OptionGroup var server: ServerOptions

    @Option(help: "auditor, reviewer or administrator.")
    var role = Role.auditor

    @Option(
        parsing: .singleValue,
        help: "An app that an auditor or a reviewer may read; may be given several times; all by default."
    )
    var app: [String] = []

    @Option(help: "How many days the token is good for, 1 to 365.")
    var days = 30

    @Option(
        help: ArgumentHelp("Write the token to this new file, which only you can read.", valueName: "file"),
        completion: .file()
    )
    var out: String?

    @Argument(help: "Whom or what it is for.")
    var name: String

    @Flag(help: "Write the id, the token and its end as one JSON object.")
    var json = false

    private struct Order: Encodable {
        let role: String
        let name: String
        let apps: [String]?
        let days: Int
    }

    private struct Issued: Codable {
        let id: String
        var token: String?
        let expires: String
    }

    func validate() throws {
        guard role != .administrator || app.isEmpty else {
            throw ValidationError("An administrator is one of all apps: --app is for auditors and reviewers.")
        }
    }

    func run() async throws {
        let remote = try server.remote()
        // Looked at before a token is issued that would then be nowhere.
        if let out, PrivateFile.exists(out) {
            throw CommandError.unwritable(
                path: out,
                reason: "there is something already, and a token may be lost by it"
            )
        }
        let order = Order(role: role.rawValue, name: name, apps: app.isEmpty ? nil : app, days: days)
        var issued = try remote.decode(Issued.self, from: try await remote.change("POST", "tokens", order))
        if let out, let token = issued.token {
            do {
                try PrivateFile.write(Array("\(token)\n".utf8), to: out, replacing: false)
            } catch {
                StandardOutput.remark("Token \(issued.id) was issued and is nowhere: revoke it.")
                throw error
            }
            issued.token = nil
        }
        if json { return StandardOutput.write(try EventLine.lines([issued])) }
        StandardOutput.remark("Token \(issued.id) is good until \(issued.expires).")
        if let token = issued.token { StandardOutput.write("\(token)\n") }
    }
}

/// `daybook token list`.
struct TokenListCommand: AsyncParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "list",
            abstract: "Lists the tokens that were issued, the oldest first, without the tokens themselves.",
            discussion: """
                  daybook token list --server URL --token-file administrator.token
                """
        )
    }

    @OptionGroup var server: ServerOptions

    @Flag(help: "Write one JSON object per line instead of a table.")
    var json = false

    func run() async throws {
        let tokens = try await server.remote().list(IssuedTokenLine.self, "tokens")
        if json { return StandardOutput.write(try EventLine.lines(tokens)) }
        let rows = tokens.map { token in
            let role = token.apps.map { "\(token.role) of \($0.joined(separator: ", "))" } ?? token.role
            let end = token.revoked.map { "revoked \($0)" } ?? "until \(token.expires)"
            return "\(token.id)  \(end)  \(PlainText.cut(role, 60))  \(PlainText.cut(token.name, 60))\n"
        }
        StandardOutput.write(rows.joined())
    }
}

/// `daybook token revoke`.
struct TokenRevokeCommand: AsyncParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "revoke",
            abstract: "Revokes a token: from now on it is not accepted.",
            discussion: """
                  daybook token revoke --server URL --token-file administrator.token \\
                      5f1b0c2ee4b0a1b2c3d4e5f6
                """
        )
    }

    @OptionGroup var server: ServerOptions

    @Argument(help: "The id of the token, from the list.")
    var id: String

    @Flag(help: "Write the result as one JSON object.")
    var json = false

    func run() async throws {
        try await server.remote().change("DELETE", "tokens/\(id)")
        if json { return StandardOutput.write(try EventLine.lines([["revoked": id]])) }
        StandardOutput.write("Token \(id) is revoked.\n")
    }
}
