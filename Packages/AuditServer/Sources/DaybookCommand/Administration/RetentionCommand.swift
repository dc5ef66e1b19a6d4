import ArgumentParser
import AuditServer
import EventModel

/// `daybook retention`: shows how long events are kept, and has the server erase what has expired.
struct RetentionCommand: AsyncParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "retention",
            abstract: "Shows how long events are kept, and how many have expired.",
            discussion: """
                The configuration of the server says how long. It erases what has expired by itself, every hour; --run \
                has it do so now.

                  daybook retention --server URL --token-file auditor.token
                  daybook retention --server URL --token-file administrator.token --run
                """
        )
    }

    @OptionGroup var server: ServerOptions

    @Flag(help: "Count what has expired and erase nothing; the default.")
    var dryRun = false

    @Flag(name: .customLong("run"), help: "Erase what has expired now.")
    var erasesNow = false

    @Flag(help: "Write one JSON object per line.")
    var json = false

    func validate() throws {
        guard !erasesNow || !dryRun else { throw ValidationError("A dry run erases nothing: give --dry-run or --run.") }
    }

    func run() async throws {
        let remote = try server.remote()
        if erasesNow {
            let records = try remote.decode([ErasureRecord].self, from: try await remote.change("POST", "retention"))
            if json { return StandardOutput.write(try EventLine.lines(records)) }
            return StandardOutput.write(records.isEmpty ? "nothing has expired\n" : records.map(\.row).joined())
        }
        let answer = try await remote.get("retention", ["count": "yes"]).body
        let lines = try remote.decode([RetentionLine].self, from: answer)
        if json { return StandardOutput.write(try EventLine.lines(lines)) }
        StandardOutput.write(lines.isEmpty ? "events are kept for ever\n" : lines.map(\.row).joined())
    }
}

extension RetentionLine {
    /// A line for people.
    fileprivate var row: String {
        let types = events.sorted { $0.key < $1.key }.map { "\(EventTable.cut($0.key, 40)) \($0.value) days" }
        let rule = ([days.map { "\($0) days" } ?? "for ever"] + types).joined(separator: ", ")
        let held = held?.values.reduce(0, +) ?? 0
        let kept = held > 0 ? ", \(held) are kept by holds" : ""
        return "\(app)  \(rule)  \(expired ?? 0) events have expired\(kept)\n"
    }
}
