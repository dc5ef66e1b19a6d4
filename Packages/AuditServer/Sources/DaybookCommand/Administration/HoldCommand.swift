import ArgumentParser
import AuditArchives
import AuditHTTP
import AuditModel

/// `daybook hold`: places, lists and lifts legal holds.
struct HoldCommand: AsyncParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "hold",
            abstract: "Places, lists and lifts legal holds.",
            discussion: """
                While a hold holds, nothing that it keeps is erased or expires:

                  daybook hold add --server URL --token-file administrator.token \\
                      --class Patient --key p-17 --reason "Case 4711" "Patient 17"
                """,
            subcommands: [HoldAddCommand.self, HoldListCommand.self, HoldLiftCommand.self]
        )
    }
}

/// `daybook hold add`.
struct HoldAddCommand: AsyncParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "add",
            abstract: "Places a hold.",
            discussion: """
                  daybook hold add --server URL --token-file administrator.token \\
                      --person nurse1 --since 2026-01-01 --reason "Case 4711" "Nurse 1"
                """
        )
    }

    @OptionGroup var server: ServerOptions
    @OptionGroup(title: "Which events") var events: KeepingOptions

    @Option(help: "Why; it is recorded.")
    var reason: String

    @Argument(help: "What to call it.")
    var name: String

    @Flag(help: "Write the hold as one JSON object.")
    var json = false

    private struct Order: Encodable {
        let name: String
        let reason: String
        let filter: KeepingFilter
    }

    func run() async throws {
        let remote = try server.remote()
        let order = Order(name: name, reason: reason, filter: try events.filter())
        let hold = try remote.decode(LegalHold.self, from: try await remote.change("POST", "holds", order))
        if json { return StandardOutput.write(try EventLine.lines([hold])) }
        StandardOutput.write(hold.row)
    }
}

/// `daybook hold list`.
struct HoldListCommand: AsyncParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "list",
            abstract: "Lists all holds, also those that were lifted.",
            discussion: """
                  daybook hold list --server URL --token-file auditor.token
                """
        )
    }

    @OptionGroup var server: ServerOptions

    @Flag(help: "Write one JSON object per line instead of a table.")
    var json = false

    func run() async throws {
        let holds = try await server.remote().list(LegalHold.self, "holds")
        if json { return StandardOutput.write(try EventLine.lines(holds)) }
        StandardOutput.write(holds.map(\.row).joined())
    }
}

/// `daybook hold lift`.
struct HoldLiftCommand: AsyncParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "lift",
            abstract: "Lifts a hold: what it kept may be erased and expire again.",
            discussion: """
                  daybook hold lift --server URL --token-file administrator.token \\
                      --reason "Settled" 1
                """
        )
    }

    @OptionGroup var server: ServerOptions

    @Option(help: "Why; it is recorded.")
    var reason: String

    @Argument(help: "The number of the hold, from the list.")
    var number: Int64

    @Flag(help: "Write the hold as one JSON object.")
    var json = false

    func run() async throws {
        let remote = try server.remote()
        let answer = try await remote.change("POST", "holds/\(number)/lift", ["reason": reason])
        let hold = try remote.decode(LegalHold.self, from: answer)
        if json { return StandardOutput.write(try EventLine.lines([hold])) }
        StandardOutput.write(hold.row)
    }
}

extension LegalHold {
    /// A line for people.
    fileprivate var row: String {
        let state = lifted.map { "lifted \($0.at)" } ?? "holds since \(placed.at)"
        return "\(number)  \(state)  \(PlainText.cut(name, 60))  \(PlainText.cut(placed.reason, 60))\n"
    }
}
