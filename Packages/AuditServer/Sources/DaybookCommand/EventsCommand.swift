import ArgumentParser
import AuditArchives

/// `daybook events`: lists events.
struct EventsCommand: AsyncParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "events",
            abstract: "Lists events, the oldest partition first and each partition in its own order.",
            discussion: """
                Who changed the patient p1 today:

                  daybook events --files ./ward --class Patient --key p1 \\
                      --event write --since 2026-01-31

                What happens from now on, as it arrives:

                  daybook events --server URL --token-file auditor.token --since now --follow

                With --json, each event is one line: the fields of AuditEvent by their names, metadata keys beside them, \
                and what Daybook adds under the key "daybook". daybook show ID shows one event in full.
                """
        )
    }

    @OptionGroup var source: SourceOptions
    @OptionGroup var filter: FilterOptions

    @Flag(help: "Go on with events as they arrive, until Control-C.")
    var follow = false

    @Flag(help: "Write one JSON object per line instead of a table.")
    var json = false

    func validate() throws {
        try filter.checkSource(isServer: source.server != nil)
    }

    func run() async throws {
        let archive = try source.archive()
        let filter = try filter.filter()
        let printer = EventPrinter(isJSON: json)
        guard follow else {
            // What was read before an error is the reader's all the same.
            defer { printer.flush() }
            return try await archive.events(filter) { try printer.write($0) }
        }
        let follower = archive.follower(filter)
        try await Interruption.ending {
            try await FollowLoop()
                .run(follower, { try printer.write($0) }, batch: { printer.flush() }, report: StandardOutput.remark)
        }
    }
}
