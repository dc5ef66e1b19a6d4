package import AuditModel
import AuditVerifying
package import EventModel
package import EventProofs

/// Compares the log of sealed partitions with what the store holds, a little at a time, and begins anew at the end.
///
/// It counts events and reads none, so that what is gone is seen soon; ``StoreCheck`` looks at each event, which takes longer.
package struct HoldingCheck: Sendable {
    /// A sealed partition that is not there as the log says.
    package struct Finding: Sendable, Hashable {
        /// What the log says.
        package let entry: PartitionLogEntry
        /// How many events are there.
        package let eventCount: UInt64
        /// A sentence without its end for everything that is wrong.
        package let problems: [String]
    }

    /// After how many events of sealed partitions to leave the rest for the next step.
    package static let maximumEvents: UInt64 = 500_000
    /// The most findings that are kept; a log of which more is wrong has been told of often enough.
    package static let maximumFindings = 1000

    /// What a step looked at.
    package struct Step: Sendable {
        /// What is wrong.
        package fileprivate(set) var findings: [Finding] = []
        /// The partitions that are there as the log says.
        package fileprivate(set) var sound: [PartitionID] = []
        /// The entries of the log that cannot be read, so far or in a whole round; nil when nothing new is known of that.
        package fileprivate(set) var damaged: [UInt64]?
    }

    /// The place in the log that comes next.
    package private(set) var next: UInt64
    private var seen: [UInt64: Finding] = [:]
    /// Whether the round that is under way began with the first entry.
    private var isWhole: Bool
    /// The entries that could not be read in this round: some of them, if there are very many.
    private var damaged: [UInt64] = []
    /// How often all of the log was compared since the server started.
    package private(set) var rounds: UInt64 = 0

    /// What is wrong, in the order of the log: of each partition as it was when it was looked at last.
    package var findings: [Finding] { seen.values.sorted { $0.entry.index < $1.entry.index } }

    /// Begins with the first entry, or with that where an earlier process was.
    package init(from next: UInt64 = 0) {
        self.next = next
        isWhole = next == 0
    }

    /// Compares some more entries of the log.
    ///
    /// An entry or a partition that cannot be read because it is damaged keeps nobody from those behind it.
    ///
    /// - Parameters:
    ///   - limit: How many at most; fewer when they have very many events.
    ///   - events: What is there.
    ///   - log: The log.
    /// - Returns: What was found in them.
    /// - Throws: `unavailable` when the store fails; the next step goes on.
    /// - Complexity: O(*n*) in the events of these partitions, of which none is read.
    package mutating func step(_ limit: Int, in events: any EventReading, log: any SealLog) async throws -> Step {
        var step = Step()
        do {
            try await look(limit, in: events, log, &step)
        } catch let error as AuditServerError where error.damage != nil {
            let count = try await log.withLog(durably: false) { $0.count }
            for _ in 0..<limit where next < count { try await lookAtOne(in: events, log, &step) }
        }
        return step
    }

    private mutating func look(
        _ limit: Int,
        in events: any EventReading,
        _ log: any SealLog,
        _ step: inout Step
    ) async throws {
        let entries = try await Self.affordable(log.logEntries(from: next, limit: limit))
        guard let last = entries.last else {
            next = 0
            if isWhole {
                rounds += 1
                step.damaged = damaged
            }
            isWhole = true
            damaged = []
            return
        }
        let holdings = try await events.holdings(of: entries.map(\.partition))
        for (entry, holding) in zip(entries, holdings) {
            note(entry, holding.eventCount, Self.problems(entry, holding), &step)
        }
        next = last.index + 1
    }

    /// Looks at the next entry alone, among some of which one is damaged.
    private mutating func lookAtOne(in events: any EventReading, _ log: any SealLog, _ step: inout Step) async throws {
        let index = next
        next += 1
        let entry: PartitionLogEntry
        do {
            // One that is missing is a matter of the root over all of them.
            guard let found = try await log.logEntries(from: index, limit: 1).first, found.index == index else {
                return
            }
            entry = found
        } catch let error as AuditServerError where error.damage != nil {
            if damaged.count < Self.maximumFindings { damaged.append(index) }
            step.damaged = damaged
            return
        }
        do {
            let holdings = try await events.holdings(of: [entry.partition])
            for holding in holdings { note(entry, holding.eventCount, Self.problems(entry, holding), &step) }
        } catch let error as AuditServerError where error.damage != nil {
            note(entry, 0, ["what is kept of it is damaged"], &step)
        }
    }

    private mutating func note(_ entry: PartitionLogEntry, _ count: UInt64, _ problems: [String], _ step: inout Step) {
        seen[entry.index] = nil
        guard !problems.isEmpty else { return step.sound.append(entry.partition) }
        let finding = Finding(entry: entry, eventCount: count, problems: problems)
        if seen.count < Self.maximumFindings { seen[entry.index] = finding }
        step.findings.append(finding)
    }

    /// Returns the first entries, one at least, whose events are counted without keeping others waiting.
    private static func affordable(_ entries: [PartitionLogEntry]) -> ArraySlice<PartitionLogEntry> {
        var count: UInt64 = 0
        return entries.prefix { entry in
            defer { count &+= entry.seal.count }
            return count < maximumEvents
        }
    }

    private static func problems(_ entry: PartitionLogEntry, _ holding: PartitionHolding) -> [String] {
        guard let record = holding.record else {
            return ["the log has \(entry.seal.count) events of it, and it is gone"]
        }
        var problems: [String] = []
        if holding.eventCount != entry.seal.count {
            problems.append("the log has \(entry.seal.count) events of it, and \(holding.eventCount) are there")
        }
        return problems + RecordCheck.problems(of: record, entry)
    }
}

extension HoldingCheck.Finding {
    /// The alert that says so; another one when something else is wrong.
    package func alert(at now: EventInstant) -> Alert {
        var alert = Alert(
            rule: "verification",
            .verifyFailure,
            of: entry.owner,
            subject: [entry.partition.value, "log"] + problems,
            from: now,
            through: now
        )
        alert.partition = entry.partition
        alert.count = UInt64(problems.count)
        alert.detail = problems.first
        return alert
    }
}
