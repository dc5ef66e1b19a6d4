import EventModel
import Foundation

// MongoDB's Extended JSON: what JSON has no type for is an object whose one name begins with "$".
extension AnyBSON: Codable {
    /// Writes the value as Extended JSON: plain where reading gives the same value again, else with its type.
    public func encode(to encoder: any Encoder) throws {
        switch self {
        case .document(let document):
            var container = encoder.container(keyedBy: Name.self)
            for (name, value) in document.sorted(by: { $0.key < $1.key }) {
                try container.encode(value ?? .null, forKey: Name(name))
            }
        case .array(let values):
            var container = encoder.unkeyedContainer()
            for value in values { try container.encode(value ?? .null) }
        default:
            if let typed {
                var container = encoder.container(keyedBy: Name.self)
                try container.encode(typed.value, forKey: Name(typed.name))
            } else {
                try encodePlain(to: encoder)
            }
        }
    }

    private func encodePlain(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .string(let value): try container.encode(value)
        case .bool(let value): try container.encode(value)
        case .int32(let value): try container.encode(value)
        case .double(let value): try container.encode(value)
        default: try container.encodeNil()
        }
    }

    /// The name that says the type, and what stands behind it; nil where plain JSON says the same.
    private var typed: (name: String, value: AnyBSON)? {
        switch self {
        case .int64(let value): ("$numberLong", .string("\(value)"))
        // A whole number would be read as an integer, and JSON has none that is infinite.
        case .double(let value) where value.rounded() == value || !value.isFinite:
            (
                "$numberDouble",
                .string(value.isNaN ? "NaN" : value.isInfinite ? value < 0 ? "-Infinity" : "Infinity" : "\(value)")
            )
        case .decimal128(let value): ("$numberDecimal", .string("\(value)"))
        case .objectId(let value): ("$oid", .string("\(value)"))
        case .uuid(let value): ("$uuid", .string(value.uuidString.lowercased()))
        case .binary(let value):
            ("$binary", .document(["base64": .string(value.base64EncodedString()), "subType": "00"]))
        case .datetime(let value):
            ("$date", .int64(Int64(exactly: (value.timeIntervalSince1970 * 1000).rounded()) ?? 0))
        case .timestamp(let value):
            (
                "$timestamp",
                .document(["t": .number(UInt32(exactly: value.timeIntervalSince1970.rounded()) ?? 0), "i": .int32(0)])
            )
        case .regex(let value):
            (
                "$regularExpression",
                .document(["pattern": .string(value.pattern), "options": .string(value.options.letters)])
            )
        case .minKey: ("$minKey", .int32(1))
        case .maxKey: ("$maxKey", .int32(1))
        case .string, .document, .array, .bool, .int32, .double, .null: nil
        }
    }

    /// A whole number in plain JSON, which has no limit of 32 bits.
    private static func number(_ value: UInt32) -> AnyBSON {
        Int32(exactly: value).map { .int32($0) } ?? .int64(Int64(value))
    }

    /// Reads Extended JSON, plain or with its types.
    ///
    /// - Throws: `DecodingError` when the content of a type is not of its form.
    public init(from decoder: any Decoder) throws {
        if let container = try? decoder.container(keyedBy: Name.self) {
            // Anything that is no object has no such container.
            var document: Document = [:]
            for name in container.allKeys {
                document[name.stringValue] = try container.decode(AnyBSON.self, forKey: name)
            }
            guard let name = document.keys.first, document.count == 1,
                let typed = try Self.typed(name, document, decoder)
            else {
                self = .document(document)
                return
            }
            self = typed
            return
        }
        if var container = try? decoder.unkeyedContainer() {
            // Nor has anything that is no array.
            var values: [AnyBSON?] = []
            while !container.isAtEnd { values.append(try container.decode(AnyBSON.self)) }
            self = .array(values)
            return
        }
        self = try Self.plain(decoder.singleValueContainer())
    }

    private static func plain(_ container: any SingleValueDecodingContainer) throws -> AnyBSON {
        if container.decodeNil() { return .null }
        // Each type that the value does not have is refused, and the next one is tried.
        if let value = try? container.decode(Bool.self) { return .bool(value) }
        // The same for an integer,
        if let value = try? container.decode(Int64.self) {
            return Int32(exactly: value).map { .int32($0) } ?? .int64(value)
        }
        // and for a fraction.
        if let value = try? container.decode(Double.self) { return .double(value) }
        return .string(try container.decode(String.self))
    }

    /// Reads the value of a type; nil when the name is that of no type.
    private static func typed(_ name: String, _ document: Document, _ decoder: any Decoder) throws -> AnyBSON? {
        guard let content = document[name] ?? nil, Self.types.contains(name) else { return nil }
        guard let value = value(of: name, content) else {
            throw DecodingError.dataCorrupted(
                DecodingError.Context(
                    codingPath: decoder.codingPath,
                    debugDescription: "The content of '\(name)' has another form."
                )
            )
        }
        return value
    }

    private static let types: Set<String> = [
        "$numberLong", "$numberInt", "$numberDouble", "$numberDecimal", "$oid", "$uuid", "$binary", "$date",
        "$timestamp",
        "$regularExpression", "$minKey", "$maxKey",
    ]

    private static func value(of name: String, _ content: AnyBSON) -> AnyBSON? {
        let text = content.stringValue
        let parts = content.documentValue ?? [:]
        switch name {
        case "$numberLong": return text.flatMap { Int64($0) }.map { .int64($0) }
        case "$numberInt": return text.flatMap { Int32($0) }.map { .int32($0) }
        case "$numberDouble": return text.flatMap { Double($0) }.map { .double($0) }
        case "$numberDecimal": return text.flatMap { Decimal128($0) }.map { .decimal128($0) }
        // The remedy for text that is no id is the caller's.
        case "$oid": return text.flatMap { try? ObjectId(string: $0) }.map { .objectId($0) }
        case "$uuid": return text.flatMap { UUID(uuidString: $0) }.map { .uuid($0) }
        case "$binary": return binary(parts)
        case "$date":
            if let text {
                return ISO8601.microseconds(of: text).map { .datetime(Date(timeIntervalSince1970: Double($0) / 1e6)) }
            }
            return content.asInt64().map { .datetime(Date(timeIntervalSince1970: Double($0) / 1000)) }
        case "$timestamp":
            return (parts["t"] ?? nil)?.asInt64().map { .timestamp(Date(timeIntervalSince1970: Double($0))) }
        case "$regularExpression":
            guard let pattern = (parts["pattern"] ?? nil)?.stringValue else { return nil }
            let letters = (parts["options"] ?? nil)?.stringValue ?? ""
            // A pattern that is none is of another form.
            return (try? NSRegularExpression(pattern: pattern, options: .init(letters: letters))).map { .regex($0) }
        case "$minKey": return .minKey
        default: return .maxKey
        }
    }

    private static func binary(_ parts: Document) -> AnyBSON? {
        guard let text = (parts["base64"] ?? nil)?.stringValue, let data = Data(base64Encoded: text) else { return nil }
        guard (parts["subType"] ?? nil)?.stringValue == "04", data.count == 16 else { return .binary(data) }
        return .uuid(data.withUnsafeBytes { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) })
    }

    private struct Name: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }

        init(_ name: String) { stringValue = name }
        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }
}

extension NSRegularExpression.Options {
    private static let letters: [(String, NSRegularExpression.Options)] = [
        ("i", .caseInsensitive), ("m", .anchorsMatchLines), ("s", .dotMatchesLineSeparators),
        ("x", .allowCommentsAndWhitespace),
    ]

    /// The options as letters, in the order of the alphabet.
    fileprivate var letters: String { Self.letters.filter { contains($0.1) }.map(\.0).joined() }

    /// The options of letters; others are passed over.
    fileprivate init(letters: String) {
        self = Self.letters.filter { letters.contains($0.0) }.reduce(into: []) { $0.insert($1.1) }
    }
}
