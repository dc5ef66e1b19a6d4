public import AuditServerTesting
import EventModelTesting
public import Foundation
import TracedRealms

/// Devices that share a realm over a real server, of which processes are killed at random moments, the server, too.
///
/// ```
///  life 1, 3, … of device 1 ─ transactions ─ file 1 ─┐
///     ▲ SIGKILL                                      ├─ daybook serve (SIGKILL) ─▶ a new device
///  life 2, 4, … of device 2 ─ transactions ─ file 2 ─┘
///  settle: what each device has ──────────────────────────────────────────────────▶ compared
/// ```
public struct RealmKillLoop {
    /// What a run did.
    public struct Summary: KillSummary, Hashable {
        /// How many processes were killed.
        public internal(set) var killedProcesses = 0
        /// How many of them were killed before their first commit had returned.
        public internal(set) var earlyKills = 0
        /// How often the server was killed.
        public internal(set) var serverKills = 0
        /// How many transactions there were whose commit had returned.
        public internal(set) var promisedChanges = 0
        /// How many of them had been acknowledged by the server before the kill.
        public internal(set) var acknowledgedChanges = 0
        /// How many transactions all devices have.
        public internal(set) var sharedChanges = 0

        /// Creates the summary of a run that did nothing yet.
        public init() {}

        /// Adds what another run did.
        public static func += (left: inout Summary, right: Summary) {
            left.killedProcesses += right.killedProcesses
            left.earlyKills += right.earlyKills
            left.serverKills += right.serverKills
            left.promisedChanges += right.promisedChanges
            left.acknowledgedChanges += right.acknowledgedChanges
            left.sharedChanges += right.sharedChanges
        }
    }

    /// How many devices share the realm.
    private static let devices = 2

    private let program: URL
    private let server: ServerProcess
    private let folder: URL
    private var random: SeededGenerator
    private var lives = 0
    private var comparisons = 0
    private var promised: Set<String> = []
    private var summary = Summary()

    /// Prepares a loop.
    ///
    /// - Parameters:
    ///   - program: The program that lives and is killed; it takes `device` and `settle` as `event-kill` does.
    ///   - server: The server, which is killed and started again.
    ///   - folder: An empty folder for what the devices keep.
    ///   - seed: Decides what is written, and about when a process is killed.
    public init(program: URL, server: ServerProcess, folder: URL, seed: UInt64) {
        self.program = program
        self.server = server
        self.folder = folder
        random = SeededGenerator(seed: seed)
    }

    /// Kills processes, and compares what the devices have.
    ///
    /// - Parameters:
    ///   - count: How many processes to kill at least.
    ///   - progress: Called after each comparison with what was done so far.
    /// - Returns: What was done.
    /// - Throws: ``AppKillError`` with the first thing that is wrong.
    public mutating func run(count: Int, progress: (Summary) -> Void = { _ in }) throws -> Summary {
        // Each signs in; two processes that do at once are two users, of whom one is forgotten.
        try compare()
        while summary.killedProcesses < count {
            // Several processes die before one may finish, so that what others left half done is killed as well.
            for _ in 0..<Int.random(in: 1...4, using: &random) { try killSome() }
            try compare()
            progress(summary)
        }
        return summary
    }

    /// Starts one process or two, of one device or of both, and kills them; now and then the server, too.
    private mutating func killSome() throws {
        var running: [(life: Int, process: LifeProcess)] = []
        for _ in 0..<Int.random(in: 1...2, using: &random) {
            lives += 1
            let device = Int.random(in: 1...Self.devices, using: &random)
            running.append((lives, try start(["device", "\(lives)", "--seed", "\(random.next())"], device)))
        }
        if Int.random(in: 0..<6, using: &random) == 0 {
            try server.crash()
            summary.serverKills += 1
        }
        for (life, process) in running {
            guard let lines = process.killed(&random) else {
                throw AppKillError("Life \(life) ended by itself; its error is above.")
            }
            try take(lines, of: life)
        }
    }

    private func start(_ command: [String], _ device: Int) throws -> LifeProcess {
        let home = folder.appending(path: "device-\(device)").path
        return try LifeProcess(program, command + ["--folder", home, "--url", server.url])
    }

    /// Counts what a process had been promised.
    private mutating func take(_ lines: [String], of life: Int) throws {
        summary.killedProcesses += 1
        var own: [String] = []
        var acknowledged = 0
        for line in lines {
            let words = line.split(separator: " ")
            switch (words.first, words.count) {
            case ("done", 2): own.append(String(words[1]))
            case ("sent", 2): acknowledged = own.count
            default: throw AppKillError("Life \(life) said: \(line)")
            }
        }
        promised.formUnion(own)
        summary.promisedChanges += own.count
        summary.acknowledgedChanges += acknowledged
        if own.isEmpty { summary.earlyKills += 1 }
    }

    /// Lets the devices send and get everything, and compares them with each other and, now and then, with a new one.
    private mutating func compare() throws {
        comparisons += 1
        // In the first round they send; what the second one got is compared.
        for device in 1...Self.devices { _ = try settled(device) }
        var devices = Array(1...Self.devices)
        if comparisons % 10 == 0 { devices.append(Self.devices + comparisons) }
        let realms = try devices.map { try settled($0) }
        for (device, realm) in zip(devices, realms) {
            if let problem = realm.problem(promised: promised) { throw AppKillError("Device \(device): \(problem).") }
            guard realm == realms[0] else { throw AppKillError("Device \(device) has not what device 1 has.") }
        }
        try checkPosted(realms[0])
        summary.sharedChanges = realms[0].count
    }

    /// Checks that the server has what each transaction posted once, and what one process did in its order.
    private func checkPosted(_ realm: SettledRealm) throws {
        guard let lines = try server.posted(PostedTraces.className) else {
            throw AppKillError("What was posted cannot be read; the error is above.")
        }
        let posted = try PostedTraces(lines)
        if let problem = posted.problem(of: KilledDevice.value, traces: Set(realm.edits.keys)) {
            throw AppKillError("Of what was posted: \(problem).")
        }
    }

    /// What a device has when it has sent and got everything.
    private func settled(_ device: Int) throws -> SettledRealm {
        let (hasSucceeded, lines) = try start(["settle"], device).wait()
        guard hasSucceeded else { throw AppKillError("Device \(device) cannot settle; its error is above.") }
        do {
            return try SettledRealm(said: lines)
        } catch {
            throw AppKillError(error.description)
        }
    }
}
