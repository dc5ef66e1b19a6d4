import ArgumentParser
import AuditServer
import Foundation

/// `daybook export`: writes exactly the filtered events to a file.
struct ExportCommand: AsyncParsableCommand {
    enum Format: String, ExpressibleByArgument, CaseIterable {
        case jsonl, csv
    }

    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "export",
            abstract: "Writes exactly the events that fit the filters to a file.",
            discussion: "The file appears under its name when it is complete, and replaces an older one."
        )
    }

    @OptionGroup var source: SourceOptions
    @OptionGroup var filter: FilterOptions

    @Option(help: ArgumentHelp("The file to write.", valueName: "file"))
    var out: String

    @Option(help: "jsonl for one JSON object per line, or csv.")
    var format = Format.jsonl

    @Flag(help: "Write the result as one JSON object.")
    var json = false

    private struct Result: Encodable {
        let events: Int
        let out: String
    }

    func run() async throws {
        let archive = try source.archive()
        let filter = try filter.filter()
        let file = try ExportFile(out)
        var count = 0
        switch format {
        case .jsonl:
            try await archive.events(filter) { line in
                try file.write(EventLine.lines([line]))
                count += 1
            }
        case .csv:
            let table = EventCSV(columns: EventSchema.allColumns(of: try await archive.schemas()))
            try file.write(Array(table.header.utf8))
            try await archive.events(filter) { line in
                try file.write(Array(table.row(line).utf8))
                count += 1
            }
        }
        try file.finish()
        if json { return StandardOutput.write(try EventLine.lines([Result(events: count, out: out)])) }
        StandardOutput.write("\(count) events exported to \(out)\n")
    }
}
