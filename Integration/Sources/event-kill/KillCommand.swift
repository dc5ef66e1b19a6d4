import ArgumentParser
import EventPartitionsTesting
import Foundation

/// `event-kill`: kills processes that append events, and checks what they leave.
@main
struct KillCommand: ParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "event-kill",
            abstract: "Kills processes that append events, and checks that no promised event is lost or stored twice."
        )
    }

    @Option(help: "How many processes to kill.")
    var count = 1000

    @Option(help: "Decides what is appended and when; drawn and printed if it is missing.")
    var seed: UInt64?

    @Flag(help: "Let syncs reach the disk: slower, and no different for a kill.")
    var sync = false

    func run() throws {
        let seed = seed ?? UInt64.random(in: 0...UInt64(UInt32.max))
        Self.report("The seed is \(seed).")
        // LIVE: the outermost layer.
        let folder = FileManager.default.temporaryDirectory.appending(path: "event-kill-\(getpid())")
        // LIVE: the outermost layer.
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        var loop = try KillLoop(root: folder.path, seed: seed, syncs: sync)
        var shown = 0
        let summary = try loop.run(count: count) { summary in
            guard summary.killedProcesses >= shown + max(count / 10, 1) else { return }
            shown = summary.killedProcesses
            Self.report("  \(shown) of \(count) killed")
        }
        // Only a run that found nothing cleans up: the files of another one are what somebody wants to see.
        // LIVE: the outermost layer.
        try FileManager.default.removeItem(at: folder)
        print(
            "\(summary.killedProcesses) processes killed, seed \(seed): \(summary.promisedEvents) promised events, "
                + "none lost, none twice; \(summary.verifiedPartitions) partitions verified"
        )
    }

    /// Shows what is going on beside the result.
    private static func report(_ sentence: String) {
        FileHandle.standardError.write(Data("\(sentence)\n".utf8))
    }
}
