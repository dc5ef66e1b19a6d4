package import AuditModel
import AuditVerifying
package import EventModel
package import EventProofs

/// Verifies everything that is stored, a little at a time, and begins anew at the end.
///
/// ```
///  partitions ──────────────────> erasures ──> log ──┐
///  │ each leaf, root, seal, owner,  records,    root,  │
///  │ column, time of receipt        trail       heads  │
///  └──────────────── the next pass <───────────────────┘
/// ```
/// It recomputes each leaf, root and seal, compares what is shown of a partition with them, holds what is said to be erased against its
/// records, and recomputes the log of sealed partitions, which it holds against the heads that reviewers have signed and against
/// the checkpoint that was published: what others saw must still be there.
package struct StoreCheck: Sendable {
    /// What was finished, and what is wrong with it.
    package struct Verdict: Sendable, Hashable {
        /// What was looked at.
        package let subject: CheckSubject
        /// Whose partition it is; nil where it is about none.
        package let owner: EventOwner?
        /// A sentence for everything that is wrong; empty when all is as it should be.
        package let problems: [String]
        /// The root over what is there now, of a sealed partition; nil of what grows, where it is another one each time.
        package let root: Digest?
    }

    /// What was found out elsewhere, which the store is held against.
    package struct Evidence: Sendable {
        /// The roots that the log had at sizes, as reviewers signed them.
        package var heads: [UInt64: Digest]
        /// The newest checkpoint that was published; nil when the log is not published.
        package var published: Checkpoint?
        /// Says whether the trail has words; nil when nobody can tell now.
        package var trailSays: @Sendable (String) async throws -> Bool?

        package init(
            heads: [UInt64: Digest] = [:],
            published: Checkpoint? = nil,
            trailSays: @escaping @Sendable (String) async throws -> Bool? = { _ in nil }
        ) {
            self.heads = heads
            self.published = published
            self.trailSays = trailSays
        }
    }

    /// Where a pass goes on after a restart: with the partition, the erasure or the entry of the log that comes next.
    package struct Position: Sendable, Hashable, Codable {
        /// The pass.
        package let pass: CheckPass
        /// The last partition that is done; nil before the first.
        package private(set) var after: PartitionID?
        /// How far the erasures are; nil when they are not under way.
        fileprivate private(set) var erasures: Erasures?
        /// How far the log is; nil when it is not under way.
        fileprivate private(set) var log: LogCheck?

        package init(_ pass: CheckPass, after: PartitionID?) {
            self.pass = pass
            self.after = after
        }

        fileprivate init(_ pass: CheckPass, _ erasures: Erasures) {
            self.pass = pass
            self.erasures = erasures
        }

        fileprivate init(_ pass: CheckPass, _ log: LogCheck) {
            self.pass = pass
            self.log = log
        }
    }

    /// How far the records of erasures are.
    struct Erasures: Sendable, Hashable, Codable {
        /// The most sentences that are kept of them.
        private static let maximumProblems = 100

        /// The last one that is done.
        private(set) var after: Int64 = 0
        /// What is wrong with them.
        private(set) var problems: [String] = []

        mutating func add(_ number: Int64, _ problem: String?) {
            after = number
            if let problem, problems.count < Self.maximumProblems { problems.append(problem) }
        }
    }

    /// What a pass is at.
    private enum Stage: Sendable {
        /// The partition behind this one is next.
        case partitions(after: PartitionID?)
        /// A partition is being verified, which follows another one.
        case partition(PartitionRecord, PartitionAudit, after: PartitionID?)
        /// The records of erasures are being verified.
        case erasures(Erasures)
        /// The log is being verified.
        case log(LogCheck)
    }

    /// The most events and entries that are read at once.
    private static let page = 250
    /// A bound for the payloads that are read at once, in bytes.
    private static let pageBytes = 1_048_576

    /// The public keys that this server signs receipts with, and did.
    private let keys: [[UInt8]]
    private var stage = Stage.partitions(after: nil)
    /// How often everything was verified, since this began or was taken up.
    package private(set) var rounds: UInt64 = 0
    /// The pass that is under way; nil before its first step.
    package private(set) var pass: CheckPass?
    /// The last pass that came to the end; nil when there was none since this began.
    package private(set) var last: CheckPass?

    /// Begins with the first partition, or where an earlier process was.
    ///
    /// - Parameters:
    ///   - keys: The public keys that this server signs receipts with, and did.
    ///   - position: Where an earlier process was.
    ///   - last: The last pass that came to the end.
    package init(signedBy keys: [[UInt8]], from position: Position? = nil, last: CheckPass? = nil) {
        self.keys = keys
        self.last = last
        guard let position else { return }
        pass = position.pass
        stage =
            position.log.map { .log($0) } ?? position.erasures.map { .erasures($0) }
            ?? .partitions(after: position.after)
    }

    /// Where a later process goes on; nil when a pass begins.
    package var position: Position? {
        guard let pass else { return nil }
        return switch stage {
        case .partitions(let after), .partition(_, _, let after): Position(pass, after: after)
        case .erasures(let erasures): Position(pass, erasures)
        case .log(let check): Position(pass, check)
        }
    }

    /// Verifies some more.
    ///
    /// What cannot be read because it is damaged is a verdict, and the pass goes on behind it where that can be told.
    ///
    /// - Parameters:
    ///   - budget: How many events and entries at most.
    ///   - events: What is stored.
    ///   - log: The log of sealed partitions.
    ///   - evidence: What the store is held against.
    ///   - now: The time.
    /// - Returns: What is to be said of what was finished.
    /// - Throws: `unavailable` when the store fails; the next step goes on.
    package mutating func step(
        _ budget: Int,
        in events: any EventReading,
        log: any SealLog,
        against evidence: Evidence,
        at now: EventInstant
    ) async throws -> [Verdict] {
        var left = budget
        var verdicts: [Verdict] = []
        let round = rounds
        if pass == nil { pass = CheckPass(began: now) }
        while left > 0, rounds == round {
            do {
                switch stage {
                case .partitions(let last):
                    try await next(after: last, in: events, &left, &verdicts)
                case .partition(let record, let audit, let last):
                    let step = try await verify(record, audit, after: last, in: events, log, &left)
                    if let step { verdicts.append(step) }
                case .erasures(let erasures):
                    try await verifyErasure(erasures, in: events, evidence, &left, &verdicts)
                case .log(let check):
                    try await verify(check, in: log, evidence, &left, &verdicts, at: now)
                }
            } catch let error as AuditServerError {
                guard let damage = error.damage else { throw error }
                left -= 1
                verdicts.append(passOver(damage, evidence, at: now))
            }
        }
        return verdicts
    }

    /// Goes on behind what cannot be read.
    private mutating func passOver(_ damage: String, _ evidence: Evidence, at now: EventInstant) -> Verdict {
        switch stage {
        case .partitions:
            stage = .erasures(Erasures())
            let sentence = "A partition cannot be read, and those behind it are not verified: \(damage)."
            return Verdict(subject: CheckSubject(.partitions), owner: nil, problems: [sentence], root: nil)
        case .partition(let record, _, _):
            stage = .partitions(after: record.partition)
            let subject = CheckSubject(.events, of: record.partition)
            let sentence = "Partition \(record.partition): it cannot be read, as \(damage)."
            return Verdict(subject: subject, owner: record.owner, problems: [sentence], root: nil)
        case .erasures(let erasures):
            stage = .log(LogCheck(published: evidence.published))
            let problems = erasures.problems + ["What is recorded as erased cannot be read: \(damage)."]
            return Verdict(subject: CheckSubject(.erasures), owner: nil, problems: problems, root: nil)
        case .log(let check):
            end(at: now)
            return check.verdict(["The log cannot be read: \(damage)."])
        }
    }

    private mutating func end(at now: EventInstant) {
        stage = .partitions(after: nil)
        rounds += 1
        pass?.ended = now
        (last, pass) = (pass, nil)
    }

    // MARK: - Partitions

    private mutating func next(
        after last: PartitionID?,
        in events: any EventReading,
        _ left: inout Int,
        _ verdicts: inout [Verdict]
    ) async throws {
        let record = try await events.partitions(after: last, limit: 1).first
        left -= 1
        guard let record else {
            stage = .erasures(Erasures())
            verdicts.append(Verdict(subject: CheckSubject(.partitions), owner: nil, problems: [], root: nil))
            return
        }
        var audit = PartitionAudit(partition: record.partition)
        audit.checkTimes(of: record.owner, signedBy: keys)
        stage = .partition(record, audit, after: last)
    }

    private mutating func verify(
        _ record: PartitionRecord,
        _ audit: PartitionAudit,
        after previous: PartitionID?,
        in events: any EventReading,
        _ log: any SealLog,
        _ left: inout Int
    ) async throws -> Verdict? {
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
            stage = .partition(record, audit, after: previous)
            return nil
        }
        audit.finish(count: record.count, root: record.root, seal: record.seal)
        let current = try await events.holdings(of: [record.partition]).first?.record
        let entry = try await log.logEntry(of: record.partition)
        stage = .partitions(after: record.partition)
        // A partition that was removed meanwhile is none that is damaged here; the log tells of it.
        guard let current else { return nil }
        // What was sealed between the two questions is not in the first answer.
        if current.seal != nil || entry == nil {
            for problem in RecordCheck.problems(of: current, entry) { audit.report(problem) }
        }
        pass?.partitions += 1
        if record.seal != nil { pass?.sealedPartitions += 1 }
        pass?.events += audit.count
        return Verdict(
            subject: CheckSubject(.events, of: record.partition),
            owner: record.owner,
            problems: audit.problems,
            root: current.seal == nil ? nil : audit.frontier.root
        )
    }

    // MARK: - Erasures and the log

    private mutating func verifyErasure(
        _ done: Erasures,
        in events: any EventReading,
        _ evidence: Evidence,
        _ left: inout Int,
        _ verdicts: inout [Verdict]
    ) async throws {
        guard let record = try await events.erasures(after: done.after, limit: 1).first else {
            left -= 1
            stage = .log(LogCheck(published: evidence.published))
            verdicts.append(Verdict(subject: CheckSubject(.erasures), owner: nil, problems: done.problems, root: nil))
            return
        }
        let ranges = try await events.ranges(of: record.number)
        left -= max(1, ranges.ranges.count)
        let problem = try await ErasureCheck.problem(of: record, ranges) { words in
            try await evidence.trailSays(words) ?? true
        }
        var erasures = done
        erasures.add(record.number, problem.map { "What is recorded as erased cannot be relied on: \($0)." })
        stage = .erasures(erasures)
    }

    private mutating func verify(
        _ check: LogCheck,
        in log: any SealLog,
        _ evidence: Evidence,
        _ left: inout Int,
        _ verdicts: inout [Verdict],
        at now: EventInstant
    ) async throws {
        var check = check
        let verdict = try await check.step(min(left, Self.page), in: log, heads: evidence.heads)
        left -= verdict.read
        guard let problems = verdict.problems else {
            stage = .log(check)
            return
        }
        verdicts.append(check.verdict(problems))
        end(at: now)
    }
}

extension StoreCheck.Verdict {
    /// The alert that says so; another one when something else is wrong.
    package func alert(at now: EventInstant) -> Alert {
        var alert = Alert(
            rule: "verification",
            .verifyFailure,
            of: owner,
            // Of what grows, the words tell what is wrong: the alert itself may go into the partition that it is about.
            subject: [subject.partition?.value ?? subject.kind.rawValue] + (root.map { [$0.hex] } ?? problems),
            from: now,
            through: now
        )
        alert.partition = subject.partition
        alert.count = UInt64(problems.count)
        alert.detail = problems.first
        return alert
    }
}
