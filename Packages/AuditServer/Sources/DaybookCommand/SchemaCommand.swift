import ArgumentParser
import AuditServer

/// `daybook schema`: shows the fields of the events.
struct SchemaCommand: AsyncParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "schema",
            abstract: "Shows the fields of AuditEvent, with the metadata columns."
        )
    }

    @OptionGroup var source: SourceOptions

    @Flag(help: "Write one JSON object instead of a table.")
    var json = false

    func run() async throws {
        let schema = try await source.archive().schema()
        if json { return StandardOutput.write(try EventLine.lines([schema])) }
        let rows = schema.fields.map { field in
            "\(field.type.padded(to: 10))\(field.required ? "required" : "optional")  \(EventTable.cut(field.name, 100))\n"
        }
        StandardOutput.write(rows.joined())
    }
}

extension String {
    fileprivate func padded(to width: Int) -> String {
        self + String(repeating: " ", count: max(1, width - count))
    }
}
