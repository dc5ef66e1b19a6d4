import Daybook
import ObjectStoreTesting

/// The model of the Event Library's guide.
final class Person: Object {
    @Persisted(primaryKey: true) var _id: ObjectId
    @Persisted var _partition: String
    @Persisted var name: String
    @Persisted var employeeId: Int
    @Persisted var userId: String?

    convenience init(id: ObjectId, name: String, employeeId: Int) {
        self.init()
        _id = id
        self.name = name
        self.employeeId = employeeId
    }
}

/// A realm in a folder of its own that records beside itself, for one test.
@MainActor
struct RecordingRealm {
    private let place: TemporaryRealm

    init() throws {
        place = try TemporaryRealm([Person.self])
    }

    var folder: URL { place.folder }
    var path: String { place.folder.path }

    func open(_ events: EventConfiguration? = EventConfiguration()) throws -> Realm {
        try place.open { $0.eventConfiguration = events }
    }

    /// Reads every event from the files, as an auditor does.
    func storedEvents() throws -> [AuditEvent] { try place.storedEvents() }
}

extension TemporaryRealm {
    /// Reads every event from the files beside the realm, as an auditor does.
    func storedEvents() throws -> [AuditEvent] {
        try PartitionFiles.find(below: folder.path)
            .flatMap { path in
                var reader = try PartitionFileReader(path)
                var events: [AuditEvent] = []
                while let stored = try reader.next() { events.append(stored.event) }
                return events
            }
    }
}
