public import Daybook

/// Another nurse on another device: sees each correction of the ward as it arrives, looks at it under recording, and signs it.
///
/// It goes on until a shift ends that had not ended when it began.
@MainActor
public struct SecondDevice {
    /// What the device saw.
    struct Sights {
        /// How many corrections it signed.
        var signed = 0
        /// How long after their writing those came that were written while it was open, in seconds.
        var delays: [TimeInterval] = []
    }

    private let device: WardDevice
    private let nurse: Nurse
    private let now: () -> Date
    private let write: @Sendable (String) -> Void

    /// Prepares a run.
    ///
    /// - Parameters:
    ///   - folder: Where its realm and its event files go; not that of another device.
    ///   - server: The address of a `daybook serve` process.
    ///   - nurse: Who looks.
    ///   - now: The time of this machine.
    ///   - write: Where progress goes; by default standard output.
    public init(
        folder: URL,
        server: URL,
        nurse: Nurse = .reviewer,
        // LIVE: what arrives arrives now.
        now: @escaping () -> Date = { Date() },
        write: @escaping @Sendable (String) -> Void = ProgressLine.standardOutput
    ) {
        device = WardDevice(folder: folder, server: server, write: write)
        self.nurse = nurse
        self.now = now
        self.write = write
    }

    /// Runs until a shift has ended, every correction is signed, and the server has all of it.
    ///
    /// - Returns: The counts, each counted where its name says.
    /// - Throws: When the chart or the event files cannot be written.
    public func run() async throws -> ClientSummary {
        let user = try await device.login()
        let realm = try await device.open(for: user)
        let baseline = try await device.recover(in: realm)
        write("\(nurse.name) is ready.\n")
        let sights = try await watch(realm)
        await realm.events?.flush()
        write("\(sights.sentence)\n")
        return try await device.deliver(realm, since: baseline, chart: ChartLoader.Summary())
    }

    /// Signs corrections as they come.
    private func watch(_ realm: Realm) async throws -> Sights {
        let (news, told) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        let token = realm.observe { _, _ in told.yield() }
        defer { token.invalidate() }
        let opened = now()
        let before = ShiftLog.lastEnded(in: realm)
        var sights = Sights()
        // What waits already is signed first.
        told.yield()
        for await _ in news {
            // Asked first: the corrections of a shift lie before its end.
            let last = ShiftLog.lastEnded(in: realm)
            try sign(in: realm, since: opened, &sights)
            if last > before { return sights }
        }
        throw CancellationError()
    }

    private func sign(in realm: Realm, since opened: Date, _ sights: inout Sights) throws {
        guard let events = realm.events else { throw WardError.notRecording }
        let waiting = realm.objects(Observation.self).where { $0.corrected != nil && $0.reviewedBy == nil }
        for id in Array(waiting.sorted(byKeyPath: "corrected").map(\._id)) {
            let seen = now()
            sights.signed += 1
            events.updateMetadata([
                "nurse": nurse.username, "shift": "\(ShiftLog.last(in: realm))",
                "step": "\(nurse.username)/\(sights.signed)",
            ])
            let scope = events.beginScope(activity: "review correction")
            guard let observation = realm.object(ofType: Observation.self, forPrimaryKey: id) else {
                // Removed between two looks.
                scope.cancel()
                continue
            }
            if let corrected = observation.corrected, corrected > opened {
                sights.delays.append(seen.timeIntervalSince(corrected))
            }
            _ = (observation.patient?.name?.family, observation.label, observation.value)
            do {
                try realm.write { observation.reviewedBy = nurse.username }
            } catch {
                scope.cancel()
                throw error
            }
            scope.commit()
        }
    }
}

extension SecondDevice.Sights {
    /// What the device saw, for people.
    var sentence: String {
        guard let slowest = delays.max() else { return "\(signed) corrections were signed; all had waited." }
        let middle = delays.sorted()[delays.count / 2]
        return "\(signed) corrections were signed; \(delays.count) came while the ward worked, half of them within "
            + "\(Self.milliseconds(middle)) ms of their writing, the slowest after \(Self.milliseconds(slowest)) ms."
    }

    private static func milliseconds(_ seconds: TimeInterval) -> Int { Int((seconds * 1000).rounded(.up)) }
}
