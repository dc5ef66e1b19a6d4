import ArgumentParser
import AuditArchives
import AuditHTTP
import AuditModel

/// `daybook users`: lists, adds and removes users with passwords, gives them new ones, and ends sessions.
struct UsersCommand: AsyncParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "users",
            abstract: "Lists, adds and removes users with passwords, gives them new ones, and ends sessions.",
            discussion: """
                A password is never an argument, because everybody on this machine could read it: it is asked for, \
                or read from the first line of stdin when that is no terminal.

                  daybook users add --server URL --token-file administrator.token \\
                      --app ward-app nurse@ward.example
                """,
            subcommands: [
                UsersListCommand.self, UsersAddCommand.self, UsersPasswordCommand.self, UsersRemoveCommand.self,
                UsersSessionsCommand.self, UsersSignOutCommand.self, UsersImportCommand.self,
            ]
        )
    }
}

/// The app whose users a command is about, and its server.
struct UserOptions: ParsableArguments {
    @OptionGroup var server: ServerOptions

    @Option(help: "The app whose users they are.")
    var app: String

    /// Opens the list of users.
    ///
    /// - Throws: `CommandError` when the options name no server, or no token.
    func directory() throws -> UserDirectory { UserDirectory(server: try server.remote(), app: app) }
}

/// `daybook users list`.
struct UsersListCommand: AsyncParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "list",
            abstract: "Lists users with passwords, by address.",
            discussion: """
                  daybook users list --server URL --token-file administrator.token \\
                      --app ward-app
                """
        )
    }

    @OptionGroup var options: UserOptions

    @Flag(help: "Write one JSON object per line instead of a table.")
    var json = false

    func run() async throws {
        let users = try await options.directory().users()
        if json { return StandardOutput.write(try EventLine.lines(users)) }
        StandardOutput.write(users.map { "\($0.userID)  \(PlainText.cut($0.email, 254))\n" }.joined())
    }
}

/// `daybook users add`.
struct UsersAddCommand: AsyncParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "add",
            abstract: "Adds a user; asks for the password.",
            discussion: """
                  daybook users add --server URL --token-file administrator.token \\
                      --app ward-app nurse@ward.example
                """
        )
    }

    @OptionGroup var options: UserOptions

    @Argument(help: "The e-mail address.")
    var email: String

    @Flag(help: "Write the user as one JSON object.")
    var json = false

    func run() async throws {
        let directory = try options.directory()
        let id = try await directory.add(email, password: PasswordInput.read())
        if json { return StandardOutput.write(try EventLine.lines([ListedUser(userID: id, email: email)])) }
        StandardOutput.write("\(id)\n")
    }
}

/// `daybook users password`.
struct UsersPasswordCommand: AsyncParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "password",
            abstract: "Gives a user a new password; asks for it.",
            discussion: """
                All sessions of the user end, so that every device asks for the new password.

                  daybook users password --server URL --token-file administrator.token \\
                      --app ward-app nurse@ward.example
                """
        )
    }

    @OptionGroup var options: UserOptions

    @Argument(help: "The e-mail address.")
    var email: String

    @Flag(help: "Write the result as one JSON object.")
    var json = false

    func run() async throws {
        let directory = try options.directory()
        try await directory.setPassword(PasswordInput.read(), of: email)
        if json { return StandardOutput.write(try EventLine.lines([["changed": email]])) }
        StandardOutput.write("The password of \(email) is changed.\n")
    }
}

/// `daybook users remove`.
struct UsersRemoveCommand: AsyncParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "remove",
            abstract: "Removes a user for good.",
            discussion: """
                The user never signs in again, by no provider; a user without a password is named by id. Events of the \
                user stay.

                  daybook users remove --server URL --token-file administrator.token \\
                      --app ward-app nurse@ward.example
                """
        )
    }

    @OptionGroup var options: UserOptions

    @Argument(help: "The id or the e-mail address.")
    var user: String

    @Flag(help: "Write the result as one JSON object.")
    var json = false

    func run() async throws {
        let id = try await options.directory().remove(user)
        if json { return StandardOutput.write(try EventLine.lines([["removed": id]])) }
        StandardOutput.write("User \(id) is removed.\n")
    }
}
