import ArgumentParser
import AuditArchives
import Foundation
import RealmWindow

/// `daybook realm export`: writes the objects of a realm file as lines of JSON.
struct RealmExportCommand: AsyncParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "export",
            abstract: "Writes the objects of a realm file as lines of JSON.",
            discussion: """
                Each line is an object with its embedded ones; links name the class and the primary key. Import takes the \
                lines back without a difference. A file that is made belongs to you alone.

                  daybook realm export ward.realm --to ward.jsonl
                  daybook realm export ward.realm Patient --where "age > 3" | jq .object
                """
        )
    }

    @Argument(help: ArgumentHelp("The realm file.", valueName: "file"), completion: .file(extensions: ["realm"]))
    var file: String

    @Argument(help: ArgumentHelp("The stored name of a class; all of them by default.", valueName: "class"))
    var className: String?

    @Option(name: .customLong("where"), help: "Only objects that fulfil this condition, such as \"age > 3\".")
    var condition: String?

    @Option(help: ArgumentHelp("The file to make; stdout by default.", valueName: "file"), completion: .file())
    var to: String?

    @OptionGroup var options: RealmFileOptions

    func validate() throws {
        guard className != nil || condition == nil else { throw ValidationError("--where needs a class.") }
    }

    func run() async throws { try export() }

    private func export() throws {
        let window = try options.window(file)
        guard let to else {
            var output = BufferedOutput()
            defer { output.flush() }
            _ = try write(window) { output.append($0) }
            return
        }
        let file = try NewTextFile(to)
        let count = try write(window) { line throws in try file.append(line) }
        try file.finish()
        StandardOutput.write("\(count) object\(count == 1 ? "" : "s") written to \(to).\n")
    }

    /// Writes the objects of the classes that are meant.
    ///
    /// - Returns: How many.
    private func write(_ window: RealmWindow, _ append: (String) throws -> Void) throws -> Int {
        let names = try className.map { [$0] } ?? window.classes().filter { !$0.isEmbedded }.map(\.name)
        var count = 0
        for name in names {
            try window.forEachObject(of: RealmWindow.Selection(name, where: condition)) { object in
                try append(object.line)
                count += 1
            }
        }
        return count
    }
}
