import ArgumentParser
import AuditArchives
import AuditHTTP
import AuditModel

/// `daybook show`: shows one event.
struct ShowCommand: AsyncParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "show",
            abstract: "Shows one event: what was seen or changed, by whom, and whether that is proven.",
            discussion: """
                An event is named by its id, which daybook events lists, or by its place: PARTITION/NUMBER.

                  daybook show 5f1b0c2ee4b0a1b2c3d4e5f6 --files ./ward
                  daybook show ward-5f1b0c2ee4b0a1b2c3d4e5f6/12 \\
                      --server URL --token-file auditor.token

                Lines that begin with - were there before a write, and those with + after it. The proof is computed here, \
                from the event to the root that the device signed. Ends with 1 when it does not hold.
                """
        )
    }

    @OptionGroup var source: SourceOptions

    @Argument(help: ArgumentHelp("The id, 24 hex digits, or PARTITION/NUMBER.", valueName: "event"))
    var event: EventReference

    @Flag(help: "Write the event with its proof as one JSON object.")
    var json = false

    func run() async throws {
        let shown = try await source.archive().event(event)
        if json {
            StandardOutput.write(try EventLine.lines([shown]))
        } else {
            StandardOutput.write(EventSheet(style: .standardOutput).text(of: shown))
        }
        if shown.verdict == .broken { throw ExitCode(1) }
    }
}
