import ArgumentParser
import AuditArchives
import AuditModel
import EventModel
import EventPartitions

/// `daybook partitions release`: has an app offer again what a server refused.
struct PartitionsReleaseCommand: AsyncParsableCommand {
    /// A line of `--json`.
    private struct Line: Encodable {
        let partition: String
        let path: String
        let reason: String?
        let released: Bool
    }

    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "release",
            abstract: "Has an app upload again what a server refused and is kept aside.",
            discussion: """
                A partition that a server refused for good is kept aside, and offered again after a day, and by a newer version \
                of the app. This asks for it at once: the app does it when it looks at its files the next time, at its start or \
                within its interval of uploads. Nothing is lost when the server refuses it once more. What is damaged is not \
                released: what can be read of it went on in another file.

                  daybook partitions release --files ./ward
                  daybook partitions release --files ./ward ward-5f1c7a3e9b2d4c6f8a0b1c2d
                """
        )
    }

    @Option(
        help: ArgumentHelp("Look at every event file below this folder.", valueName: "dir"),
        completion: .directory
    )
    var files: String

    @Flag(help: "Write one JSON object per partition that is kept aside.")
    var json = false

    @Argument(
        help: ArgumentHelp("Only these partitions; all that are kept aside when left out.", valueName: "partition")
    )
    var partitions: [String] = []

    func run() async throws {
        let archive = try FileEventArchive(files, workingDirectory: SourceOptions.workingDirectory)
        let named = try partitions.map { try PartitionID($0) }
        let aside = try PartitionFiles.keptAside(below: archive.directory)
        for partition in named where !aside.contains(where: { $0.partition == partition }) {
            throw CommandError.notKeptAside(partition.value)
        }
        let chosen = named.isEmpty ? aside : aside.filter { named.contains($0.partition) }
        var lines: [Line] = []
        for partition in chosen {
            lines.append(
                Line(
                    partition: partition.partition.value,
                    path: partition.path,
                    reason: partition.reason,
                    released: try PartitionFiles.release(partition)
                )
            )
        }
        if json { return StandardOutput.write(try EventLine.lines(lines)) }
        if lines.isEmpty { StandardOutput.write("No partition is kept aside.\n") }
        for line in lines {
            let partition = PlainText.cut(line.partition, 160)
            StandardOutput.write(
                line.released
                    ? "\(partition) is uploaded again as soon as its app looks at its files.\n"
                    : "\(partition) stays aside: \(PlainText.cut(line.reason ?? "nobody knows why it is", 400))\n"
            )
        }
    }
}
