import AuditModel
import AuditReview
import EventModel
import EventProofs
import HummingbirdCore

/// What an auditor asks about devices: what their newest events say about them, and what is odd about their clocks.
struct CompletenessRoutes: Sendable {
    /// How many partitions one request names at most.
    private static let maximumPartitions = 100

    let store: any EventReading
    let index: any SearchEngine
    let trail: AuditTrail
    let desk: ReviewDesk

    func add(to api: API) {
        api.get("completeness/log", .auditor, log)
        api.get("completeness/clocks", .auditor, clocks)
        api.get("completeness/devices", .auditor, devices)
    }

    private func clocks(_ request: Request, _ context: AuditRequestContext, _ access: EventAccess) async throws
        -> Response
    {
        let limit = try request.number("limit", in: 1...500, default: 100)
        try await index.refresh(from: store, maximumEvents: IndexingBudget.request)
        let findings = try await index.clockFindings(access, limit: limit)
        try await trail.record("view clocks", about: request.uri.query, by: context)
        return try .json(findings)
    }

    /// A sealed partition that is not there as the log says.
    private struct Missing: Encodable {
        let partition: PartitionID
        let app: String
        let user: String
        /// How many events its device sealed.
        let sealed: UInt64
        /// How many are there.
        let stored: UInt64
        /// What is wrong, each a sentence without its end.
        let problems: [String]
    }

    private struct Comparison: Encodable {
        let missing: [Missing]
        /// The sealed partitions that follow one which is not stored.
        let gaps: [PartitionID]
        /// How often all of the log was compared since the server started.
        let rounds: UInt64
        let check: CheckAnswer
    }

    /// Answers what the log and the store disagree about; compares some more of it first, so that a short log is compared now.
    private func log(_ request: Request, _ context: AuditRequestContext, _ access: EventAccess) async throws -> Response
    {
        let check = try await desk.compareLog()
        let gaps = try await desk.gaps.followers(access)
        try await trail.record("compare log", about: request.uri.query, by: context)
        let missing = check.findings
            .filter { access.includes($0.entry.partition, of: $0.entry.owner) }
            .map { found in
                Missing(
                    partition: found.entry.partition,
                    app: found.entry.app,
                    user: found.entry.user,
                    sealed: found.entry.seal.count,
                    stored: found.eventCount,
                    problems: found.problems
                )
            }
        let answer = CheckAnswer(desk.findings.page, desk.settings, access)
        return try .json(Comparison(missing: missing, gaps: gaps, rounds: check.rounds, check: answer))
    }

    private func devices(_ request: Request, _ context: AuditRequestContext, _ access: EventAccess) async throws
        -> Response
    {
        let names = request.uri.queryParameters[values: "partition"]
        guard names.count <= Self.maximumPartitions else {
            throw AuditServerError.rejected(reason: "more than \(Self.maximumPartitions) partitions are named")
        }
        let partitions = try names.map { try PartitionID.reading(String($0)) }
        try await index.refresh(from: store, maximumEvents: IndexingBudget.request)
        let found = try await index.circumstances(of: partitions, access)
        try await trail.record("view devices", about: request.uri.query, by: context)
        return try .json(found)
    }
}
