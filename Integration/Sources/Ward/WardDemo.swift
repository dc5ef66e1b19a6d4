public import Daybook

/// The first device's way from login to proof: loads the chart, replays one shift of the ward, uploads, and counts.
@MainActor
public struct WardDemo {
    private let input: URL?
    private let device: WardDevice
    private let ledger: URL?
    private let rounds: Int
    private let now: () -> Date
    private let write: @Sendable (String) -> Void

    /// Prepares a run.
    ///
    /// - Parameters:
    ///   - input: The NDJSON to load; nil for a small set of our own.
    ///   - folder: Where realm and event files go; it is made when it is missing.
    ///   - server: The address of a `daybook serve` process.
    ///   - ledger: Where completed steps are noted, or nil.
    ///   - rounds: How many patients each nurse sees.
    ///   - now: The time of entries in the chart.
    ///   - write: Where progress goes; by default standard output.
    public init(
        input: URL?,
        folder: URL,
        server: URL,
        ledger: URL?,
        rounds: Int,
        // LIVE: the demo's shifts happen now.
        now: @escaping () -> Date = { Date() },
        write: @escaping @Sendable (String) -> Void = ProgressLine.standardOutput
    ) {
        self.input = input
        device = WardDevice(folder: folder, server: server, write: write)
        self.ledger = ledger
        self.rounds = rounds
        self.now = now
        self.write = write
    }

    /// Runs the demo.
    ///
    /// - Returns: The counts, each counted where its name says.
    /// - Throws: When the chart or the event files cannot be written, or the input cannot be read.
    public func run() async throws -> ClientSummary {
        let lines = try lines()
        let user = try await device.login()
        let steps = try StepLedger(url: ledger)
        let realm = try await device.open(for: user)
        let baseline = try await device.recover(in: realm)
        let chart = try load(lines, into: realm)
        let number = try beginShift(in: realm)
        try replay(number, in: realm, steps: steps)
        await realm.events?.flush()
        guard steps.failures.isEmpty else { throw WardError.notPersisted(steps.failures) }
        write("Shift \(number): every event is on the disk.\n")
        return try await device.deliver(realm, since: baseline, chart: chart)
    }

    /// A sentence for people about any error of a run.
    public nonisolated static func sentence(for error: any Error) -> String {
        String(describing: error)
    }

    private func lines() throws -> LineReader {
        guard let input else { return LineReader(bytes: PackageResources.small_ward_ndjson) }
        // LIVE: the input is a file of this machine.
        guard FileManager.default.fileExists(atPath: input.path) else {
            throw WardError.unreadableInput(path: input.path, reason: "it does not exist")
        }
        do {
            return try LineReader(url: input)
        } catch {
            throw WardError.unreadableInput(path: input.path, reason: "check its permissions (\(error))")
        }
    }

    private func load(_ lines: LineReader, into realm: Realm) throws -> ChartLoader.Summary {
        let total = try countLines()
        let progress = ProgressLine("Loading the chart", total: total, write: write)
        let summary = try ChartLoader(realm: realm, progress: progress.advance).load(lines)
        progress.finish(
            "\(summary.patients) patients, \(summary.encounters) encounters, \(summary.observations) observations, "
                + "\(summary.medicationRequests) medication requests."
        )
        for problem in summary.problems {
            write("Line \(problem.line) was left out: \(problem.error).\n")
        }
        return summary
    }

    private func countLines() throws -> Int {
        var lines = try lines()
        var count = 0
        while try lines.next() != nil { count += 1 }
        return count
    }

    private func beginShift(in realm: Realm) throws -> Int {
        let number = ShiftLog.last(in: realm) + 1
        try realm.write { realm in
            _ = realm.create(ShiftLog.self, value: ["_id": number, "began": now()])
        }
        return number
    }

    private func replay(_ number: Int, in realm: Realm, steps: StepLedger) throws {
        guard let events = realm.events else { throw WardError.notRecording }
        for nurse in Nurse.ward {
            let total = Shift.stepCount(rounds: rounds)
            let progress = ProgressLine("Shift \(number), \(nurse.name)", total: total, write: write)
            var shift = Shift(
                realm: realm,
                events: events,
                nurse: nurse,
                number: number,
                ledger: steps,
                now: now,
                didStep: progress.advance
            )
            try shift.replay(rounds: rounds)
            progress.finish("\(total) steps.")
        }
        try realm.write { realm in
            realm.object(ofType: ShiftLog.self, forPrimaryKey: number)?.ended = now()
        }
    }
}
