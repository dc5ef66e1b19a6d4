public import Daybook

/// Puts FHIR NDJSON into a realm, line by line.
///
/// Loading the same lines again changes nothing: every resource has the id of its line as primary key.
public struct ChartLoader {
    /// What became of the lines.
    public struct Summary: Equatable, Sendable {
        /// The patients among the lines.
        public var patients = 0
        /// The visits among the lines.
        public var encounters = 0
        /// The vital signs among the lines.
        public var observations = 0
        /// The orders among the lines.
        public var medicationRequests = 0
        /// The lines that were left out, with their number from 1 and the reason.
        public var problems: [Problem] = []

        /// Creates a summary of nothing.
        public init() {}
    }

    /// A line that was left out.
    public struct Problem: Equatable, Sendable {
        /// The number of the line, from 1.
        public let line: Int
        /// Why.
        public let error: FHIRError
    }

    /// How many lines share a transaction: enough that syncs do not dominate, few enough to redo singly.
    private static let batchSize = 200

    private let realm: Realm
    private let report: (Int) -> Void

    /// Creates a loader.
    ///
    /// - Parameters:
    ///   - realm: Where the chart goes.
    ///   - progress: Called with the count of lines read, after each transaction.
    public init(realm: Realm, progress: @escaping (Int) -> Void = { _ in }) {
        self.realm = realm
        report = progress
    }

    /// Loads every line.
    ///
    /// - Throws: Only what makes going on impossible, such as a full disk; a bad line is in the summary.
    public func load(_ lines: LineReader) throws -> Summary {
        var lines = lines
        var summary = Summary()
        var batch: [(line: Int, entry: ChartEntry)] = []
        var number = 0
        while let line = try lines.next() {
            number += 1
            do throws(FHIRError) {
                if let entry = try entry(line) { batch.append((number, entry)) }
            } catch {
                summary.problems.append(Problem(line: number, error: error))
            }
            if batch.count == Self.batchSize {
                try store(batch, in: &summary)
                batch.removeAll(keepingCapacity: true)
                report(number)
            }
        }
        try store(batch, in: &summary)
        report(number)
        return summary
    }

    private func entry(_ line: LineReader.Line) throws(FHIRError) -> ChartEntry? {
        guard case .text(let bytes) = line else { throw .lineTooLong(limit: 16 * 1024 * 1024) }
        guard !bytes.allSatisfy({ $0 == 0x20 || $0 == 0x09 }) else { return nil }
        guard String(validating: bytes, as: UTF8.self) != nil else { throw .notText }
        return try ChartEntry(line: bytes)
    }

    /// Stores a batch in one transaction, or line by line when one of them is refused.
    private func store(_ batch: [(line: Int, entry: ChartEntry)], in summary: inout Summary) throws {
        guard !batch.isEmpty else { return }
        do {
            try write(batch.map(\.entry), in: &summary)
        } catch let error as Realm.Error where error.code == .invalidInput {
            for (line, entry) in batch {
                do {
                    try write([entry], in: &summary)
                } catch let error as Realm.Error where error.code == .invalidInput {
                    let reason = FHIRError.refused(error.localizedDescription)
                    summary.problems.append(Problem(line: line, error: reason))
                }
            }
        }
    }

    private func write(_ entries: [ChartEntry], in summary: inout Summary) throws {
        try realm.write { realm in
            for entry in entries { create(entry, in: realm) }
        }
        for entry in entries {
            switch entry.kind {
            case .patient: summary.patients += 1
            case .encounter: summary.encounters += 1
            case .observation: summary.observations += 1
            case .medicationRequest: summary.medicationRequests += 1
            }
        }
    }

    private func create(_ entry: ChartEntry, in realm: Realm) {
        switch entry.kind {
        case .patient: realm.create(Patient.self, value: entry.value, update: .modified)
        case .encounter: realm.create(Encounter.self, value: entry.value, update: .modified)
        case .medicationRequest: realm.create(MedicationRequest.self, value: entry.value, update: .modified)
        case .observation:
            let observation = realm.create(Observation.self, value: entry.value, update: .modified)
            if let list = observation.encounter?.observations, !list.contains(where: { $0._id == entry.id }) {
                list.append(observation)
            }
        }
    }
}
