import ArgumentParser
import AuditArchives
import AuditModel

/// `daybook partitions`: lists partitions, and offers again what is kept aside.
struct PartitionsCommand: AsyncParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "partitions",
            abstract: "Lists partitions, the oldest first, or offers some for upload again.",
            discussion: """
                A partition is a file of events on a device, and what a server stored of it. It is sealed once the device \
                has closed and signed it. LOST counts what the device lost by its own ledger, for example for want of room.

                  daybook partitions --files ./ward
                  daybook partitions --server URL --token-file auditor.token --json
                  daybook partitions release --files ./ward
                """,
            subcommands: [PartitionsListCommand.self, PartitionsReleaseCommand.self],
            defaultSubcommand: PartitionsListCommand.self
        )
    }
}

/// `daybook partitions list`, which is `daybook partitions`: lists partitions.
struct PartitionsListCommand: AsyncParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "list",
            abstract: "Lists partitions, the oldest first; the default.",
            discussion: """
                  daybook partitions list --files ./ward
                """
        )
    }

    @OptionGroup var source: SourceOptions

    @Flag(help: "Write one JSON object per line instead of a table.")
    var json = false

    func run() async throws {
        let archive = try source.archive()
        let partitions = try await archive.partitions()
        for stray in try await archive.strays() { StandardOutput.remark(stray) }
        if json { return StandardOutput.write(try EventLine.lines(partitions)) }
        var output = BufferedOutput()
        output.append(Self.row("EVENTS", "SEALED", "LOST", "PARTITION"))
        for partition in partitions {
            output.append(
                Self.row(
                    "\(partition.count)",
                    partition.sealed ? "yes" : "no",
                    "\(partition.lost)",
                    PlainText.cut(partition.partition, 160)
                )
            )
        }
        output.flush()
    }

    private static func row(_ events: String, _ sealed: String, _ lost: String, _ partition: String) -> String {
        let cells = [(events, 12), (sealed, 8), (lost, 8)]
        return cells.map { $0 + String(repeating: " ", count: max(1, $1 - $0.count)) }.joined() + partition + "\n"
    }
}
