import ArgumentParser
import AuditServer

/// `daybook verify`: recomputes every proof.
struct VerifyCommand: AsyncParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "verify",
            abstract: "Recomputes every leaf, root and seal.",
            discussion: """
                Prints what the devices lost by their own ledgers, then how many events and partitions were verified, and \
                ends with 0. Ends with 1 when anything is wrong, and says what and where.
                """
        )
    }

    @OptionGroup var source: SourceOptions

    @Flag(help: "Write one JSON object per partition instead of sentences.")
    var json = false

    func run() async throws {
        let archive = try source.archive()
        var (partitions, events, problems) = (0, UInt64(0), 0)
        try await archive.verify { verified, total in
            partitions += 1
            events += verified.events
            problems += verified.problems.count
            StandardOutput.progress("")
            if json {
                StandardOutput.write(try EventLine.lines([verified]))
            } else {
                StandardOutput.write(verified.losses.map { "Partition \(verified.partition): \($0).\n" }.joined())
                StandardOutput.write(verified.problems.map { "\($0)\n" }.joined())
            }
            StandardOutput.progress("partition \(partitions) of \(total), \(events) events")
        }
        StandardOutput.progress("")
        if !json {
            StandardOutput.write(
                problems == 0
                    ? "\(events) events, \(partitions) partitions verified\n"
                    : "\(problems) \(problems == 1 ? "problem" : "problems") found\n"
            )
        }
        if problems > 0 { throw ExitCode(1) }
    }
}
