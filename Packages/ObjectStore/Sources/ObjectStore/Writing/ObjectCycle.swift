extension ObjectBase {
    /// Whether both are one instance, or accessors of one row.
    func isSameInstanceOrRow(as other: ObjectBase) -> Bool {
        if self === other { return true }
        guard let core = _core, let otherCore = other._core else { return false }
        return core.isSameRow(as: otherCore)
    }
}

extension Realm.Error {
    /// The error of a value that contains itself: each object refers to the next, and the last one is the first again.
    static func cycle(_ objects: some Collection<ObjectBase>) -> Realm.Error {
        let path = zip(objects, objects.dropFirst()).map { $0.place(referringTo: $1) }
        let name = objects.first.map { type(of: $0).className() } ?? ""
        return Realm.Error(
            .invalidInput,
            """
            The value for '\(name)' refers back to itself through \(path.joined(separator: ", ")); 'create' cannot \
            copy a cycle, add the object instead.
            """
        )
    }
}

extension ObjectBase {
    /// The class and the property through which this object refers to another one.
    fileprivate func place(referringTo other: ObjectBase) -> String {
        let name = type(of: self).className()
        let property = classSchema.properties.first { property in
            value(of: property).map { refers($0, to: other) } ?? false
        }
        return property.map { "\(name).\($0.name)" } ?? name
    }

    private func refers(_ value: Any, to other: ObjectBase) -> Bool {
        switch unwrapped(value) {
        case let object as ObjectBase: object.isSameInstanceOrRow(as: other)
        case let value as AnyRealmValue: value.bare.map { refers($0, to: other) } ?? false
        case let collection as any PersistedCollection:
            collection.taken.items.contains { refers($0.value, to: other) }
        default: false
        }
    }
}
