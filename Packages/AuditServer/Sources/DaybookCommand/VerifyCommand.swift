import ArgumentParser

/// `daybook verify`: recomputes every proof.
struct VerifyCommand: AsyncParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "verify",
            abstract: "Recomputes every leaf, root and seal.",
            discussion: """
                Prints how many events and partitions were verified, and ends with 0. Ends with 1 when anything is wrong, \
                and says what and where.
                """
        )
    }

    @OptionGroup var source: SourceOptions

    func run() async throws {
        let archive = try source.archive()
        let partitions = try await archive.partitions()
        var events: UInt64 = 0
        var problems: [String] = []
        for (index, partition) in partitions.enumerated() {
            StandardOutput.progress("partition \(index + 1) of \(partitions.count), \(events) events")
            let verified = try await archive.verify(partition)
            events += verified.count
            problems += verified.problems
        }
        StandardOutput.progress("")
        guard problems.isEmpty else {
            StandardOutput.write(problems.map { "\($0)\n" }.joined())
            StandardOutput.write("\(problems.count) \(problems.count == 1 ? "problem" : "problems") found\n")
            throw ExitCode(1)
        }
        StandardOutput.write("\(events) events, \(partitions.count) partitions verified\n")
    }
}
