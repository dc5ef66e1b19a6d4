import AuditAccounts
import AuditModel
import AuditReview
import EventModel
import HummingbirdCore

/// What the console asks to find objects by their names, as they were called in events.
///
/// Each question is entered in the ``AuditTrail`` before it is answered: a name says who is a patient.
struct NameRoutes: Sendable {
    /// The longest text that is looked for, in bytes.
    private static let maximumBytes = 200

    let store: any EventReading
    let labels: ObjectLabels
    let apps: ServedApps
    let index: any SearchEngine
    let trail: AuditTrail
    let clock: any EventClock

    func add(to api: API) {
        api.get("names", .auditor, names)
    }

    private struct Answer: Encodable {
        let names: [FoundName]
        /// The people of directories whose names fit.
        let people: [DirectoryPerson]
        /// Whether no other name fits.
        let isWhole: Bool
        /// The classes whose objects have names.
        let classes: [String]
        /// Whether all stored events are in the index.
        let isCurrent: Bool
    }

    private func names(_ request: Request, _ context: AuditRequestContext, _ access: EventAccess) async throws
        -> Response
    {
        let question = try Self.question(request)
        let limit = try request.number("limit", in: 1...100, default: 10)
        let isCurrent = try await index.refresh(from: store, maximumEvents: IndexingBudget.request)
        let found = try await index.names(question, limit: limit, access, clock: clock)
        var people: [DirectoryPerson] = []
        if case .words(let text) = question { people = apps.people(named: text, limit: limit, access) }
        try await trail.record("find names", about: request.uri.query, by: context)
        return try .json(
            Answer(
                names: found.names,
                people: people,
                isWhole: found.isWhole,
                classes: labels.classes(for: access),
                isCurrent: isCurrent
            )
        )
    }

    /// Reads what is looked for: the beginnings of words, or an object by its class and its key.
    private static func question(_ request: Request) throws -> NameQuestion {
        switch (request.query("text"), request.query("class"), request.query("key")) {
        case (let text?, nil, nil):
            guard (1...maximumBytes).contains(text.utf8.count) else {
                throw AuditServerError.rejected(reason: "'text' has 1 to \(maximumBytes) bytes")
            }
            return .words(text)
        case (nil, let objectClass?, let key?): return .object(objectClass: objectClass, key: key)
        default:
            throw AuditServerError.rejected(reason: "'text' is what a name has, or 'class' and 'key' name an object")
        }
    }
}
