// JSON does not tell an id from text, nor a date from what the strategy of the encoder makes of it: what is decoded is the
// value that the text itself shows.
extension AnyRealmValue: Codable {
    /// Encodes the content itself: null for ``none``, an object as it encodes itself, lists and dictionaries with all inside.
    ///
    /// - Parameter encoder: The encoder, whose strategies for dates, data and infinite numbers hold.
    /// - Throws: `EncodingError` for an object whose class is not `Encodable`, and what the encoder throws.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .none: try container.encodeNil()
        case .int(let value): try container.encode(value)
        case .bool(let value): try container.encode(value)
        case .float(let value): try container.encode(value)
        case .double(let value): try container.encode(value)
        case .string(let value): try container.encode(value)
        case .data(let value): try container.encode(value)
        case .date(let value): try container.encode(value)
        case .objectId(let value): try container.encode(value)
        case .decimal128(let value): try container.encode(value)
        case .uuid(let value): try container.encode(value)
        case .dictionary(let value): try container.encode(value)
        case .list(let value): try container.encode(value)
        case .object(let value):
            guard let encodable = value as? any Encodable else {
                throw EncodingError.invalidValue(
                    value,
                    EncodingError.Context(
                        codingPath: encoder.codingPath,
                        debugDescription: "The class '\(type(of: value).className())' is not Encodable."
                    )
                )
            }
            try container.encode(encodable)
        }
    }

    /// Decodes what JSON has: null, truth values, numbers, text, arrays and dictionaries.
    ///
    /// A number that is an integer becomes ``int(_:)``, every other one ``double(_:)``.
    ///
    /// - Parameter decoder: The decoder.
    /// - Throws: What the decoder throws for a value of another kind.
    public init(from decoder: any Decoder) throws {
        // A decoder only tells what is there by refusing all else.
        if let entries = try? decoder.container(keyedBy: EntryKey.self) {
            var values: [String: AnyRealmValue] = [:]
            for key in entries.allKeys { values[key.stringValue] = try entries.decode(AnyRealmValue.self, forKey: key) }
            self = .fromDictionary(values)
            return
        }
        if var elements = try? decoder.unkeyedContainer() {
            var values: [AnyRealmValue] = []
            while !elements.isAtEnd { values.append(try elements.decode(AnyRealmValue.self)) }
            self = .fromArray(values)
            return
        }
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            self = .none
        } else if let truth = try? container.decode(Bool.self) {
            self = .bool(truth)
        } else if let number = try? container.decode(Int.self) {
            self = .int(number)
        } else if let number = try? container.decode(Double.self) {
            self = .double(number)
        } else {
            self = .string(try container.decode(String.self))
        }
    }
}
