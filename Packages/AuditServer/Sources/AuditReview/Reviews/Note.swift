package import AuditModel
package import EventModel

/// What somebody wrote about something; nobody changes or removes it.
package struct Note: Sendable, Hashable, Codable {
    /// The most bytes of a text.
    package static let maximumBytes = 4096
    /// How many notes are kept in mind, and so may be written.
    package static let maximumCount = 200_000

    /// What it is about.
    package let subject: NoteSubject
    /// The text, without any form.
    package let text: String
    /// Who wrote it.
    package let author: Author

    package init(subject: NoteSubject, text: String, author: Author) {
        self.subject = subject
        self.text = text
        self.author = author
    }
}

/// What a note is about.
package enum NoteSubject: Sendable, Hashable {
    /// An event.
    case event(EventAddress)
    /// A partition.
    case partition(PartitionID)
    /// An object of an app.
    case object(app: String, objectClass: String, key: String)
    /// A review.
    case review(String)
    /// An alert.
    case alert(String)
}

extension NoteSubject {
    /// What tells subjects apart: names are compared by their bytes.
    private enum Exact: Hashable {
        case event(EventAddress)
        case partition(PartitionID)
        case named([ExactText])
    }

    private var exact: Exact {
        switch self {
        case .event(let address): .event(address)
        case .partition(let partition): .partition(partition)
        case .object(let app, let objectClass, let key):
            .named(["object", ExactText(app), ExactText(objectClass), ExactText(key)])
        case .review(let id): .named(["review", ExactText(id)])
        case .alert(let id): .named(["alert", ExactText(id)])
        }
    }

    package static func == (left: NoteSubject, right: NoteSubject) -> Bool { left.exact == right.exact }

    package func hash(into hasher: inout Hasher) { hasher.combine(exact) }
}

extension NoteSubject: Codable {
    private enum CodingKeys: String, CodingKey {
        case partition, sequence, app, key, review, alert
        case objectClass = "class"
    }

    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        func text(_ key: CodingKeys) throws -> String? { try container.decodeIfPresent(String.self, forKey: key) }
        let (app, objectClass, key) = (try text(.app), try text(.objectClass), try text(.key))
        let partition = try container.decodeIfPresent(PartitionID.self, forKey: .partition)
        let sequence = try container.decodeIfPresent(UInt64.self, forKey: .sequence)
        switch (partition, sequence, app, objectClass, key, try text(.review), try text(.alert)) {
        case (let partition?, let sequence?, nil, nil, nil, nil, nil) where sequence > 0:
            self = .event(EventAddress(partition: partition, sequence: sequence))
        case (let partition?, nil, nil, nil, nil, nil, nil): self = .partition(partition)
        case (nil, nil, let app?, let objectClass?, let key?, nil, nil):
            self = .object(app: app, objectClass: objectClass, key: key)
        case (nil, nil, nil, nil, nil, let review?, nil): self = .review(review)
        case (nil, nil, nil, nil, nil, nil, let alert?): self = .alert(alert)
        default:
            throw DecodingError.dataCorrupted(
                .init(codingPath: decoder.codingPath, debugDescription: "It names no subject of a note.")
            )
        }
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        switch self {
        case .event(let address):
            try container.encode(address.partition, forKey: .partition)
            try container.encode(address.sequence, forKey: .sequence)
        case .partition(let partition): try container.encode(partition, forKey: .partition)
        case .object(let app, let objectClass, let key):
            try container.encode(app, forKey: .app)
            try container.encode(objectClass, forKey: .objectClass)
            try container.encode(key, forKey: .key)
        case .review(let id): try container.encode(id, forKey: .review)
        case .alert(let id): try container.encode(id, forKey: .alert)
        }
    }
}
