import AuditModel
import AuditReview
import AuditSearch
import EventModel
import HummingbirdCore

/// What the console asks to show a record as somebody saw it at a moment.
struct ReconstructionRoutes: Sendable {
    let store: any EventReading
    let masks: EventMasks
    let index: any SearchEngine
    let trail: AuditTrail
    let clock: any EventClock

    func add(to api: API) {
        api.get("reconstruct", .auditor, reconstruct)
    }

    private func reconstruct(_ request: Request, _ context: AuditRequestContext, _ access: EventAccess) async throws
        -> Response
    {
        var subject = try request.filter(for: access, masks, besides: ["at"])
        guard let objectClass = subject.objectClass, let key = subject.objectKey else {
            throw AuditServerError.rejected(reason: "'class' and 'key' name the object")
        }
        (subject.objectClass, subject.objectKey) = (nil, nil)
        guard
            subject.person != nil || subject.partition != nil || subject.boot != nil || !subject.metadata.isEmpty
        else {
            throw AuditServerError.rejected(
                reason: "'person', 'partition', 'boot' or metadata.KEY says whose view it is"
            )
        }
        let moment = try await moment(request, subject.access)
        try await index.refresh(from: store, maximumEvents: IndexingBudget.request)
        let reader = ReconstructionReader(store: store, index: index, clock: clock)
        let material = try await reader.material(about: objectClass, key, seenBy: subject, at: moment)
        let record = Reconstruction(of: material.observations, at: moment)
        let links = try await index.knownKeys(KeyTexts.all(in: record), subject.access)
        try await trail.record("reconstruct", about: request.uri.query, by: context)
        return try .json(ReconstructionAnswer(record, of: material, at: moment, links: links))
    }

    /// Reads the moment: a time, or an event as `PARTITION/SEQUENCE`; without either, now.
    private func moment(_ request: Request, _ access: EventAccess) async throws -> ReconstructionMoment {
        guard let text = request.query("at") else { return ReconstructionMoment(clock.now().wall) }
        if let instant = EventInstant(text) { return ReconstructionMoment(instant) }
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 2, let sequence = UInt64(parts[1]), sequence > 0 else {
            throw AuditServerError.rejected(
                reason: "'at' is a time such as 2026-01-31T08:30:00Z, or an event as PARTITION/SEQUENCE"
            )
        }
        let address = EventAddress(partition: try .reading(String(parts[0])), sequence: sequence)
        guard
            let stored = try await store.events(at: [address]).first, let event = stored.event,
            stored.owner.map({ access.includes(stored.partition, of: $0) }) ?? false
        else { throw AuditServerError.notFound }
        return ReconstructionMoment(event.clock, of: stored.owner)
    }
}

extension KeyTexts {
    /// Returns the texts of a record that may be keys of objects.
    static func all(in record: Reconstruction) -> [String] {
        let values = record.fields.flatMap { [$0.shown?.value, $0.known?.value] }.compactMap(\.self)
        return values.reduce(into: Set<ExactText>()) { $0.formUnion(all(inJSON: Array($1.utf8))) }
            .sorted().prefix(maximumCount).map(\.string)
    }
}
