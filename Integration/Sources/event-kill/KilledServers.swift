import AppKill
import AuditServerTesting
import Foundation

/// One server after the other, each for some hundred kills: a comparison reads all that a server has.
struct KilledServers {
    /// What is killed at one server.
    struct Round {
        let server: ServerProcess
        let folder: URL
        let seed: UInt64
        let count: Int
    }

    /// After so many kills there is a new server.
    private static let killsPerServer = 200

    /// What decided what was done; printed, so that a run can be repeated.
    let seed: UInt64
    private let count: Int
    private var progress: KillProgress

    init(_ options: KillOptions) throws {
        progress = try KillProgress(options)
        seed = progress.seed
        count = options.count
    }

    /// Kills as many processes as were asked for, and takes the files away when nothing was wrong.
    ///
    /// - Parameter kill: Kills those of one round, and calls back with how many it has killed.
    /// - Returns: What all rounds did.
    /// - Throws: What a round found wrong.
    mutating func run<Summary: KillSummary>(
        _ kill: (Round, (Summary) -> Void) async throws -> Summary
    ) async throws -> Summary {
        var total = Summary()
        var next = seed
        while total.killedProcesses < count {
            let folder = try progress.makeFolder("seed-\(next)")
            let server = try ServerProcess(program: Programs.daybook, folder: folder)
            defer { server.stop() }
            let left = min(count - total.killedProcesses, Self.killsPerServer)
            let done = total.killedProcesses
            total += try await kill(Round(server: server, folder: folder, seed: next, count: left)) {
                progress.show(done + $0.killedProcesses)
            }
            next &+= 1
        }
        try progress.cleanUp()
        return total
    }
}

/// The programs of a run, which were built beside each other.
enum Programs {
    /// This one.
    // LIVE: the outermost layer.
    static var own: URL { URL(filePath: CommandLine.arguments[0]).resolvingSymlinksInPath() }
    /// The server.
    static var daybook: URL { own.deletingLastPathComponent().appending(path: "daybook") }
}
