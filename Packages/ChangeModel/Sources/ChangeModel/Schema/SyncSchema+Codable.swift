import EventModel

/// The form in which people read and hand over a schema, such as JSON.
///
/// ```json
/// {"classes": [{"name": "Patient", "kind": "object", "key": "_id", "properties": [
///     {"name": "_id", "type": "int"},
///     {"name": "visits", "type": "link", "collection": "list", "target": "Visit"},
///     {"name": "weight", "type": "double", "optional": true}]}]}
/// ```
/// Classes and properties stand in the order of the bytes of their names. A kind is `object`, `embedded` or `asymmetric`;
/// types are those of `PropertyShape.Kind`, collections `list`, `set` and `dictionary`.
extension SyncSchema: Codable {
    private enum CodingKeys: String, CodingKey {
        case classes
    }

    /// Reads a schema.
    ///
    /// - Throws: `DecodingError` for a class or property that is there twice, and for words that this version does not know.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        let classes = try container.decode([Class].self, forKey: .classes)
        if let twice = classes.lazy.map(\.name).firstTwice {
            throw DecodingError.dataCorruptedError(
                forKey: .classes,
                in: container,
                debugDescription: "the class \(twice) is there twice"
            )
        }
        self.init(classes)
    }

    /// Writes the schema, equal ones in the same order.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(classes.values.sorted { $0.name < $1.name }, forKey: .classes)
    }
}

extension SyncSchema.Class: Codable {
    private enum CodingKeys: String, CodingKey {
        case name, kind, key, properties
    }

    private enum Kind: String, Codable {
        case object, embedded, asymmetric
    }

    /// Reads a class.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        let name = try container.decode(String.self, forKey: .name)
        let kind = try container.decodeIfPresent(Kind.self, forKey: .kind) ?? .object
        let properties = try container.decode([NamedProperty].self, forKey: .properties)
        if let twice = properties.lazy.map(\.name).firstTwice {
            throw DecodingError.dataCorruptedError(
                forKey: .properties,
                in: container,
                debugDescription: "the property \(name).\(twice) is there twice"
            )
        }
        self.init(
            ExactText(name),
            key: try container.decodeIfPresent(String.self, forKey: .key).map { ExactText($0) },
            isEmbedded: kind == .embedded,
            isAsymmetric: kind == .asymmetric,
            properties: Dictionary(properties.map { ($0.name, $0.property) }, uniquingKeysWith: { $1 })
        )
    }

    /// Writes the class.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(name.string, forKey: .name)
        try container.encode(isEmbedded ? Kind.embedded : isAsymmetric ? .asymmetric : .object, forKey: .kind)
        try container.encodeIfPresent(key?.string, forKey: .key)
        let sorted = properties.sorted { $0.key < $1.key }
        try container.encode(sorted.map { NamedProperty(name: $0.key, property: $0.value) }, forKey: .properties)
    }
}

/// A property beside its name.
private struct NamedProperty: Codable {
    let name: ExactText
    let property: SyncSchema.Property

    private enum CodingKeys: String, CodingKey {
        case name, type, collection, optional, target
    }

    init(name: ExactText, property: SyncSchema.Property) {
        self.name = name
        self.property = property
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        func word<Word: RawRepresentable>(_ key: CodingKeys, _ text: String) throws -> Word
        where Word.RawValue == UInt8 {
            let words = (0...UInt8.max).lazy.compactMap { Word(rawValue: $0) }
            if let word = words.first(where: { "\($0)" == text }) { return word }
            throw DecodingError.dataCorruptedError(
                forKey: key,
                in: container,
                debugDescription: "the words are \(words.map { "\($0)" }.joined(separator: ", "))"
            )
        }
        name = ExactText(try container.decode(String.self, forKey: .name))
        property = SyncSchema.Property(
            try word(.type, try container.decode(String.self, forKey: .type)),
            try container.decodeIfPresent(String.self, forKey: .collection)
                .map { try word(.collection, $0) } ?? .none,
            isOptional: try container.decodeIfPresent(Bool.self, forKey: .optional) ?? false,
            target: try container.decodeIfPresent(String.self, forKey: .target).map { ExactText($0) }
        )
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(name.string, forKey: .name)
        try container.encode("\(property.kind)", forKey: .type)
        if property.collection != .none { try container.encode("\(property.collection)", forKey: .collection) }
        if property.isOptional { try container.encode(true, forKey: .optional) }
        try container.encodeIfPresent(property.target?.string, forKey: .target)
    }
}

extension Sequence where Element: Hashable {
    /// The first element that was there before.
    fileprivate var firstTwice: Element? {
        var seen: Set<Element> = []
        return first { !seen.insert($0).inserted }
    }
}
