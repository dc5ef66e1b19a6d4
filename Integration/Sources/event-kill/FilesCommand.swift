import ArgumentParser
import EventPartitionsTesting
import Foundation

/// `event-kill files`: processes that append events to one folder.
struct FilesCommand: ParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "files",
            abstract: "Kills processes that append events, and checks that no promised event is lost or stored twice."
        )
    }

    @OptionGroup var options: KillOptions

    @Flag(help: "Let syncs reach the disk: slower, and no different for a kill.")
    var sync = false

    func run() throws {
        var progress = try KillProgress(options)
        var loop = try KillLoop(root: progress.folder.path, seed: progress.seed, syncs: sync)
        let summary = try loop.run(count: options.count) { progress.show($0.killedProcesses) }
        try progress.cleanUp()
        print(
            "\(summary.killedProcesses) processes killed, seed \(progress.seed): \(summary.promisedEvents) promised events, "
                + "none lost, none twice; \(summary.verifiedPartitions) partitions verified"
        )
    }
}
