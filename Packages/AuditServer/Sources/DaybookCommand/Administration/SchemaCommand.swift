import ArgumentParser
import AuditArchives
import AuditHTTP
import AuditModel

/// `daybook schema`: shows the collections of apps, and adds columns to one.
struct SchemaCommand: AsyncParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "schema",
            abstract: "Shows what events and realms are made of, and adds columns and classes.",
            discussion: """
                Each app has a collection AuditEvent of its own. Without Development Mode an administrator creates it \
                and adds metadata columns, before the app uses them:

                  daybook schema --server URL --token-file auditor.token
                  daybook schema add --server URL --token-file administrator.token \\
                      --app ward-app userId shift

                What the realms of an app hold are its classes: daybook schema classes.
                """,
            subcommands: [SchemaShowCommand.self, SchemaAddCommand.self, ClassesCommand.self],
            defaultSubcommand: SchemaShowCommand.self
        )
    }
}

/// `daybook schema show`, which is `daybook schema`: shows the fields of the events.
struct SchemaShowCommand: AsyncParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "show",
            abstract: "Shows the fields of AuditEvent; the default.",
            discussion: """
                  daybook schema show --server URL --token-file auditor.token
                """
        )
    }

    @OptionGroup var source: SourceOptions

    @Option(help: "Only the collection of this app.")
    var app: String?

    @Flag(help: "Write one JSON object for each app instead of a table.")
    var json = false

    func run() async throws {
        let all = try await source.archive().schemas()
        let schemas = app.map { app in all.filter { $0.app == app } } ?? all
        if let app, schemas.isEmpty { throw CommandError.missingCollection(app: app) }
        if json { return StandardOutput.write(try EventLine.lines(schemas)) }
        StandardOutput.write(schemas.map(\.table).joined(separator: "\n"))
    }
}

/// `daybook schema add`: creates the collection of an app, and adds metadata columns.
struct SchemaAddCommand: AsyncParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "add",
            abstract: "Creates the collection of an app if there is none, and adds metadata columns.",
            discussion: """
                Columns that are there stay. None can be removed, because events have them.

                  daybook schema add --server URL --token-file administrator.token \\
                      --app ward-app userId shift
                """
        )
    }

    @OptionGroup var server: ServerOptions

    @Option(help: "The app whose collection it is.")
    var app: String

    @Argument(help: "The names of the columns; without any, only the collection is created.")
    var columns: [String] = []

    @Flag(help: "Write the collection as one JSON object instead of a table.")
    var json = false

    private struct Extension: Encodable {
        let metadataColumns: [String]
    }

    func run() async throws {
        let remote = try server.remote()
        let answer = try await remote.change("POST", "apps/\(app)/schema", Extension(metadataColumns: columns))
        let schema = try remote.decode(EventSchema.self, from: answer)
        if json { return StandardOutput.write(try EventLine.lines([schema])) }
        StandardOutput.write(schema.table)
    }
}

extension EventSchema {
    /// A row for each field, below the name of the app.
    var table: String {
        let rows = fields.map { field in
            "\(field.type.padded(to: 10))\(field.required ? "required" : "optional")  \(PlainText.cut(field.name, 100))\n"
        }
        return (app.map { "\(collection) of \($0)\n" } ?? "") + rows.joined()
    }
}

extension String {
    func padded(to width: Int) -> String {
        self + String(repeating: " ", count: max(1, width - count))
    }
}
