import AppKill
import ArgumentParser
import AuditServerTesting
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

    /// After so many kills the app moves to a new server: a comparison reads all that a server has.
    private static let killsPerServer = 200

    func run() async throws {
        var progress = try KillProgress(options)
        var summary = AppKillLoop.Summary()
        var seed = progress.seed
        while summary.killedProcesses < options.count {
            let folder = try progress.makeFolder("seed-\(seed)")
            let done = summary
            let count = min(options.count - done.killedProcesses, Self.killsPerServer)
            summary += try await Self.kill(count, in: folder, seed) { now in
                progress.show(done.killedProcesses + now.killedProcesses)
            }
            seed &+= 1
        }
        try progress.cleanUp()
        print(
            "\(summary.killedProcesses) processes killed, \(summary.earlyKills) of them before their first commit, seed "
                + "\(progress.seed): \(summary.promisedScopes) promised scopes, none lost, none twice; the servers have "
                + "\(summary.storedEvents) events, \(summary.interruptedEvents) of them interrupted; nothing was set aside"
        )
    }

    /// Kills so many processes that upload to one server.
    private static func kill(
        _ count: Int,
        in folder: URL,
        _ seed: UInt64,
        _ show: (AppKillLoop.Summary) -> Void
    ) async throws -> AppKillLoop.Summary {
        let server = try ServerProcess(program: Programs.daybook, folder: folder)
        defer { server.stop() }
        let app = folder.appending(path: "app")
        // LIVE: the outermost layer.
        try FileManager.default.createDirectory(at: app, withIntermediateDirectories: true)
        var loop = try AppKillLoop(program: Programs.own, server: server, folder: app, seed: seed)
        return try await loop.run(count: count, progress: show)
    }
}
