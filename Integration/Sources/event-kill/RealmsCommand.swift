import AppKill
import ArgumentParser
import AuditServerTesting
import Foundation

/// `event-kill realms`: devices that share a realm.
struct RealmsCommand: AsyncParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "realms",
            abstract: "Kills devices that share a realm, and their server, and compares what each of them has."
        )
    }

    @OptionGroup var options: KillOptions

    /// After so many kills the devices move to a new server: a comparison reads all that a realm has.
    private static let killsPerServer = 200

    func run() async throws {
        var progress = try KillProgress(options)
        var total = RealmKillLoop.Summary()
        var seed = progress.seed
        while total.killedProcesses < options.count {
            let folder = try progress.makeFolder("seed-\(seed)")
            let done = total
            let server = try ServerProcess(program: Programs.daybook, folder: folder)
            defer { server.stop() }
            var loop = RealmKillLoop(program: Programs.own, server: server, folder: folder, seed: seed)
            let count = min(options.count - done.killedProcesses, Self.killsPerServer)
            total += try loop.run(count: count) { progress.show(done.killedProcesses + $0.killedProcesses) }
            seed &+= 1
        }
        try progress.cleanUp()
        print(
            "\(total.killedProcesses) processes killed, \(total.earlyKills) of them before their first commit, and the "
                + "server \(total.serverKills) times, seed \(progress.seed): \(total.promisedChanges) promised changes, "
                + "\(total.acknowledgedChanges) of them acknowledged, none lost, none twice; all devices have the same "
                + "\(total.sharedChanges)"
        )
    }
}
