package import AuditModel
import EventModel
import Foundation

/// An event as AuditEvent of HL7 FHIR R4 (4.0.1).
///
/// What FHIR has no place for stands in the details of the last entity, which names the event's place and leaf hash.
package struct FHIRAuditEvent {
    private static let dicom = "http://dicom.nema.org/resources/ontology/DCM"
    private static let lifecycle = "http://terminology.hl7.org/CodeSystem/iso-21089-lifecycle"
    private static let restful = "http://hl7.org/fhir/restful-interaction"

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

    /// The resource as one line of JSON.
    package var line: [UInt8] { resource.line }

    private var resource: JSONTree {
        [
            "resourceType": "AuditEvent",
            "id": .text("\(stored.partition.id.stringValue)-\(stored.sequence)"),
            "type": type,
            "subtype": subtype,
            "action": actionCode,
            "recorded": .text((stored.event?.timestamp ?? stored.received ?? .init(microseconds: 0)).description),
            "outcome": outcome.code,
            "outcomeDesc": outcome.text,
            "purposeOfEvent": Self.text(person.reason).map { [["text": .text($0)]] } ?? .absent,
            "agent": .list(agents),
            "source": [
                "site": JSONTree(Self.text(stored.owner?.app)),
                "observer": [
                    "identifier": [
                        "system": "urn:daybook:partition", "value": JSONTree(Self.text(stored.partition.value)),
                    ],
                    "display": "Daybook",
                ],
                "type": [
                    audited == nil
                        ? Self.coding("http://terminology.hl7.org/CodeSystem/security-source-type", "1", "User Device")
                        : Self.coding("http://terminology.hl7.org/CodeSystem/security-source-type", "3", "Web Server")
                ],
            ],
            "entity": .list(objects + query + [place]),
        ]
    }

    // MARK: - What

    private var type: JSONTree {
        switch action {
        case .read: Self.coding(Self.lifecycle, "access", "Access/View Record Lifecycle Event")
        case .query: Self.coding(Self.dicom, "110112", "Query")
        case .create: Self.coding(Self.lifecycle, "originate", "Originate/Retain Record Lifecycle Event")
        case .update, .write: Self.coding(Self.lifecycle, "amend", "Amend (Update) Record Lifecycle Event")
        case .delete: Self.coding(Self.lifecycle, "destroy", "Destroy/Delete Record Lifecycle Event")
        case .audit: Self.coding(Self.dicom, "110101", "Audit Log Used")
        case .custom, .unknown: Self.coding(Self.dicom, "110100", "Application Activity")
        }
    }

    private var subtype: JSONTree {
        switch action {
        case .read: return [Self.coding(Self.restful, "read", "read")]
        case .query: return [Self.coding(Self.restful, "search-type", "search")]
        case .create: return [Self.coding(Self.restful, "create", "create")]
        case .update, .write: return [Self.coding(Self.restful, "update", "update")]
        case .delete: return [Self.coding(Self.restful, "delete", "delete")]
        case .audit: return [Self.own("auditor", stored.event?.activity)]
        case .custom: return [Self.own("event", stored.event?.event ?? stored.event?.activity)]
        case .unknown: return .absent
        }
    }

    /// A code of the app's own; a text that cannot be a code is the display alone.
    private static func own(_ kind: String, _ name: String?) -> JSONTree {
        let words = name.flatMap(text)?.split(whereSeparator: \.isWhitespace).joined(separator: " ") ?? "custom"
        return ["system": .text("urn:daybook:\(kind)"), "code": .text(words), "display": JSONTree(name.flatMap(text))]
    }

    private var actionCode: JSONTree {
        switch action {
        case .read, .audit: "R"
        case .query, .custom: "E"
        case .create: "C"
        case .update, .write: "U"
        case .delete: "D"
        case .unknown: .absent
        }
    }

    private var outcome: (code: JSONTree, text: JSONTree) {
        switch stored.outcome {
        case .complete, .nothingFound: ("0", .absent)
        case .interrupted: ("4", "The scope ended with its process and not by a commit.")
        case .incomplete: ("8", "The payload could not be recorded.")
        case .damaged: ("12", "The stored columns no longer make up the event that was received.")
        case .erased: ("0", "What the event said was erased; its hash stays.")
        }
    }

    // MARK: - Who

    private var agents: [JSONTree] {
        let account = person.account.flatMap(Self.text)
            .map { account -> JSONTree in
                ["system": .text("urn:daybook:app:\(Self.token(stored.owner?.app ?? ""))"), "value": .text(account)]
            }
        let name = JSONTree(person.name.flatMap(Self.text))
        let address = person.address.flatMap(Self.text)
        var agents: [JSONTree] = [
            [
                "who": account.map { ["identifier": $0, "display": name] } ?? .absent,
                "name": name,
                "requestor": true,
                "network": address.map { ["address": .text($0), "type": "2"] } ?? .absent,
            ]
        ]
        if let boot = stored.event?.clock.boot, audited == nil {
            agents.append([
                "type": ["coding": [Self.coding(Self.dicom, "110153", "Source Role ID")]],
                "who": ["identifier": ["system": "urn:daybook:boot", "value": .text(boot.hex)]],
                "requestor": false,
            ])
        }
        return agents
    }

    // MARK: - With what

    private var objects: [JSONTree] {
        (stored.event.map { EventObject.all(in: $0) } ?? [])
            .map { object in
                let name = object.objectClass ?? "object"
                return [
                    "what": [
                        "identifier": [
                            "system": .text("urn:daybook:class:\(Self.token(name))"),
                            "value": JSONTree(Self.text(object.key)),
                        ],
                        "display": JSONTree(Self.text("\(name) \(object.key)")),
                    ],
                    "type": Self.entityType(isPerson: name == "Patient"),
                    "role": name == "Patient" ? Self.role("1", "Patient") : Self.role("4", "Domain Resource"),
                    "lifecycle": Self.lifecycle(of: object.action),
                ]
            }
    }

    private static func lifecycle(of action: EventObject.Action) -> JSONTree {
        let system = "http://terminology.hl7.org/CodeSystem/dicom-audit-lifecycle"
        return switch action {
        case .read, .shown: coding(system, "6", "Access / Use")
        case .inserted: coding(system, "1", "Origination / Creation")
        case .modified: coding(system, "3", "Amendment")
        case .deleted: coding(system, "14", "Logical deletion")
        }
    }

    /// What was asked for: the classes of a query, or an auditor's filter.
    private var query: [JSONTree] {
        let asked: String
        switch action {
        case .query: asked = stored.event.map { EventObject.classes(in: $0) }?.joined(separator: ",") ?? ""
        case .audit: asked = audited?.about ?? ""
        default: return []
        }
        guard !asked.isEmpty else { return [] }
        return [
            [
                "type": Self.entityType(isPerson: false), "role": Self.role("24", "Query"),
                "query": .text(Self.base64(Array(asked.utf8))),
            ]
        ]
    }

    /// Where the event is, with everything that FHIR has no place for.
    private var place: JSONTree {
        var details: [JSONTree] = []
        func add(_ type: String, _ value: String?) {
            guard let value = value.flatMap(Self.text) else { return }
            details.append(["type": .text(type), "valueString": .text(value)])
        }
        let event = stored.event
        add("sequence", "\(stored.sequence)")
        add("leafHash", stored.leaf?.hex)
        add("id", event?.id.stringValue)
        add("activity", event?.activity)
        add("event", event?.event)
        add("received", stored.received?.description)
        add("scopeCommitted", event?.scopeCommitted?.description)
        if let place = event?.sync.map({ EventPlace($0) }) {
            add("sync.history", place.history)
            add("sync.file", place.file.map { "\($0)" })
            add("sync.position", "\(place.position)")
            add("sync.change", "\(place.change)")
            add("sync.changes", place.changes.map { "\($0)" })
        }
        add("monotonicNanoseconds", event.map { "\($0.clock.monotonicNanoseconds)" })
        for entry in event?.metadata.entries ?? [] { add("metadata.\(Self.text(entry.key) ?? "")", entry.value) }
        if let data = event?.data, !data.isEmpty {
            details.append(["type": "data", "valueBase64Binary": .text(Self.base64(data))])
        }
        return [
            "what": [
                "identifier": [
                    "system": "urn:daybook:event",
                    "value": JSONTree(Self.text("\(stored.partition.value)/\(stored.sequence)")),
                ]
            ],
            "type": Self.entityType(isPerson: false),
            "role": Self.role("13", "Security Resource"),
            "name": "Event in the audit log",
            "detail": .list(details),
        ]
    }

    // MARK: - Words

    private static func coding(_ system: String, _ code: String, _ display: String) -> JSONTree {
        ["system": .text(system), "code": .text(code), "display": .text(display)]
    }

    private static func entityType(isPerson: Bool) -> JSONTree {
        let system = "http://terminology.hl7.org/CodeSystem/audit-entity-type"
        return isPerson ? coding(system, "1", "Person") : coding(system, "2", "System Object")
    }

    private static func role(_ code: String, _ display: String) -> JSONTree {
        coding("http://terminology.hl7.org/CodeSystem/object-role", code, display)
    }

    private static func base64(_ bytes: [UInt8]) -> String { Data(bytes).base64EncodedString() }

    /// A text as FHIR allows it: not empty, not of spaces alone, and without control characters; nil when nothing is left.
    private static func text(_ text: String?) -> String? {
        guard let text, text.unicodeScalars.contains(where: { !$0.properties.isWhitespace }) else { return nil }
        guard text.utf8.contains(where: { $0 < 0x20 && ![0x09, 0x0A, 0x0D].contains($0) }) else { return text }
        let scalars = text.unicodeScalars.map { scalar -> Unicode.Scalar in
            scalar.value < 0x20 && !["\t", "\n", "\r"].contains(scalar) ? "\u{FFFD}" : scalar
        }
        return String(String.UnicodeScalarView(scalars))
    }

    /// A name as part of a URN, which has no spaces.
    private static func token(_ text: String) -> String {
        text.addingPercentEncoding(withAllowedCharacters: .alphanumerics.union(["-", ".", "_"])) ?? "unknown"
    }
}
