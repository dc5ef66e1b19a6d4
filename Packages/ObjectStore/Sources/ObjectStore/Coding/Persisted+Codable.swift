extension Persisted: Encodable where Value: Encodable {
    /// Encodes the value of the property, also that of a managed object, with the strategies of the encoder.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(current)
    }

    private var current: Value {
        guard let (object, slot) = mark.place, let core = object._core else {
            return stored ?? Value._defaultValue()
        }
        core.validate(slot)
        return Value._read(core, slot)
    }
}

extension Persisted: Decodable where Value: Decodable {
    /// Decodes the value of the property, with the strategies of the decoder.
    public init(from decoder: any Decoder) throws {
        self.init(wrappedValue: try decoder.singleValueContainer().decode(Value.self))
    }
}

extension KeyedDecodingContainer {
    /// Decodes a property that may be nil, and is nil when its key is missing.
    public func decode<Value: _Persistable & Decodable & ExpressibleByNilLiteral>(
        _ type: Persisted<Value>.Type,
        forKey key: Key
    ) throws -> Persisted<Value> {
        try decodeIfPresent(Persisted<Value>.self, forKey: key) ?? Persisted(wrappedValue: nil)
    }
}
