import Daybook
import Foundation

/// One device of the ward: its folder, its user, its copy of the chart, and the way of its events.
///
/// Bound to the main actor, because a realm belongs to the thread that opened it.
@MainActor
struct WardDevice {
    /// What was counted before the run's own events.
    struct Baseline {
        let persisted: UInt64
        let uploaded: UInt64
    }

    /// How long a server is waited for at the start, in seconds.
    private static let patience = 300.0

    let folder: URL
    let server: URL
    let write: @Sendable (String) -> Void

    /// Signs in; a server that is down is waited for, with longer and longer pauses.
    func login() async throws -> User {
        let app = App(
            id: "ward",
            configuration: AppConfiguration(
                baseURL: server.absoluteString,
                rootDirectory: folder.path,
                syncsRealms: true
            )
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

    /// Opens the chart; a new device gets first what the others have written.
    ///
    /// - Parameters:
    ///   - user: Who shares it.
    ///   - recorded: Whether what the person sees and does is recorded.
    /// - Returns: The chart.
    /// - Throws: What opening a realm throws.
    func open(for user: User, recorded: Bool = true) async throws -> Realm {
        let errors = ErrorLines()
        user.syncManager.errorHandler = { error, _ in errors.show("Sync: \(WardDemo.sentence(for: error))") }
        var configuration = user.configuration(partitionValue: "ward")
        configuration.objectTypes = Self.classes
        if recorded {
            configuration.eventConfiguration = EventConfiguration(
                metadata: ["nurse": "nobody"],
                partitionPrefix: "ward",
                logger: { level, message in if level <= .warn { errors.show(message) } },
                errorHandler: { error in errors.show("Events: \(WardDemo.sentence(for: error))") },
                // A step that was not stored is taken again from its beginning.
                crashPolicy: .discard
            )
        }
        return try await Realm(configuration: configuration, downloadBeforeOpen: .once)
    }

    /// The classes of the chart.
    static let classes: [ObjectBase.Type] = [
        Patient.self, HumanName.self, PostalAddress.self, Encounter.self, Observation.self,
        ObservationComponent.self, MedicationRequest.self, ShiftLog.self,
    ]

    /// Uploads what an earlier run left, so that the counts and partitions of this run are its own.
    func recover(in realm: Realm) async throws -> Baseline {
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

    /// Closes the partition, and waits until the server has the chart and has proven the events.
    ///
    /// - Parameters:
    ///   - realm: The chart, whose events are on the disk.
    ///   - baseline: What was counted before the run.
    ///   - chart: What the run loaded.
    /// - Returns: What the device counted.
    /// - Throws: When the event files cannot be read, or the session of the chart ends.
    func deliver(_ realm: Realm, since baseline: Baseline, chart: ChartLoader.Summary) async throws -> ClientSummary {
        guard let events = realm.events else { throw WardError.notRecording }
        let (destination, uploader) = try way(of: realm)
        try destination.files.seal()
        let persisted = destination.files.persistedCount - baseline.persisted
        let keptAside = try await upload(Int(persisted), with: uploader)
        // The server is there, so that nobody has to wait for the next attempt.
        realm.syncSession?.reconnect()
        try await realm.syncSession?.wait(for: .upload)
        write("The server has what was entered into the chart.\n")
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
}
