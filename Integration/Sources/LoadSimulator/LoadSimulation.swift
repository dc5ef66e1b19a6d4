import AuditServerTesting
import Daybook
public import Foundation
import Synchronization

/// Many devices that record and upload over bad networks to one server, and an auditor who looks at the result.
///
/// ```
///  device ─ events in memory ─ uploader ─ transport ─ network with faults ─▶ daybook serve
///  device ─ …                                                                     ▲
///                                              auditor: roots, every event once ──┘
/// ```
public struct LoadSimulation: Sendable {
    private let options: LoadOptions
    private let program: URL
    private let folder: URL
    private let progress: @Sendable (String) -> Void

    /// Prepares a simulation.
    ///
    /// - Parameters:
    ///   - options: How much load there is.
    ///   - program: The program `daybook`.
    ///   - folder: A folder that exists, for the server's data and the accounts of the devices.
    ///   - progress: Is told what goes on, now and then.
    public init(
        options: LoadOptions,
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
    /// - Throws: `ServerProcess.Failure` when the server does not start, and ``LoadError`` when it refuses the auditor; what a
    ///   log-in or an upload throws that meets no fault.
    @concurrent
    public func run() async throws -> LoadReport {
        let server = try ServerProcess(program: program, folder: folder)
        defer { server.stop() }
        let counts = LoadCounts()
        let start = ContinuousClock.now

        progress("Signing in \(options.devices) devices.")
        let devices = try await Crowd.ofDevices.map(Array(0..<options.devices)) { number in
            try await SimulatedDevice(
                number: number,
                options: options,
                server: server,
                folder: folder.path,
                counts: counts
            )
        }
        progress("Recording and uploading.")
        let end = ContinuousClock.now + .seconds(options.seconds)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for device in devices { group.addTask { try await device.run(until: end) } }
            for _ in 0..<options.attackers {
                let attacker = try LoadAttacker(server: server, counts: counts)
                group.addTask { try await attacker.run(until: end, rounds: options.rounds) }
                let sender = try await StretchAttacker(port: server.port, counts: counts)
                group.addTask { try await sender.run(until: end, rounds: options.rounds) }
            }
            try await group.waitForAll()
        }
        progress("Uploading what is left of \(counts.events) events.")
        let expectations = try await Crowd.ofDevices.map(devices) { try await $0.drain() }
        let seconds = (ContinuousClock.now - start) / .seconds(1)

        progress("Comparing the server with the devices.")
        var expected: [PartitionID: SimulatedDevice.Expectation] = [:]
        for expectation in expectations { expected.merge(expectation) { first, _ in first } }
        var problems = counts.problems + (try await LoadAudit(server: server).problems(expected: expected))
        // Also while everything is read back.
        let megabytes = try server.peakMegabytes()
        if let megabytes, megabytes > options.serverMegabytes {
            problems.append(
                "the server had \(Int(megabytes)) MB of memory, the limit is \(Int(options.serverMegabytes))"
            )
        }
        let latencies = counts.latencies
        return LoadReport(
            seed: options.seed,
            devices: options.devices,
            events: counts.events,
            uploads: latencies.count,
            seconds: seconds,
            p50Milliseconds: ReportFigures.percentile(50, of: latencies),
            p99Milliseconds: ReportFigures.percentile(99, of: latencies),
            serverMegabytes: megabytes,
            faults: counts.faults,
            refusals: counts.refusals,
            problems: problems
        )
    }
}
