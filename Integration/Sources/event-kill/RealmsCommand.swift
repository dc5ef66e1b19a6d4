import AppKill
import ArgumentParser

/// `event-kill realms`: devices that share a realm.
struct RealmsCommand: AsyncParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "realms",
            abstract: "Kills devices that share a realm, and their server, and compares what each of them has."
        )
    }

    @OptionGroup var options: KillOptions

    func run() async throws {
        var servers = try KilledServers(options)
        let total = try await servers.run { (round, show) async throws -> RealmKillLoop.Summary in
            var loop = RealmKillLoop(
                program: Programs.own,
                server: round.server,
                folder: round.folder,
                seed: round.seed
            )
            return try loop.run(count: round.count, progress: show)
        }
        print(
            "\(total.killedProcesses) processes killed, \(total.earlyKills) of them before their first commit, and the "
                + "server \(total.serverKills) times, seed \(servers.seed): \(total.promisedChanges) promised changes, "
                + "\(total.acknowledgedChanges) of them acknowledged, none lost, none twice; all devices have the same "
                + "\(total.sharedChanges), and the server what each of them posted"
        )
    }
}
