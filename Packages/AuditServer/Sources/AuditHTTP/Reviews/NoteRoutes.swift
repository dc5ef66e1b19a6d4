import AuditModel
import AuditReview
import EventModel
import EventProofs
import HummingbirdCore

/// Notes about events, partitions, objects, reviews and alerts: read and write them.
struct NoteRoutes: Sendable {
    /// The largest body, in bytes.
    private static let maximumBytes = 32_768
    /// How many notes about one thing are answered, the newest.
    private static let shownCount = 500

    let desk: ReviewDesk
    let accounts: any AccountStore

    private struct Order: Decodable {
        let subject: NoteSubject
        let text: String
    }

    func add(to api: API) {
        api.get("notes", .auditor, list)
        api.post("notes", .auditor, write)
    }

    private func list(_ request: Request, _ context: AuditRequestContext, _ access: EventAccess) async throws
        -> Response
    {
        let subject = try subject(request)
        _ = try await desk.catchUp(maximumEvents: IndexingBudget.request)
        try await check(subject, access)
        try await desk.trail.record("read notes", about: subject.text, by: context)
        let places = desk.read { $0.notes[subject] ?? [] }.suffix(Self.shownCount)
        return try .json(await notes(Array(places)))
    }

    /// Reads the texts from the trail; one that is not what was written says so in the place of its text.
    private func notes(_ places: [EntryPlace]) async throws -> [NoteLine] {
        var found: [EventAddress: StoredEvent] = [:]
        for stored in try await desk.events.events(at: places.map(\.address)) {
            found[EventAddress(partition: stored.partition, sequence: stored.sequence)] = stored
        }
        return places.map { place in
            guard let stored = found[place.address], let event = stored.event,
                MerkleHash.leaf(event.encoded) == stored.leaf, case .note(let note) = AuditTrail.entry(in: event)
            else { return NoteLine(nil, at: place) }
            return NoteLine(note, at: place)
        }
    }

    private func write(_ request: Request, _ context: AuditRequestContext, _ access: EventAccess) async throws
        -> Response
    {
        let form = #"{"subject": {"partition": "…", "sequence": 1}, "text": "…"}"#
        let order = try await request.json(Order.self, upTo: Self.maximumBytes, form: form)
        let text = try WrittenText.lines(order.text, "a note", upTo: Note.maximumBytes)
        _ = try await desk.catchUp(maximumEvents: IndexingBudget.request)
        try await check(order.subject, access)
        guard desk.read(\.noteCount) < Note.maximumCount else {
            throw AuditServerError.rejected(reason: "there are \(Note.maximumCount) notes, and no more are kept")
        }
        let note = Note(subject: order.subject, text: text, author: try await accounts.author(of: context))
        let place = try await desk.write(.note(note), about: order.subject.text, by: context.actor)
        return try .json(NoteLine(note, at: place))
    }

    private func subject(_ request: Request) throws -> NoteSubject {
        let names: Set<Substring> = ["partition", "sequence", "app", "class", "key", "review", "alert"]
        // TEXT: names of parameters, which are ours.
        var values: [String: String] = [:]
        for (name, value) in request.uri.queryParameters {
            guard names.contains(name), values.updateValue(String(value), forKey: String(name)) == nil else {
                throw AuditServerError.rejected(reason: "a parameter is unknown or given twice")
            }
        }
        let sequence = values["sequence"].flatMap { UInt64($0) }
        switch Set(values.keys) {
        case ["partition", "sequence"]:
            guard let sequence, sequence > 0 else { break }
            let partition = try PartitionID.reading(values["partition"] ?? "")
            return .event(EventAddress(partition: partition, sequence: sequence))
        case ["partition"]: return .partition(try PartitionID.reading(values["partition"] ?? ""))
        case ["app", "class", "key"]:
            return .object(app: values["app"] ?? "", objectClass: values["class"] ?? "", key: values["key"] ?? "")
        case ["review"]: return .review(values["review"] ?? "")
        case ["alert"]: return .alert(values["alert"] ?? "")
        default: break
        }
        throw AuditServerError.rejected(
            reason:
                "notes are about a partition, with a sequence or without, about app, class and key, a review or an alert"
        )
    }

    /// Checks that somebody may know of a subject; to everybody else it is as if it were not there.
    private func check(_ subject: NoteSubject, _ access: EventAccess) async throws {
        let isKnown: Bool
        switch subject {
        case .event(let address):
            let record = try await desk.events.partition(address.partition)
            isKnown =
                record.map { address.sequence <= $0.count && access.includes($0.partition, of: $0.owner) } ?? false
        case .partition(let partition):
            let record = try await desk.events.partition(partition)
            isKnown = record.map { access.includes($0.partition, of: $0.owner) } ?? false
        case .object(let app, let objectClass, let key):
            // Whether there is such an object is not known here; a note may as well say that there is none.
            guard [app, objectClass, key].allSatisfy({ (1...1024).contains($0.utf8.count) }) else {
                throw AuditServerError.rejected(reason: "app, class and key have 1 to 1024 bytes")
            }
            isKnown = access.includesAll(of: app)
        case .review(let id): isKnown = desk.read { $0.review(id)?.value.scope.isVisible(to: access) ?? false }
        case .alert(let id): isKnown = desk.read { $0.alerts[id]?.alert.isVisible(to: access) ?? false }
        }
        guard isKnown else { throw AuditServerError.missing(what: "there is nothing that the note is about") }
    }
}

extension NoteSubject {
    /// The subject in words, for the trail.
    fileprivate var text: String {
        switch self {
        case .event(let address): "\(address.partition.value)/\(address.sequence)"
        case .partition(let partition): partition.value
        case .object(let app, let objectClass, let key): "\(objectClass) \(key) of \(app)"
        case .review(let id): "review \(id)"
        case .alert(let id): "alert \(id)"
        }
    }
}

/// A note as it is answered.
public struct NoteLine: Sendable, Hashable, Codable {
    /// The text; nil when it is not what was written any more.
    public let text: String?
    /// Who wrote it.
    public let author: String?
    /// When, ISO 8601.
    public let written: String
    /// The event of the auditors' trail that holds it.
    public let event: EventPlaceLine

    init(_ note: Note?, at place: EntryPlace) {
        text = note?.text
        author = note?.author.name
        written = place.time.description
        event = EventPlaceLine(place.address)
    }
}
