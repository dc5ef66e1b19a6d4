import ArgumentParser
import AuditAccounts
import AuditArchives
import AuditHTTP
import AuditModel

/// `daybook users sessions`.
struct UsersSessionsCommand: AsyncParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "sessions",
            abstract: "Lists the sessions of a user that have not ended, the oldest first.",
            discussion: """
                A user with an API key has one for each device, and is named by id.

                  daybook users sessions --server URL --token-file administrator.token \\
                      --app ward-app nurse@ward.example
                """
        )
    }

    @OptionGroup var options: UserOptions

    @Argument(help: "The id or the e-mail address.")
    var user: String

    @Flag(help: "Write one JSON object per line instead of a table.")
    var json = false

    func run() async throws {
        let sessions = try await options.directory().sessions(of: user)
        if json { return StandardOutput.write(try EventLine.lines(sessions)) }
        let rows = sessions.map { session in
            "\(session.id)  \(session.provider)  since \(session.began)  renewed \(session.renewed)"
                + "  from \(PlainText.cut(session.address, 64))\n"
        }
        StandardOutput.write(rows.joined())
    }
}

/// `daybook users sign-out`.
struct UsersSignOutCommand: AsyncParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "sign-out",
            abstract: "Ends the sessions of a user, or one of them.",
            discussion: """
                Their tokens are not accepted from then on. The user may sign in again, and what waits on devices is \
                uploaded then. An anonymous user cannot.

                  daybook users sign-out --server URL --token-file administrator.token \\
                      --app ward-app nurse@ward.example
                """
        )
    }

    @OptionGroup var options: UserOptions

    @Argument(help: "The id or the e-mail address.")
    var user: String

    @Option(help: "End this session alone, by its id from the list.")
    var session: String?

    @Flag(help: "Write the result as one JSON object.")
    var json = false

    func run() async throws {
        let count = try await options.directory().endSessions(of: user, only: session)
        if json { return StandardOutput.write(try EventLine.lines([["ended": count]])) }
        StandardOutput.write("\(count) \(count == 1 ? "session" : "sessions") of \(user) ended.\n")
    }
}
