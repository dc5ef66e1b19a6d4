public import Daybook

/// The demo from login to proof: loads the chart, replays one shift of the ward, uploads, and counts.
///
/// Bound to the main actor, because a realm belongs to the thread that opened it.
@MainActor
public struct WardDemo {
    /// How long the demo waits for a server at its start, in seconds.
    private static let patience = 300.0

    private let input: URL?
    private let folder: URL
    private let server: URL
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
        self.folder = folder
        self.server = server
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
        let user = try await login()
        let steps = try StepLedger(url: ledger)
        let realm = try open(for: user)
        let baseline = try await recover(in: realm)
        let chart = try load(lines, into: realm)
        let number = try beginShift(in: realm)
        try replay(number, in: realm, steps: steps)
        return try await finish(number, realm: realm, chart: chart, steps: steps, since: baseline)
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

    /// Signs in; a server that is down is waited for, with longer and longer pauses.
    private func login() async throws -> User {
        let app = App(
            id: "ward",
            configuration: AppConfiguration(baseURL: server.absoluteString, rootDirectory: folder.path)
        )
        if let user = app.currentUser { return user }
        var pause = 0.5
        var waited = 0.0
        while true {
            do {
                return try await app.login(credentials: .anonymous)
            } catch SyncTransportError.loginFailed(let error)
                where error.code.remedy == .retry && waited < Self.patience
            {
                write("The server does not answer; trying again in \(pause) seconds.\n")
                try await Task.sleep(for: .seconds(pause))
                waited += pause
                pause = min(pause * 2, 30)
            }
        }
    }

    private func open(for user: User) throws -> Realm {
        let errors = ErrorLines()
        var configuration = user.configuration(partitionValue: "ward")
        configuration.objectTypes = [
            Patient.self, HumanName.self, PostalAddress.self, Encounter.self, Observation.self,
            ObservationComponent.self, MedicationRequest.self, ShiftLog.self,
        ]
        configuration.eventConfiguration = EventConfiguration(
            metadata: ["nurse": "nobody"],
            partitionPrefix: "ward",
            logger: { level, message in if level <= .warn { errors.show(message) } },
            errorHandler: { error in errors.show("Events: \(Self.sentence(for: error))") },
            // A step that was not stored is taken again from its beginning.
            crashPolicy: .discard
        )
        return try Realm(configuration: configuration)
    }

    /// What was counted before the run's own events.
    private struct Baseline {
        let persisted: UInt64
        let uploaded: UInt64
    }

    /// Uploads what an earlier run left, so that the counts and partitions of this run are its own.
    private func recover(in realm: Realm) async throws -> Baseline {
        let (destination, uploader) = try way(of: realm)
        // Scopes that an earlier run committed and did not store come first.
        await realm.events?.flush()
        let partitions = try destination.files.partitions()
        let trouble = ErrorLines()
        for partition in partitions {
            if let reason = partition.quarantineReason {
                trouble.show("The partition \(partition.partition) was set aside: \(reason)")
            }
        }
        if !partitions.isEmpty {
            let waiting = partitions.reduce(0) { $0 + $1.count - $1.acknowledgedThrough }
            write("An earlier run left \(waiting) events.\n")
            if try await !upload(Int(waiting), with: uploader).isEmpty {
                // What could be read of a damaged partition was written again, to a partition of its own.
                try destination.files.seal()
                _ = try await upload(Int(waiting), with: uploader)
            }
        }
        return Baseline(
            persisted: destination.files.persistedCount,
            uploaded: uploader.statistics.eventsUploaded
        )
    }

    /// Where the realm's events go; the demo's realms have a user, so there is an upload.
    private func way(of realm: Realm) throws -> (EventDestination, Uploader) {
        guard let destination = realm.eventDestination, let uploader = destination.uploader else {
            throw WardError.notRecording
        }
        return (destination, uploader)
    }

    /// Waits for the upload, showing how far it is and what it waits for.
    ///
    /// - Returns: The partitions that stay on the device, because they are damaged or refused.
    private func upload(_ count: Int, with uploader: Uploader) async throws -> [PartitionID] {
        let line = ProgressLine("Uploading", total: count, write: write)
        let watching = Task {
            let trouble = ErrorLines()
            for await state in uploader.progress() {
                line.advance(to: count - min(count, Int(state.eventsWaiting)))
                if let error = state.lastError { trouble.show("The upload waits: \(error)") }
            }
        }
        defer { watching.cancel() }
        do {
            try await uploader.waitForUploads()
        } catch SyncTransportError.uploadsBlocked(let partitions) {
            line.finish("everything else is proven to be stored.")
            return partitions
        }
        line.finish("\(count) events are proven to be stored.")
        return []
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
        let number = (realm.objects(ShiftLog.self).sorted(byKeyPath: "number").last?.number ?? 0) + 1
        try realm.write { realm in
            _ = realm.create(ShiftLog.self, value: ["number": number, "began": now()])
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

    /// Waits until everything is on the disk, closes the partition, and waits until the server has proven it.
    private func finish(
        _ number: Int,
        realm: Realm,
        chart: ChartLoader.Summary,
        steps: StepLedger,
        since baseline: Baseline
    ) async throws -> ClientSummary {
        guard let events = realm.events else { throw WardError.notRecording }
        let (destination, uploader) = try way(of: realm)
        await events.flush()
        guard steps.failures.isEmpty else { throw WardError.notPersisted(steps.failures) }
        write("Shift \(number): every event is on the disk.\n")
        try destination.files.seal()
        let persisted = destination.files.persistedCount - baseline.persisted
        let keptAside = try await upload(Int(persisted), with: uploader)
        let recording = events.statistics
        return ClientSummary(
            patients: chart.patients,
            observations: chart.observations,
            scopes: recording.scopesCommitted,
            recorded: recording.eventsRecorded,
            persisted: persisted,
            uploaded: uploader.statistics.eventsUploaded - baseline.uploaded,
            lost: recording.eventsRejected + recording.eventsFailed,
            partitions: destination.partitionsWritten.map(\.value),
            keptAside: keptAside.map(\.value)
        )
    }
}
