import ArgumentParser
import AuditServer

/// `daybook events`: lists events.
struct EventsCommand: AsyncParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "events",
            abstract: "Lists events, the oldest partition first and each partition in its own order.",
            discussion: """
                With --json, each event is one line: the fields of AuditEvent by their names, metadata keys beside them, \
                and what Daybook adds under the key "daybook".
                """
        )
    }

    @OptionGroup var source: SourceOptions
    @OptionGroup var filter: FilterOptions

    @Flag(help: "Write one JSON object per line instead of a table.")
    var json = false

    func run() async throws {
        let archive = try source.archive()
        let filter = try filter.filter()
        var output = BufferedOutput()
        var isFirst = true
        do {
            try await archive.events(filter) { line in
                if json { return output.append(try EventLine.lines([line])) }
                if isFirst { output.append(EventTable.header) }
                isFirst = false
                output.append(EventTable.row(line))
            }
        } catch {
            // What was read before the error is the reader's all the same.
            output.flush()
            throw error
        }
        output.flush()
    }
}
