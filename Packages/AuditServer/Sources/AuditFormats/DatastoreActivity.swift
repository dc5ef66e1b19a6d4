package import AuditModel
import EventModel

/// An event as Datastore Activity (class 6005) of the Open Cybersecurity Schema Framework.
///
/// What the class has no attribute for stands in `unmapped`, among it the event's place and leaf hash.
package struct DatastoreActivity {
    /// The version of the schema.
    package static let schemaVersion = "1.5.0"
    private static let classUID: Int64 = 6005

    private let stored: StoredEvent
    private let action: EventAction
    private let audited: AuditedRequest?
    private let person: EventPerson

    /// Describes an event as whoever exports may see it.
    package init(_ stored: StoredEvent) {
        self.stored = stored
        action = EventAction(stored)
        audited = action == .audit ? AuditedRequest(stored.event) : nil
        person = EventPerson(stored, audited)
    }

    /// The event as one line of JSON.
    package var line: [UInt8] { event.line }

    private var event: JSONTree {
        let (activity, name) = activity
        let time = (stored.event?.timestamp ?? stored.received ?? .init(microseconds: 0)).milliseconds
        let classes = stored.event.map { EventObject.classes(in: $0) } ?? []
        return [
            "activity_id": .number(activity),
            "activity_name": .text(name),
            "actor": actor,
            "category_name": "Application Activity",
            "category_uid": 6,
            "class_name": "Datastore Activity",
            "class_uid": .number(Self.classUID),
            "database": [
                "name": .text(stored.owner?.app ?? "local"), "type": "Object Oriented", "type_id": 3,
            ],
            "message": JSONTree(stored.event?.activity),
            "metadata": metadata,
            "query_info": query(of: classes),
            "raw_data": JSONTree(stored.event?.dataText),
            "severity": "Informational",
            "severity_id": 1,
            "src_endpoint": source,
            "status": isSuccess ? "Success" : "Failure",
            "status_detail": isSuccess ? .absent : .text(stored.outcome.rawValue),
            "status_id": isSuccess ? 1 : 2,
            "table": classes.isEmpty ? .absent : ["name": .text(classes.joined(separator: ", "))],
            "time": .number(time),
            "type": classes.isEmpty ? "Database" : "Table",
            "type_id": classes.isEmpty ? 1 : 3,
            "type_name": .text("Datastore Activity: \(activity == 99 ? "Other" : name)"),
            "type_uid": .number(Self.classUID * 100 + activity),
            "unmapped": unmapped,
        ]
    }

    private var isSuccess: Bool { stored.outcome == .complete || stored.outcome == .nothingFound }

    private var activity: (id: Int64, name: String) {
        switch action {
        case .read: (1, "Read")
        case .update: (2, "Update")
        case .query: (4, "Query")
        case .write: (5, "Write")
        case .create: (6, "Create")
        case .delete: (7, "Delete")
        case .audit: (99, stored.event?.activity ?? "audit")
        case .custom: (99, stored.event?.event ?? stored.event?.activity ?? "custom")
        case .unknown: (0, "Unknown")
        }
    }

    private var actor: JSONTree {
        let name = JSONTree(person.name)
        return [
            "app_name": JSONTree(stored.owner?.app),
            "user": [
                "name": name == .absent ? .text(person.account ?? "unknown") : name,
                "type": "User", "type_id": 1, "uid": JSONTree(person.account),
            ],
        ]
    }

    /// The device: by its address where one is known, else by the run of its system.
    private var source: JSONTree {
        if let address = person.address { return ["ip": .text(address)] }
        return ["name": "device", "uid": .text(stored.event?.clock.boot.hex ?? "unknown")]
    }

    private var metadata: JSONTree {
        [
            "log_name": .text(stored.partition.value),
            "logged_time": stored.received.map { .number($0.milliseconds) } ?? .absent,
            "original_time": JSONTree(stored.event?.timestamp.description),
            "product": ["name": "Daybook", "vendor_name": "Daybook"],
            "sequence": .number(Int64(clamping: stored.sequence)),
            "uid": .text("\(stored.partition.value)/\(stored.sequence)"),
            "version": .text(Self.schemaVersion),
        ]
    }

    /// What was asked for: the classes of a query, or an auditor's filter.
    private func query(of classes: [String]) -> JSONTree {
        switch action {
        case .query: ["name": "query", "query_string": .text(classes.joined(separator: ", "))]
        case .audit: ["name": .text(activity.name), "query_string": .text(audited?.about ?? "")]
        default: .absent
        }
    }

    private var unmapped: JSONTree {
        let event = stored.event
        let columns = event?.metadata.entries ?? []
        let objects = event.map { EventObject.all(in: $0) } ?? []
        return [
            "boot": JSONTree(event?.clock.boot.hex),
            "event": JSONTree(event?.event),
            "id": JSONTree(event?.id.stringValue),
            "leaf_hash": JSONTree(stored.leaf?.hex),
            "metadata": columns.isEmpty
                ? .absent : .object(columns.reduce(into: [:]) { $0[$1.key] = .text($1.value) }),
            "monotonic_nanoseconds": JSONTree(event.map { "\($0.clock.monotonicNanoseconds)" }),
            "objects": objects.isEmpty
                ? .absent
                : .list(
                    objects.map { object in
                        [
                            "action": .text(object.action.rawValue), "class": JSONTree(object.objectClass),
                            "key": .text(object.key),
                        ]
                    }
                ),
            "outcome": .text(stored.outcome.rawValue),
            "partition": .text(stored.partition.value),
            "reason": JSONTree(person.reason),
            "scope_committed": JSONTree(event?.scopeCommitted?.description),
            "sequence": .number(Int64(clamping: stored.sequence)),
            "sync": event?.sync.map { Self.place(EventPlace($0)) } ?? .absent,
            "timestamp": JSONTree(event?.timestamp.description),
        ]
    }
}

extension DatastoreActivity {
    private static func place(_ place: EventPlace) -> JSONTree {
        [
            "change": .number(Int64(place.change)),
            "changes": place.changes.map { .number(Int64($0)) } ?? .absent,
            "file": place.file.map { .number(Int64($0)) } ?? .absent,
            "history": JSONTree(place.history),
            "position": .number(Int64(place.position)),
        ]
    }
}

extension EventInstant {
    /// Milliseconds since 1970, rounded down.
    fileprivate var milliseconds: Int64 { microseconds >= 0 ? microseconds / 1000 : (microseconds - 999) / 1000 }
}
