extension ObjectSnapshot {
    /// Decodes the value in a slot.
    ///
    /// - Complexity: O(*n*) in the bytes of the value.
    public func value(_ slot: Int) -> Value {
        guard !isNull(slot) else { return .null }
        let property = shape.properties[slot]
        if property.isPacked { return packedValue(slot)?.decoded ?? .null }
        switch property.kind {
        case .int: return .int(int(slot))
        case .bool: return .bool(bool(slot))
        case .float: return .float(float(slot))
        case .double: return .double(double(slot))
        case .string: return .string(string(slot))
        case .data: return .data(Array(bytes(slot)))
        case .date: return .date(date(slot))
        case .objectId: return .objectId(objectId(slot))
        case .uuid: return .uuid(uuid(slot))
        case .decimal128: return .decimal128(decimal128(slot))
        case .any, .link, .embedded: return .null
        }
    }

    /// The value of the primary key; `.null` when the class has none.
    public var primaryKey: Value {
        shape.primaryKeySlot.map(value) ?? .null
    }

    /// Names the object of this snapshot.
    public var reference: ObjectReference {
        ObjectReference(className: shape.name, key: key, primaryKey: primaryKey)
    }
}
