import EventModel

// How values of any type are written: objects that they link to are added or copied, lists and dictionaries get rows.
extension ObjectWriter {
    /// Writes what a value refers to and returns what the columns hold.
    ///
    /// - Parameters:
    ///   - value: The value.
    ///   - core: The object that will hold the value.
    ///   - slot: The property.
    ///   - around: How many lists and dictionaries lie between the object and the value.
    /// - Returns: What the columns hold.
    /// - Throws: ``Realm/Error`` for an object that cannot be linked to, and when the nesting is too deep.
    func cell(of value: AnyRealmValue, in core: ObjectCore, _ slot: Int, around: Int = 0) throws(Realm.Error) -> AnyCell
    {
        if let scalar = value.scalar { return .value(scalar) }
        switch value {
        case .object(let object): return try link(to: object)
        case .list(let list):
            let key = try NestedCollections(core.table).make(in: core, slot, depth: around + 1)
            try list.write(nested: key, in: core, slot, inside())
            return .list(key)
        case .dictionary(let map):
            let key = try NestedCollections(core.table).make(in: core, slot, depth: around + 1)
            try map.write(nested: key, in: core, slot, inside())
            return .dictionary(key)
        default: return .none
        }
    }

    private func link(to object: Object) throws(Realm.Error) -> AnyCell {
        let table = try table(of: object)
        let name = table.schema.name
        if let core = object._core {
            guard core.isValid else { throw .deletedObject(name) }
            if core.realm === realm { return .link(className: name, key: core.key) }
            guard copies else { throw .otherRealm(name) }
        }
        let key = copies ? try create(table, from: object).key : try add(object).key
        return .link(className: name, key: key)
    }

    /// The table of an object's class: of a dynamic object the one of the same name.
    private func table(of object: Object) throws(Realm.Error) -> ClassTable {
        guard object is DynamicObject, let name = object._core?.table.schema.name else {
            return try realm.table(type(of: object))
        }
        guard let table = realm.store.table(named: name) else {
            throw Realm.Error(.invalidInput, "The class '\(name)' is not managed by this realm.")
        }
        return table
    }

    // MARK: Updating

    /// Replaces the value of a property; under `.modified` only by one with other contents.
    func updateAny(_ core: ObjectCore, _ property: PersistedProperty, _ value: Any) throws(Realm.Error) {
        let place = "\(core.table.schema.name).\(property.name)"
        try setAny(of: core, property.slot, to: AnyRealmValue(value, at: place, depth: depth))
    }

    /// Replaces the value of a property.
    func setAny(of core: ObjectCore, _ slot: Int, to value: AnyRealmValue) throws(Realm.Error) {
        core.validateToWrite(slot)
        let current = AnyCell(core.snapshot.packedValue(slot))
        if current.isNested(value, in: core) { return }
        if policy == .modified {
            let contents = try WholeCapture(store: realm.store).contents(of: [current], core.table)
            if value.matches(contents.value(of: current), in: realm) { return }
        }
        // The new value may be a part of the old one: it is copied before that goes.
        let cell = try cell(of: value, in: core, slot)
        // What was written for the new value may have reached this object, too.
        core.validateToWrite(slot)
        let old = AnyCell(core.snapshot.packedValue(slot)).nestedKey
        try core.table.update(slot, key: core.key, to: cell)
        if let old { try NestedCollections(core.table).delete(old) }
        realm.transaction.didModify(core, slot)
    }
}

extension AnyCell {
    /// Whether a value is the very list or dictionary that this cell holds: assigning it changes nothing.
    func isNested(_ value: AnyRealmValue, in core: ObjectCore) -> Bool {
        switch (self, value) {
        case (.list(let key), .list(let list)): list.isNested(key, in: core)
        case (.dictionary(let key), .dictionary(let map)): map.isNested(key, in: core)
        default: false
        }
    }
}

extension ObjectCore {
    /// Writes a property of any type, unless the transaction is doomed.
    func assignAny(_ slot: Int, _ value: AnyRealmValue) {
        let realm = confinedRealm
        let property = table.schema.properties[slot]
        guard realm.transaction.mayMutate(named: { "set '\(self.table.schema.name).\(property.name)'" }),
            requireValid(realm)
        else {
            return
        }
        realm.transaction.mutating { () throws(Realm.Error) in
            try ObjectWriter(realm, policy: .error).setAny(of: self, slot, to: value)
        }
    }
}
