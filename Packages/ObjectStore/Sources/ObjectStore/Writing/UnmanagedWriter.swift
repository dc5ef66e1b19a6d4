/// Fills unmanaged objects from values.
struct UnmanagedWriter {
    /// Stores what the value supplies; absent properties keep their defaults.
    func fill(_ object: ObjectBase, from value: Any, depth: Int) throws(Realm.Error) {
        let schema = try ClassSchema.of(type(of: object))
        let source = try ObjectSource(value, for: schema, depth: depth)
        for property in schema.properties {
            guard let value = source.value(property) else { continue }
            try store(value, property, in: object, schema, depth: depth)
        }
    }

    /// Stores a value in one property.
    func store(
        _ value: Any,
        _ property: PersistedProperty,
        in object: ObjectBase,
        _ schema: ClassSchema,
        depth: Int
    ) throws(Realm.Error) {
        let field = property.field(in: object)
        let place = "\(schema.name).\(property.name)"
        switch property.operations.role {
        case .scalar(let operations):
            guard operations.store(field, value) else { throw .mismatch(value, property.type, at: place) }
        case .link(let operations):
            operations.store(field, try made(property.type, from: value, at: place, depth: depth))
        case .any:
            AnyRealmValue.store(try AnyRealmValue(value, at: place, depth: depth), at: field)
        case .collection(let operations):
            let values = try TakenValues(value, for: property.type, at: place)
            try operations.stored(field).fill(from: values, at: place, depth: depth)
        }
    }

    /// Returns the object itself or makes one; nil for null.
    func made(
        _ type: _PropertyType,
        from value: Any,
        at place: String,
        depth: Int
    ) throws(Realm.Error) -> ObjectBase? {
        guard let value = unwrapped(value), let target = type.target else { return nil }
        if let object = persistedObject(value) {
            guard Swift.type(of: object) == target else {
                throw .wrongClass(Swift.type(of: object).className(), expected: target.className(), at: place)
            }
            return object
        }
        guard value is [String: Any] || value is [Any] else { throw .mismatch(value, type, at: place) }
        let object = target.init()
        try fill(object, from: value, depth: depth + 1)
        return object
    }
}
