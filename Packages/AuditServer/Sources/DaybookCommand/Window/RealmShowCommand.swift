import ArgumentParser
import AuditArchives
import Foundation
import RealmBrowser
import RealmWindow

/// `daybook realm show`: the classes of a realm file, or the objects of one.
struct RealmShowCommand: AsyncParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "show",
            abstract: "Shows the classes of a realm file, or the objects of one.",
            discussion: """
                The word show may be left out. Without a class it shows all of them with the count of their objects and their properties. With one it shows \
                its objects, in the order of the file or sorted. The condition is the query language of the library.

                  daybook realm show ward.realm
                  daybook realm ward.realm Patient --where "age > 3 AND name BEGINSWITH 'A'"
                  daybook realm ward.realm Patient --sort age --descending --limit 10 --json

                With --browse it prints an address for the browser of this machine, where all of it is shown and stays \
                up to date while a program writes. Whoever has the address may read the file. It ends with Control-C.

                  daybook realm ward.realm --browse
                """
        )
    }

    @Argument(help: ArgumentHelp("The realm file.", valueName: "file"), completion: .file(extensions: ["realm"]))
    var file: String

    @Argument(help: ArgumentHelp("The stored name of a class.", valueName: "class"))
    var className: String?

    @Option(name: .customLong("where"), help: "Only objects that fulfil this condition, such as \"age > 3\".")
    var condition: String?

    @Option(help: ArgumentHelp("Sort by this property.", valueName: "property"))
    var sort: String?

    @Flag(help: "The largest first.")
    var descending = false

    @Option(help: "How many objects at most; all by default.")
    var limit: Int?

    @Flag(help: "Write one JSON object per line instead of a table.")
    var json = false

    @Flag(help: "Show the file in the browser instead, until Control-C.")
    var browse = false

    @Option(help: ArgumentHelp("The port for --browse; any free one by default.", valueName: "port"))
    var port: Int?

    @OptionGroup var options: RealmFileOptions

    func validate() throws {
        guard (0...65_535).contains(port ?? 0) else { throw ValidationError("A port is a number from 0 to 65535.") }
        if port != nil, !browse { throw ValidationError("--port is the port of --browse.") }
        if browse, className != nil || json {
            throw ValidationError("--browse shows the whole file; choose and filter in the browser.")
        }
        if let limit, limit < 1 { throw ValidationError("--limit needs a number from 1 on.") }
        if descending, sort == nil { throw ValidationError("--descending needs a property to sort by: --sort.") }
        guard className != nil || (condition == nil && sort == nil && limit == nil) else {
            throw ValidationError("--where, --sort and --limit need a class.")
        }
    }

    func run() async throws {
        guard browse else { return try show() }
        let browser = try RealmBrowser(URL(fileURLWithPath: file), encryptionKey: try options.key(), port: port ?? 0)
        try await browser.run { address in StandardOutput.write("open \(address)\n") }
    }

    /// Shows what was asked for, on one thread, which a realm belongs to.
    private func show() throws {
        let window = try options.window(file)
        guard let className else { return try showClasses(window) }
        let selection = RealmWindow.Selection(
            className,
            where: condition,
            sortedBy: sort,
            isDescending: descending,
            limit: limit
        )
        var output = BufferedOutput()
        defer { output.flush() }
        if json { return try window.forEachObject(of: selection) { output.append($0.line) } }
        let found = try window.count(of: selection)
        let table = ObjectTable(try window.columns(of: className), .standardOutput)
        output.append(table.header)
        try window.forEachObject(of: selection) { output.append(table.row($0)) }
        let shown = min(found, limit ?? .max)
        output.append("\(shown) of \(found) object\(found == 1 ? "" : "s").\n")
    }

    private func showClasses(_ window: RealmWindow) throws {
        var output = BufferedOutput()
        defer { output.flush() }
        let classes = try window.classes()
        if json {
            for item in classes { output.append(item.line) }
            return
        }
        let style = TerminalStyle.standardOutput
        output.append(
            "Schema version \(window.schemaVersion), \(classes.count) class\(classes.count == 1 ? "" : "es").\n"
        )
        for item in classes {
            let kind = item.isEmbedded ? "embedded, " : ""
            let count = "\(kind)\(item.count) object\(item.count == 1 ? "" : "s")"
            output.append("\n\(style.strong(PlainText.cut(item.name, style.width)))  \(count)\n")
            for property in item.properties {
                let mark = property.isPrimaryKey ? ", primary key" : property.isIndexed ? ", indexed" : ""
                output.append("  \(PlainText.cut("\(property.name): \(property.type)\(mark)", style.width - 2))\n")
            }
        }
    }
}
