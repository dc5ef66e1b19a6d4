package import AuditModel
import AuditVerifying
package import EventModel
import EventProofs

/// Verifies everything that is stored, a little at a time, and begins anew at the end.
///
/// It recomputes each leaf, root and seal, compares what is shown of a partition with them, and recomputes the log of sealed
/// partitions, which it holds against the heads that reviewers have signed: what they saw must still be there.
package struct StoreCheck: Sendable {
    /// What is wrong, and where.
    package struct Finding: Sendable, Hashable {
        /// The partition; nil when it is the log.
        package let record: PartitionRecord?
        /// A sentence for everything that is wrong.
        package let problems: [String]
        /// The root over what is there now.
        package let root: Digest
    }

    private enum Stage: Sendable {
        /// The partition behind this one is next.
        case partitions(after: PartitionID?)
        /// A partition is being verified.
        case partition(PartitionRecord, PartitionAudit)
        /// The log is being verified.
        case log(MerkleFrontier, wrong: [UInt64])
    }

    /// The most events and entries that are read at once.
    private static let page = 250
    /// A bound for the payloads that are read at once, in bytes.
    private static let pageBytes = 1_048_576

    /// The public keys that this server signs receipts with, and did.
    private let keys: [[UInt8]]
    private var stage = Stage.partitions(after: nil)
    /// How often everything was verified.
    package private(set) var rounds: UInt64 = 0

    package init(signedBy keys: [[UInt8]]) {
        self.keys = keys
    }

    /// Verifies some more.
    ///
    /// - Parameters:
    ///   - budget: How many events and entries at most.
    ///   - events: What is stored.
    ///   - log: The log of sealed partitions.
    ///   - heads: The roots that the log had at sizes, as reviewers signed them.
    /// - Returns: What is wrong with what was finished.
    /// - Throws: `unavailable` when the store fails; the next step goes on.
    package mutating func step(
        _ budget: Int,
        in events: any EventReading,
        log: any SealLog,
        heads: [UInt64: Digest]
    ) async throws -> [Finding] {
        var left = budget
        var findings: [Finding] = []
        let round = rounds
        while left > 0, rounds == round {
            switch stage {
            case .partitions(let last):
                let record = try await events.partitions(after: last, limit: 1).first
                left -= 1
                stage =
                    record.map { .partition($0, audit(of: $0)) }
                    ?? .log(MerkleFrontier(), wrong: [])
            case .partition(let record, let audit):
                try await verify(record, audit, in: events, log, &left, &findings)
            case .log(let frontier, let wrong):
                try await verify(frontier, wrong, in: log, heads, &left, &findings)
            }
        }
        return findings
    }

    private func audit(of record: PartitionRecord) -> PartitionAudit {
        var audit = PartitionAudit(partition: record.partition)
        audit.checkTimes(of: record.owner, signedBy: keys)
        return audit
    }

    private mutating func verify(
        _ record: PartitionRecord,
        _ audit: PartitionAudit,
        in events: any EventReading,
        _ log: any SealLog,
        _ left: inout Int,
        _ findings: inout [Finding]
    ) async throws {
        var audit = audit
        let page = try await events.events(
            EventFilter(partition: record.partition, includesRepeated: true),
            after: EventCursor(partition: record.partition, sequence: audit.lastSequence),
            limit: min(left, Self.page),
            maximumBytes: Self.pageBytes
        )
        left -= max(1, page.events.count)
        // What arrived since the record was read is not in its root.
        for event in page.events where event.sequence <= record.count { audit.add(StoredLeaf(event)) }
        guard page.next == nil || audit.lastSequence >= record.count else {
            stage = .partition(record, audit)
            return
        }
        stage = .partitions(after: record.partition)
        audit.finish(count: record.count, root: record.root, seal: record.seal)
        // A partition that was removed meanwhile is none that is damaged here; the log tells of it.
        guard let current = try await events.holdings(of: [record.partition]).first?.record else { return }
        let entry = try await log.logEntry(of: record.partition)
        // What was sealed between the two questions is not in the first answer.
        if current.seal != nil || entry == nil {
            for problem in RecordCheck.problems(of: current, entry) { audit.report(problem) }
        }
        guard !audit.problems.isEmpty else { return }
        findings.append(Finding(record: record, problems: audit.problems, root: audit.frontier.root))
    }

    private mutating func verify(
        _ frontier: MerkleFrontier,
        _ wrong: [UInt64],
        in log: any SealLog,
        _ heads: [UInt64: Digest],
        _ left: inout Int,
        _ findings: inout [Finding]
    ) async throws {
        var (frontier, wrong) = (frontier, wrong)
        let limit = min(left, Self.page)
        let entries = try await log.logEntries(from: frontier.count, limit: limit)
        left -= max(1, entries.count)
        var problems: [String] = []
        for entry in entries {
            if entry.index != frontier.count { problems.append("Entry \(frontier.count) of the log is missing.") }
            frontier.append(entry.leaf)
            if let head = heads[frontier.count], head != frontier.root { wrong.append(frontier.count) }
        }
        guard entries.isEmpty || !problems.isEmpty else {
            stage = .log(frontier, wrong: wrong)
            return
        }
        let count = frontier.count
        let root = try await log.withLog(durably: false) { tree in
            tree.count >= count ? try tree.root(at: count) : nil
        }
        if root != frontier.root { problems.append("The root over the log's entries differs from the stored one.") }
        problems += wrong.map { "The log is not the one that had \($0) partitions when a review was signed off." }
        if let longest = heads.keys.max(), longest > count {
            problems.append("The log has \(count) partitions, and had \(longest) when a review was signed off.")
        }
        if !problems.isEmpty { findings.append(Finding(record: nil, problems: problems, root: frontier.root)) }
        stage = .partitions(after: nil)
        rounds += 1
    }
}

extension StoreCheck.Finding {
    /// The alert that says so; another one when something else is wrong.
    package func alert(at now: EventInstant) -> Alert {
        var alert = Alert(
            rule: "verification",
            .verifyFailure,
            of: record?.owner,
            subject: [record?.partition.value ?? "log", root.hex],
            from: now,
            through: now
        )
        alert.partition = record?.partition
        alert.count = UInt64(problems.count)
        alert.detail = problems.first
        return alert
    }
}
