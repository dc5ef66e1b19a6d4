import AuditHTTP
import AuditModel
public import AuditServerTesting
import EventModelTesting
public import Foundation

/// Processes of an app that record and upload to a real server, are killed at random moments, and what is there in the end.
///
/// ```
///  life 1, 2, … ─ scopes ─ event files ─ uploader ─▶ daybook serve
///     ▲ SIGKILL                                         │ each event of a life, once
///  finish: what is in the realm, what is left ──────────┴─▶ compared
/// ```
public struct AppKillLoop {
    /// What a run did.
    public struct Summary: KillSummary, Hashable {
        /// How many processes were killed.
        public internal(set) var killedProcesses = 0
        /// How many of them were killed before their first commit had returned.
        public internal(set) var earlyKills = 0
        /// How many scopes there were whose commit had returned.
        public internal(set) var promisedScopes = 0
        /// How many events the server has.
        public internal(set) var storedEvents = 0
        /// How many of them are of a scope that was interrupted.
        public internal(set) var interruptedEvents = 0

        /// Creates the summary of a run that did nothing yet.
        public init() {}

        /// Adds what another run did.
        public static func += (left: inout Summary, right: Summary) {
            left.killedProcesses += right.killedProcesses
            left.earlyKills += right.earlyKills
            left.promisedScopes += right.promisedScopes
            left.storedEvents += right.storedEvents
            left.interruptedEvents += right.interruptedEvents
        }
    }

    private let program: URL
    private let server: ServerProcess
    private let folder: URL
    private let listing: LifeListing
    private var random: SeededGenerator
    private var lives = 0
    private var summary = Summary()

    /// Prepares a loop.
    ///
    /// - Parameters:
    ///   - program: The program that lives and is killed; it takes `live` and `finish` as `event-kill` does.
    ///   - server: The server, which is never killed.
    ///   - folder: An empty folder for what the app keeps.
    ///   - seed: Decides what is recorded, and about when a process is killed.
    /// - Throws: What reading the auditor's token throws.
    public init(program: URL, server: ServerProcess, folder: URL, seed: UInt64) throws {
        self.program = program
        self.server = server
        self.folder = folder
        listing = try LifeListing(server)
        random = SeededGenerator(seed: seed)
    }

    /// Kills processes, and compares what they leave with what the server has.
    ///
    /// - Parameters:
    ///   - count: How many processes to kill at least.
    ///   - progress: Called after each comparison with what was done so far.
    /// - Returns: What was done.
    /// - Throws: ``AppKillError`` with the first thing that is wrong.
    public mutating func run(count: Int, progress: (Summary) -> Void = { _ in }) async throws -> Summary {
        // One signs in; two that do at once are two users, of whom one is forgotten.
        try await compare([:])
        while summary.killedProcesses < count {
            // Several processes die before one may finish, so that recovery and uploads of what others left are killed as well.
            var promises: [Int: [[String]]] = [:]
            for _ in 0..<Int.random(in: 1...4, using: &random) { try killSome(&promises) }
            try await compare(promises)
            progress(summary)
        }
        return summary
    }

    /// Starts one process or two, and kills them.
    private mutating func killSome(_ promises: inout [Int: [[String]]]) throws {
        var running: [(life: Int, process: LifeProcess)] = []
        for _ in 0..<(Int.random(in: 0..<4, using: &random) == 0 ? 2 : 1) {
            lives += 1
            let seed = "\(random.next())"
            let arguments = ["live", "\(lives)", "--seed", seed, "--folder", folder.path, "--url", server.url]
            running.append((lives, try LifeProcess(program, arguments)))
        }
        for (life, process) in running {
            guard let lines = process.killed(&random) else {
                throw AppKillError("Life \(life) ended by itself; its error is above.")
            }
            let scopes = try Self.scopes(of: lines, in: life)
            promises[life] = scopes
            summary.killedProcesses += 1
            summary.promisedScopes += scopes.count
            if scopes.isEmpty { summary.earlyKills += 1 }
        }
    }

    /// The keys of each scope whose commit returned.
    private static func scopes(of lines: [String], in life: Int) throws -> [[String]] {
        try lines.map { line in
            guard line.hasPrefix("done ") else { throw AppKillError("Life \(life) said: \(line)") }
            return line.dropFirst("done ".count).split(separator: " ").map(String.init)
        }
    }

    /// Lets the app upload everything, and compares.
    private mutating func compare(_ promises: [Int: [[String]]]) async throws {
        let arguments =
            ["finish"] + promises.keys.sorted().map(String.init) + ["--folder", folder.path, "--url", server.url]
        let (hasSucceeded, lines) = try LifeProcess(program, arguments).wait()
        guard hasSucceeded else { throw AppKillError("The app cannot finish what was left; its error is above.") }
        var notes: [String] = []
        for line in lines {
            let words = line.split(separator: " ")
            switch words.first {
            case "note": notes.append(String(words[1]))
            // The partition that it has open itself.
            case "left":
                guard words[1] == "0" || words[1] == "1" else {
                    throw AppKillError("Event files are left: \(words[1]).")
                }
            default: throw AppKillError("The app said when it finished: \(line)")
            }
        }
        for (life, scopes) in promises.sorted(by: { $0.key < $1.key }) {
            let stored = try await listing.events(of: life)
            let written = Set(notes.filter { $0.hasPrefix("\(life).") })
            try LifeCheck(life: life, stored: stored).check(promised: scopes, written: written)
            summary.storedEvents += stored.count
            summary.interruptedEvents += stored.count { $0.details.interrupted }
        }
    }
}
