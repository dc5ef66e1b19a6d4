import ArgumentParser
import AuditArchives
import Foundation
import RealmWindow

/// `daybook realm import`: puts objects into a realm file.
struct RealmImportCommand: AsyncParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "import",
            abstract: "Puts the objects of an export into a realm file.",
            discussion: """
                The file must have the classes. All lines are written in one transaction, or none: an object whose primary \
                key is there already gets the values of its line, every other one is new. A file that keeps its changes for \
                a server is not written to.

                  daybook realm import patients.jsonl --into copy.realm
                """
        )
    }

    @Argument(help: ArgumentHelp("The lines that export wrote.", valueName: "lines"), completion: .file())
    var lines: String

    @Option(help: ArgumentHelp("The realm file to write to.", valueName: "file"), completion: .file(extensions: ["realm"]))
    var into: String

    @Flag(help: "Write the counts as one JSON object.")
    var json = false

    @OptionGroup var options: RealmFileOptions

    func run() async throws { try put() }

    private func put() throws {
        let source = try TextLines(lines)
        let window = try options.window(into, isWritable: true)
        let counts = try window.importLines(source)
        if let error = source.error { throw CommandError.unreadable(path: lines, reason: error) }
        if json {
            let entries = counts.sorted { $0.key < $1.key }.map { WindowValue.Entry($0.key, .int($0.value)) }
            return StandardOutput.write(WindowValue.object(entries).json + "\n")
        }
        for (name, count) in counts.sorted(by: { $0.key < $1.key }) {
            StandardOutput.write("\(name)  \(count) object\(count == 1 ? "" : "s")\n")
        }
        if counts.isEmpty { StandardOutput.write("There was no object in \(lines).\n") }
    }
}
