extension ObjectBase {
    /// Reads a property by its Swift name.
    ///
    /// - Precondition: The class has the property.
    public final func value(forKey key: String) -> Any? {
        classSchema.origin(named: key).map(value) ?? value(of: requireProperty(key))
    }

    /// Writes a property by its Swift name, converting the value as `create` does.
    ///
    /// - Precondition: The class has the property, and a transaction is open if the object is managed. A value that
    ///   cannot be converted dooms the transaction of a managed object and traps for an unmanaged one.
    public final func setValue(_ value: Any?, forKey key: String) {
        let property = requireProperty(key)
        guard let core = _core else {
            do throws(Realm.Error) {
                try UnmanagedWriter().fill(self, from: [key: value as Any], depth: 0)
            } catch {
                misuse("The value cannot be stored: \(error.message)")
            }
            return
        }
        let realm = core.confinedRealm
        let name = "\(core.table.schema.name).\(property.name)"
        guard realm.transaction.mayMutate(named: { "set '\(name)'" }), core.requireValid(realm) else { return }
        realm.transaction.mutating { () throws(Realm.Error) in
            if property.slot == core.table.schema.primaryKeySlot {
                guard realm.transaction.open?.isMigration ?? false else {
                    throw .immutablePrimaryKey(core.table.schema.name)
                }
                try realm.unlockKeys(of: core.table)
            }
            try ObjectWriter(realm, policy: .error).update(core, [(property, value as Any)])
        }
    }

    /// The objects that link to this one; none while unmanaged.
    private func value(of property: OriginProperty) -> Any {
        guard let core = _core else { return property.type.init(_originProperty: property.origin ?? "") }
        core.validate(property.slot)
        return property.type._read(core, property.slot)
    }

    final func requireProperty(_ key: String) -> PersistedProperty {
        let schema = classSchema
        guard let property = schema.property(named: key) else {
            if schema.origin(named: key) != nil {
                misuse("'\(schema.name).\(key)' was assigned to; linking objects are read-only, change the links.")
            }
            let names = schema.properties.map(\.name).joined(separator: ", ")
            misuse("The class '\(schema.name)' has no persisted property '\(key)'; it has \(names).")
        }
        return property
    }

    /// The class, for ``description``.
    var shownName: String { _core?.table.schema.name ?? Self.className() }

    /// The class with its single values, for ``description``.
    var text: String {
        let name = shownName
        if isInvalidated { return "\(name) (deleted)" }
        guard
            case .success(let schema) = Result(catching: { () throws(Realm.Error) -> ClassSchema in
                if let core = _core { return core.table.schema }
                return try ClassSchema.of(type(of: self))
            })
        else { return name }
        let values = schema.properties.map { property in
            guard property.isColumn, property.type.target == nil else { return "\(property.name): ..." }
            let value = value(of: property).flatMap { unwrapped($0) }
            return "\(property.name): \(value.map { "\(ShownValue(held: $0))" } ?? "nil")"
        }
        return "\(name) { \(values.joined(separator: ", ")) }"
    }
}
