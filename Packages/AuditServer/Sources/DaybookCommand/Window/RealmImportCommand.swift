import ArgumentParser
import AuditArchives
import Foundation
import RealmWindow

/// `daybook realm import`: puts objects into a realm file, or makes one of a file of Realm.
struct RealmImportCommand: AsyncParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "import",
            abstract: "Puts the objects of an export into a realm file, or makes one of a file of Realm.",
            discussion: """
                Lines of an export go into a file that has the classes, in one transaction or not at all: an object whose \
                primary key is there already gets the values of its line, every other one is new. A file that keeps its \
                changes for a server is not written to.

                  daybook realm import patients.jsonl --into copy.realm

                A .realm file of Realm, the original of the library, becomes a new file with all that it has. Both are \
                compared, class by class; the old one is left as it is.

                  daybook realm import default.realm --into ward.realm
                """
        )
    }

    @Argument(
        help: ArgumentHelp("The lines that export wrote, or a file of Realm.", valueName: "source"),
        completion: .file()
    )
    var source: String

    @Option(
        help: ArgumentHelp("The realm file to write to.", valueName: "file"),
        completion: .file(extensions: ["realm"])
    )
    var into: String

    @Flag(help: "Write the counts of imported lines as one JSON object.")
    var json = false

    @OptionGroup var options: RealmFileOptions

    func run() async throws {
        try await Interruption.ending {
            // The realm belongs to the thread of this call.
            if RealmWindow.isOriginal(URL(fileURLWithPath: source)) { try convert() } else { try put() }
        }
    }

    private func convert() throws {
        let report = try RealmWindow.importOriginal(
            from: URL(fileURLWithPath: source),
            into: URL(fileURLWithPath: into),
            encryptionKey: try options.key()
        ) { step, done, total in
            StandardOutput.progress("\(done) of \(total) objects \(step)")
        }
        StandardOutput.progress("")
        StandardOutput.write("\(report)\n")
    }

    private func put() throws {
        guard !RealmWindow.isRealm(URL(fileURLWithPath: source)) else {
            let reason = "it is a realm file; write its lines first: daybook realm export '\(source)' --to LINES.jsonl"
            throw CommandError.unreadable(path: source, reason: reason)
        }
        let lines = try TextLines(source)
        let window = try options.window(into, isWritable: true)
        let counts = try window.importLines(from: lines.next)
        if json {
            let entries = counts.sorted { $0.key < $1.key }.map { WindowValue.Entry($0.key, .int($0.value)) }
            return StandardOutput.write(WindowValue.object(entries).json + "\n")
        }
        for (name, count) in counts.sorted(by: { $0.key < $1.key }) {
            StandardOutput.write("\(name)  \(count) object\(count == 1 ? "" : "s")\n")
        }
        if counts.isEmpty { StandardOutput.write("There was no object in \(source).\n") }
    }
}
