import ArgumentParser
import AuditArchives
import AuditModel
import ChangeModel
import EventModel
import Foundation

/// `daybook schema classes`: shows the classes of an app's realms, and adds some.
struct ClassesCommand: AsyncParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "classes",
            abstract: "Shows the classes of an app's realms, or adds classes and properties.",
            discussion: """
                In Development Mode devices add what they declare. Outside of it an administrator adds it, before the new \
                version of the app is given out; the file is what a server in Development Mode shows:

                  daybook schema classes --server TEST --token-file auditor.token \\
                      --app ward-app --json > ward.json
                  daybook schema classes add ward.json --server URL \\
                      --token-file administrator.token --app ward-app
                """,
            subcommands: [ClassesShowCommand.self, ClassesAddCommand.self],
            defaultSubcommand: ClassesShowCommand.self
        )
    }
}

/// `daybook schema classes show`, which is `daybook schema classes`: shows the classes.
struct ClassesShowCommand: AsyncParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "show",
            abstract: "Shows the classes of an app's realms; the default.",
            discussion: """
                  daybook schema classes show --server URL --token-file auditor.token \\
                      --app ward-app
                """
        )
    }

    @OptionGroup var server: ServerOptions

    @Option(help: "The app whose classes they are.")
    var app: String

    @Flag(help: "Write the classes as JSON, as classes add reads them.")
    var json = false

    func run() async throws {
        let schema = try await AppClasses(server: server.remote(), app: app).schema()
        StandardOutput.write(json ? try schema.json : schema.table)
        if schema.classes.isEmpty {
            StandardOutput.remark(
                "The realms of '\(app)' hold no classes: no device declared any, and nobody added any."
            )
        }
    }
}

/// `daybook schema classes add`: adds the classes and properties of a file that the app lacks.
struct ClassesAddCommand: AsyncParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "add",
            abstract: "Adds the classes and properties of a file to an app's realms.",
            discussion: """
                What is there stays, also what the file does not have, and nothing can be removed or changed: devices \
                have it. So look first what would be added:

                  daybook schema classes add ward.json --check --server URL \\
                      --token-file administrator.token --app ward-app

                A file that contradicts what is there adds nothing.
                """
        )
    }

    @OptionGroup var server: ServerOptions

    @Option(help: "The app whose classes they are.")
    var app: String

    @Argument(help: "The JSON that schema classes --json writes.", completion: .file())
    var file: String

    @Flag(help: "Only show what would be added.")
    var check = false

    @Flag(help: "Write what is added as one JSON object.")
    var json = false

    func run() async throws {
        let wanted = try SyncSchema(path: file)
        let classes = AppClasses(server: try server.remote(), app: app)
        let added = try await classes.missing(of: wanted)
        if !check { try await classes.add(wanted) }
        if json { return StandardOutput.write(try EventLine.lines([added])) }
        StandardOutput.write(added.text(isAdded: !check))
    }
}

/// The classes of an app on a server.
struct AppClasses {
    /// What a file has that the app lacks.
    struct Missing: Encodable, Equatable {
        let classes: [String]
        let properties: [String]

        /// A line for each, and one with their number.
        func text(isAdded: Bool) -> String {
            let lines =
                classes.map { "class     \(PlainText.cut($0, 100))\n" }
                + properties.map { "property  \(PlainText.cut($0, 200))\n" }
            let counts = """
                \(classes.count) \(classes.count == 1 ? "class" : "classes") and \
                \(properties.count) \(properties.count == 1 ? "property" : "properties")
                """
            return lines.joined() + (isAdded ? "\(counts) added\n" : "\(counts) would be added\n")
        }
    }

    let server: RemoteServer
    let app: String

    private var path: String { "apps/\(app)/classes" }

    /// Returns the classes; none for an app of which nobody told any.
    func schema() async throws -> SyncSchema {
        try server.decode(SyncSchema.self, from: try await server.get(path).body)
    }

    /// Returns what the app lacks.
    ///
    /// - Throws: `CommandError.contradicted(_:)` when a schema cannot have both.
    func missing(of wanted: SyncSchema) async throws -> Missing {
        let difference = SchemaDifference(from: try await schema(), to: wanted)
        guard difference.isAdditive else {
            // A device may have named what is there.
            throw CommandError.contradicted(difference.contradictions.map { PlainText.cut($0, 300) })
        }
        return Missing(
            classes: difference.classes.map(\.string),
            properties: difference.properties.map(\.string)
        )
    }

    /// Adds what the app lacks.
    func add(_ wanted: SyncSchema) async throws { _ = try await server.change("POST", path, wanted) }
}

extension SyncSchema {
    /// Reads a file that ``json`` wrote.
    ///
    /// - Throws: `CommandError.missingFile(_:)` and `CommandError.unreadable(path:reason:)`.
    init(path: String) throws {
        // LIVE: the outermost layer, which reads files of this machine.
        guard let bytes = FileManager.default.contents(atPath: path) else { throw CommandError.missingFile(path) }
        do {
            self = try JSONDecoder().decode(SyncSchema.self, from: bytes)
        } catch let error as DecodingError {
            let (key, reason) = error.place
            var words = reason
            if case .dataCorrupted(let context) = error { words = context.debugDescription }
            throw CommandError.unreadable(path: path, reason: "\(key): \(words)")
        }
    }

    /// The classes as JSON for people and files: a line for each value, the same for the same classes.
    var json: String {
        get throws {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
            return String(decoding: try encoder.encode(self), as: UTF8.self) + "\n"
        }
    }

    /// A line for each class, and below it one for each property.
    var table: String {
        classes.values.sorted { $0.name < $1.name }.map(\.table).joined(separator: "\n")
    }
}

extension SyncSchema.Class {
    fileprivate var table: String {
        let kind = isEmbedded ? "  embedded" : isAsymmetric ? "  asymmetric" : ""
        let rows = properties.sorted { $0.key < $1.key }
            .map { name, property in
                "  \(PlainText.cut(name.string, 100).padded(to: 24))\(PlainText.cut("\(property)", 100))\n"
            }
        return "\(PlainText.cut(name.string, 100))\(kind)\n" + rows.joined()
    }
}
