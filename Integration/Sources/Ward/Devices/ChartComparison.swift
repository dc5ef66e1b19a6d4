public import Daybook

/// Whether two devices hold the same chart, and how many changes both have.
@MainActor
public struct ChartComparison {
    private let folders: [URL]
    private let server: URL
    private let write: @Sendable (String) -> Void

    /// Prepares a comparison.
    ///
    /// - Parameters:
    ///   - folders: Those of two devices, which no process uses now.
    ///   - server: The address of a `daybook serve` process.
    ///   - write: Where progress goes; by default standard output.
    public init(
        _ folders: [URL],
        server: URL,
        write: @escaping @Sendable (String) -> Void = ProgressLine.standardOutput
    ) {
        self.folders = folders
        self.server = server
        self.write = write
    }

    /// Waits until each device has what the others have written, and compares object by object.
    ///
    /// - Returns: What both have.
    /// - Throws: When a device cannot be opened, or its session ends.
    public func run() async throws -> SyncSummary {
        var realms: [Realm] = []
        for folder in folders {
            let device = WardDevice(folder: folder, server: server, write: write)
            realms.append(try await device.open(for: try await device.login(), recorded: false))
        }
        for realm in realms { try await realm.syncSession?.wait(for: .upload) }
        for realm in realms {
            try await realm.syncSession?.wait(for: .download)
            realm.refresh()
        }
        let summary = SyncSummary(
            changes: realms.compactMap { $0.syncSession?.position }.min() ?? 0,
            objects: realms.first.map { realm in Self.counts(in: realm) } ?? 0,
            differences: Self.differences(between: realms)
        )
        write(
            summary.differences.isEmpty
                ? "Both devices have \(summary.changes) changes, and the same \(summary.objects) objects.\n"
                : "The devices differ: \(summary.differences.joined(separator: "; ")).\n"
        )
        return summary
    }

    private static func counts(in realm: Realm) -> Int {
        realm.objects(Patient.self).count + realm.objects(Encounter.self).count
            + realm.objects(Observation.self).count + realm.objects(MedicationRequest.self).count
            + realm.objects(ShiftLog.self).count
    }

    /// The first difference of each class.
    private static func differences(between realms: [Realm]) -> [String] {
        guard let first = realms.first else { return [] }
        return realms.dropFirst()
            .flatMap { other in
                [
                    difference(of: Patient.self, first, other), difference(of: Encounter.self, first, other),
                    difference(of: Observation.self, first, other),
                    difference(of: MedicationRequest.self, first, other),
                    difference(of: ShiftLog.self, first, other),
                ]
                .compactMap(\.self)
            }
    }

    private static func difference<Entry: Charted>(of type: Entry.Type, _ one: Realm, _ other: Realm) -> String? {
        let (mine, theirs) = (
            one.objects(Entry.self).sorted(byKeyPath: "_id"), other.objects(Entry.self).sorted(byKeyPath: "_id")
        )
        guard mine.count == theirs.count else { return "\(Entry.self): \(mine.count) and \(theirs.count) objects" }
        for (left, right) in zip(mine, theirs) where left.charted != right.charted {
            return "\(Entry.self) \(left.charted.first?.flatMap(\.self) ?? "")"
        }
        return nil
    }
}

/// An object of the chart, as what two devices have to agree on: its key first.
@MainActor
private protocol Charted: Object {
    var charted: [String?] { get }
}

extension Patient: Charted {
    fileprivate var charted: [String?] {
        [_id, name?.family, name.map { $0.given.joined(separator: " ") }, gender, birthDate.text, deceased.text]
            + addresses.flatMap { [$0.lines.joined(separator: ","), $0.city, $0.postalCode] }
    }
}

extension Encounter: Charted {
    fileprivate var charted: [String?] {
        [_id, status, kind, reason, start.text, end.text, patient?._id] + observations.map(\._id)
    }
}

extension Observation: Charted {
    fileprivate var charted: [String?] {
        let own = [
            _id, code, label, status, value?.description, unit, effective.text, enteredBy, corrected.text, reviewedBy,
            patient?._id, encounter?._id,
        ]
        return own + components.flatMap { [$0.code, $0.label, $0.value?.description, $0.unit] }
    }
}

extension MedicationRequest: Charted {
    fileprivate var charted: [String?] { [_id, status, medication, authored.text, patient?._id, encounter?._id] }
}

extension ShiftLog: Charted {
    fileprivate var charted: [String?] { ["\(_id)", began.text, ended.text] }
}

extension Date? {
    /// Exact, unlike what is made for people.
    fileprivate var text: String? { self.map { "\($0.timeIntervalSinceReferenceDate)" } }
}
