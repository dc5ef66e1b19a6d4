import EventModel

// An object that is there gets other values.
extension ObjectWriter {
    /// Updates an object in place from a value.
    func update(_ core: ObjectCore, from value: Any) throws(Realm.Error) {
        let source = try ObjectSource(value, for: core.table.schema, depth: depth)
        let inner = try inside(source)
        try inner.update(core, inner.supplied(core.table.schema, source))
    }

    /// Writes the values that are supplied; under `.modified` only those that differ.
    func update(_ core: ObjectCore, _ values: [(PersistedProperty, Any)]) throws(Realm.Error) {
        let keySlot = realm.transaction.open?.isMigration ?? false ? nil : core.table.schema.primaryKeySlot
        for (property, value) in values where property.slot != keySlot {
            switch property.operations.role {
            case .scalar(let operations): try updateScalar(core, property, operations, value)
            case .link: try updateLink(core, property, value)
            case .any: try updateAny(core, property, value)
            case .collection: try assign(value, toCollection: property, of: core)
            }
        }
    }

    private func updateScalar(
        _ core: ObjectCore,
        _ property: PersistedProperty,
        _ operations: ScalarOperations,
        _ value: Any
    ) throws(Realm.Error) {
        var isConverted = true
        let bind: (OpaquePointer, Int32) -> Void = { statement, index in
            isConverted = operations.bindConverted(value, statement, index)
            // The row must not change to whatever was bound before; the transaction is doomed below.
            if !isConverted { bindNull(statement, index) }
        }
        let isModified: Bool
        if policy == .modified {
            isModified = try core.table.updateIfDifferent(property.slot, key: core.key, bind)
        } else {
            try core.table.update(property.slot, key: core.key, bind)
            isModified = true
        }
        guard isConverted else {
            throw .mismatch(value, property.type, at: "\(core.table.schema.name).\(property.name)")
        }
        if isModified { realm.transaction.didModify(core, property.slot) }
    }

    private func updateLink(_ core: ObjectCore, _ property: PersistedProperty, _ value: Any) throws(Realm.Error) {
        let schema = core.table.schema
        guard let target = property.type.target else { return }
        let targetTable = try realm.table(target)
        let current = core.linkedKey(property.slot)
        let isKeyed = targetTable.schema.primaryKeySlot != nil
        // Under `.modified` an object without a key is the same object, whatever is supplied for it.
        if policy == .modified, !isKeyed, let current, let unwrapped = unwrapped(value),
            unwrapped is [String: Any] || unwrapped is [Any]
                || (targetTable.schema.isEmbedded && unwrapped is ObjectBase)
        {
            if let row = try targetTable.row(current) {
                let parent = targetTable.schema.isEmbedded ? core : nil
                let child = ObjectCore(
                    realm: realm,
                    table: targetTable,
                    row: row,
                    generation: targetTable.generation,
                    parent: parent
                )
                let source = try ObjectSource(unwrapped, for: targetTable.schema, depth: depth)
                let inner = try inside(source)
                return try inner.update(child, inner.supplied(targetTable.schema, source))
            }
        }
        let key = try key(of: value, schema, property, parent: core)
        try replaceLink(of: core, property, with: key)
    }

    private func assign(_ value: Any, toCollection property: PersistedProperty, of core: ObjectCore) throws(Realm.Error)
    {
        guard case .collection(let operations) = property.operations.role else { return }
        let collection = operations.managed(core, property.slot)
        if let given = value as? any PersistedCollection, collection.isSame(as: given) { return }
        let place = "\(core.table.schema.name).\(property.name)"
        if let values = value as? TakenValues {
            try collection.assign(values, self)
        } else {
            try collection.assign(TakenValues(value, for: property.type, at: place), self)
        }
    }

    // MARK: Links

    /// Lets a property refer to an object that a typed assignment gives.
    func setLink(of core: ObjectCore, _ slot: Int, to object: ObjectBase?) throws(Realm.Error) {
        let property = core.table.schema.properties[slot]
        let current = core.linkedKey(slot)
        if property.type.kind == .embedded, let child = object?._core, child.realm === realm, child.key == current,
            child.parent.map(core.isSameRow) ?? false
        {
            return
        }
        let key = try key(of: object as Any, core.table.schema, property, parent: core)
        try replaceLink(of: core, property, with: key)
    }

    private func replaceLink(
        of core: ObjectCore,
        _ property: PersistedProperty,
        with key: Int64?
    ) throws(Realm.Error) {
        // Asked for here, because what was written for the new value may have reached this object, too.
        let current = property.type.kind == .embedded ? core.linkedKey(property.slot) : nil
        let bind: (OpaquePointer, Int32) -> Void = { statement, index in
            if let key { key._bind(to: statement, at: index) } else { bindNull(statement, index) }
        }
        if policy == .modified {
            guard try core.table.updateIfDifferent(property.slot, key: core.key, bind) else { return }
        } else {
            try core.table.update(property.slot, key: core.key, bind)
        }
        realm.transaction.didModify(core, property.slot)
        if property.type.kind == .embedded, let current, current != key, let target = property.type.target {
            try ObjectDeletion(realm).deleteEmbedded(try realm.table(target), current)
        }
    }
}
