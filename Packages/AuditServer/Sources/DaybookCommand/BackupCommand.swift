import ArgumentParser
import AuditArchives
import AuditHTTP
import AuditModel

/// `daybook backup`: copies the data of a server.
struct BackupCommand: AsyncParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "backup",
            abstract: "Copies a server's databases and keys, also while it runs.",
            discussion: """
                To restore, stop the server, and start it with the copy as its data folder. Events that are in PostgreSQL \
                are backed up by PostgreSQL's own means.

                  daybook backup --data /srv/daybook --out /backup/2026-01-31
                """
        )
    }

    @Option(help: "The data folder of the server; daybook-data by default.", completion: .directory)
    var data = "daybook-data"

    @Option(help: ArgumentHelp("The folder to make, which must not exist.", valueName: "dir"), completion: .directory)
    var out: String

    @Flag(help: "Write the result as one JSON object.")
    var json = false

    private struct Result: Encodable {
        let out: String
        let files: [String]
    }

    func run() async throws {
        guard PrivateFile.isFolder(data) else {
            throw CommandError.unreadable(path: data, reason: "there is no such folder")
        }
        let backup = try DataFolder(data).backUp(to: out)
        if json { return StandardOutput.write(try EventLine.lines([Result(out: out, files: backup.files)])) }
        StandardOutput.write("\(backup.files.joined(separator: ", ")) copied to \(out)\n")
        if !backup.hasEvents {
            StandardOutput.remark("There are no events in \(data); if they are in PostgreSQL, back that up.")
        }
    }
}
