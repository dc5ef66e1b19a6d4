import AuditServerTesting
import Daybook
public import Foundation
import TracedRealms

/// Many devices that share realms over bad networks and one server, and a new device of each realm that is compared with them.
///
/// ```
///  device ─ realm file ─ session ─ network with faults ─┐
///  device ─ …                                           ├─▶ daybook serve ─▶ a new device of each realm ─▶ all compared
///  device ─ …                                           ┘        └─ what was posted: each once, in order
/// ```
public struct RealmLoadSimulation: Sendable {
    /// How many realms are compared at once.
    private static let compared = Crowd(size: 6)

    private let options: RealmLoadOptions
    private let program: URL
    private let folder: URL
    private let progress: @Sendable (String) -> Void

    /// Prepares a simulation.
    ///
    /// - Parameters:
    ///   - options: How much load there is.
    ///   - program: The program `daybook`.
    ///   - folder: A folder that exists, for the server's data and the files of the devices.
    ///   - progress: Is told what goes on, now and then.
    public init(
        options: RealmLoadOptions,
        program: URL,
        folder: URL,
        progress: @escaping @Sendable (String) -> Void = { _ in }
    ) {
        self.options = options
        self.program = program
        self.folder = folder
        self.progress = progress
    }

    /// Runs the simulation.
    ///
    /// - Returns: What it showed, also when something is wrong.
    /// - Throws: `ServerProcess.Failure` when the server does not start, and what a log-in throws.
    @concurrent
    public func run() async throws -> RealmLoadReport {
        let server = try ServerProcess(program: program, folder: folder)
        defer { server.stop() }
        let world = SyncingDevice.World(
            options: options,
            server: server,
            folder: folder.path,
            counts: LoadCounts(),
            room: ForegroundRoom(size: options.foreground),
            figures: ProcessFigures()
        )
        let start = ContinuousClock.now
        progress("Signing in \(options.devices) devices.")
        let devices = (0..<options.devices)
            .map { SyncingDevice(number: $0, partitionValue: name(ofRealm: $0 % options.realms), in: world) }
        _ = try await Crowd.ofDevices.map(devices) { try await $0.signIn() }
        progress("Writing and syncing.")
        let shortener = try options.historySeconds.map { seconds in
            try LogShortener(path: server.realmsPath, keeping: seconds, counts: world.counts)
        }
        let shortening = Task { await shortener?.run() }
        await work(devices, in: world)
        shortening.cancel()
        await shortening.value

        progress("Exchanging what is left of \(world.counts.events) changes, and comparing.")
        let end = ContinuousClock.now
        let traces = try await Self.compared.map(Array(0..<options.realms)) { number in
            let own = devices.filter { $0.number % options.realms == number }
            return (name(ofRealm: number), await compare(own, ofRealm: number, in: world))
        }
        let settled = ContinuousClock.now
        try checkPosted(Dictionary(uniqueKeysWithValues: traces), in: world)
        return try report(
            of: world,
            seconds: (settled - start) / .seconds(1),
            settlingSeconds: (settled - end) / .seconds(1)
        )
    }

    private func name(ofRealm number: Int) -> String { "ward \(number)" }

    private func work(_ devices: [SyncingDevice], in world: SyncingDevice.World) async {
        let end = ContinuousClock.now + .seconds(options.seconds)
        await withTaskGroup(of: Void.self) { group in
            for device in devices {
                group.addTask {
                    do {
                        try await patiently(device, beyond: options.seconds) { try await device.work(until: end) }
                    } catch {
                        world.counts.report("device \(device.number) stopped: \(error)")
                    }
                }
            }
        }
    }

    /// Lets the devices of a realm have everything, and compares them and a new one.
    ///
    /// - Returns: The transactions that they have.
    private func compare(
        _ devices: [SyncingDevice],
        ofRealm number: Int,
        in world: SyncingDevice.World
    ) async -> Set<String> {
        let name = name(ofRealm: number)
        do {
            for device in devices { try await patiently(device) { try await device.sendRest() } }
            let new = SyncingDevice(number: options.devices + number, partitionValue: name, in: world)
            try await patiently(new) { try await new.begin() }
            var contents: [(who: String, SyncingDevice.Contents)] = []
            for device in devices + [new] {
                let who = device === new ? "a new device" : "device \(device.number)"
                contents.append((who, try await patiently(device) { try await device.settle() }))
            }
            var promised: Set<String> = []
            for device in devices { promised.formUnion(await device.committed) }
            for (who, held) in contents {
                if let problem = held.traces.problem(promised: promised) {
                    world.counts.report("\(who) of \(name): \(problem)")
                }
                if let difference = held.difference(from: contents[0].1) {
                    world.counts.report("\(who) of \(name) has not what \(contents[0].who) has: \(difference)")
                }
            }
            return Set(contents[0].1.traces.edits.keys)
        } catch {
            world.counts.report("\(name) cannot be compared: \(error)")
            return []
        }
    }

    /// Checks that the server has what each transaction posted.
    private func checkPosted(_ traces: [String: Set<String>], in world: SyncingDevice.World) throws {
        guard let lines = try world.server.posted(PostedTraces.className) else {
            return world.counts.report("what was posted cannot be read; the error is above")
        }
        let posted = try PostedTraces(lines)
        for (name, traces) in traces.sorted(by: { $0.key < $1.key }) {
            if let problem = posted.problem(of: name, traces: traces) { world.counts.report("\(name): \(problem)") }
        }
    }

    /// Does something that waits for a device's session, and ends it when that takes too long.
    ///
    /// - Throws: ``LoadError/hangs(device:)``, and what the work throws.
    private func patiently<Result: Sendable>(
        _ device: SyncingDevice,
        beyond seconds: Double = 0,
        _ work: @escaping @Sendable () async throws -> Result
    ) async throws -> Result {
        guard let patience = options.patienceSeconds else { return try await work() }
        return try await withThrowingTaskGroup(of: Result.self) { group in
            defer { group.cancelAll() }
            group.addTask { try await work() }
            group.addTask {
                try await Task.sleep(for: .seconds(seconds + patience))
                progress("Device \(device.number) waits for something that does not come.")
                throw LoadError.hangs(device: device.number)
            }
            guard let result = try await group.next() else { throw CancellationError() }
            return result
        }
    }

    private func report(
        of world: SyncingDevice.World,
        seconds: Double,
        settlingSeconds: Double
    ) throws -> RealmLoadReport {
        let counts = world.counts
        // Also while everything is read back.
        let megabytes = try world.server.peakMegabytes()
        if let megabytes, megabytes > options.serverMegabytes {
            counts.report("the server had \(Int(megabytes)) MB of memory, the limit is \(Int(options.serverMegabytes))")
        }
        let latencies = counts.latencies
        return RealmLoadReport(
            seed: options.seed,
            devices: options.devices,
            realms: options.realms,
            foreground: world.room.most,
            changes: counts.events,
            requests: counts.requests,
            seconds: seconds,
            settlingSeconds: settlingSeconds,
            p50Milliseconds: ReportFigures.percentile(50, of: latencies),
            p99Milliseconds: ReportFigures.percentile(99, of: latencies),
            serverMegabytes: megabytes,
            devicesMegabytes: world.figures.megabytes,
            openFiles: world.figures.files,
            threads: world.figures.threads,
            faults: counts.faults,
            refusals: counts.refusals,
            undoneWrites: counts.undone,
            problems: counts.problems
        )
    }
}
