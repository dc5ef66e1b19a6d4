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

    /// The place in the log that comes next.
    private var next: UInt64 = 0
    private var seen: [UInt64: Finding] = [:]
    /// How often all of the log was compared.
    package private(set) var rounds: UInt64 = 0

    /// What is wrong, in the order of the log: of each partition as it was when it was looked at last.
    package var findings: [Finding] { seen.values.sorted { $0.entry.index < $1.entry.index } }

    /// Compares some more entries of the log.
    ///
    /// - Parameters:
    ///   - limit: How many at most; fewer when they have very many events.
    ///   - events: What is there.
    ///   - log: The log.
    /// - Returns: What was found in them.
    /// - Throws: `unavailable` when the store fails; the next step goes on.
    /// - Complexity: O(*n*) in the events of these partitions, of which none is read.
    package mutating func step(
        _ limit: Int,
        in events: any EventReading,
        log: any SealLog
    ) async throws -> [Finding] {
        let entries = try await Self.affordable(log.logEntries(from: next, limit: limit))
        guard let last = entries.last else {
            next = 0
            rounds += 1
            return []
        }
        let holdings = try await events.holdings(of: entries.map(\.partition))
        var found: [Finding] = []
        for (entry, holding) in zip(entries, holdings) {
            let problems = Self.problems(entry, holding)
            seen[entry.index] = nil
            guard !problems.isEmpty else { continue }
            let finding = Finding(entry: entry, eventCount: holding.eventCount, problems: problems)
            if seen.count < Self.maximumFindings { seen[entry.index] = finding }
            found.append(finding)
        }
        next = last.index + 1
        return found
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
