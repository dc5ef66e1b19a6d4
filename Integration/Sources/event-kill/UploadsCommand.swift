import AppKill
import ArgumentParser
import Foundation

/// `event-kill uploads`: processes of an app that records scopes and uploads them.
struct UploadsCommand: AsyncParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "uploads",
            abstract: "Kills an app that records and uploads, and compares what the server has with what was promised."
        )
    }

    @OptionGroup var options: KillOptions

    func run() async throws {
        var servers = try KilledServers(options)
        let summary = try await servers.run { (round, show) async throws -> AppKillLoop.Summary in
            let app = round.folder.appending(path: "app")
            // LIVE: the outermost layer.
            try FileManager.default.createDirectory(at: app, withIntermediateDirectories: true)
            var loop = try AppKillLoop(program: Programs.own, server: round.server, folder: app, seed: round.seed)
            return try await loop.run(count: round.count, progress: show)
        }
        print(
            "\(summary.killedProcesses) processes killed, \(summary.earlyKills) of them before their first commit, seed "
                + "\(servers.seed): \(summary.promisedScopes) promised scopes, none lost, none twice; the servers have "
                + "\(summary.storedEvents) events, \(summary.interruptedEvents) of them interrupted; nothing was set aside"
        )
    }
}
