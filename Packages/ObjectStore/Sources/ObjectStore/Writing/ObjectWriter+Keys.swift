import EventModel

// How links and primary keys find their rows.
extension ObjectWriter {
    /// The row of what a link or an element refers to; unmanaged objects and values are written first.
    ///
    /// - Returns: nil for null.
    func key(
        of value: Any,
        _ schema: ClassSchema,
        _ property: PersistedProperty,
        parent: ObjectCore
    ) throws(Realm.Error) -> Int64? {
        guard let value = unwrapped(value), let target = property.type.target else { return nil }
        // Only an error names it, and every link comes through here.
        var place: String { "\(schema.name).\(property.name)" }
        let table = try realm.table(target)
        let owner = table.schema.isEmbedded ? parent : nil
        guard let object = persistedObject(value) else {
            guard value is [String: Any] || value is [Any] else { throw .mismatch(value, property.type, at: place) }
            return try create(table, from: value, parent: owner).key
        }
        guard object.modelType == target else {
            // A copy only needs the values, which an object of an older schema has as well.
            if copies, object is DynamicObject { return try create(table, from: object, parent: owner).key }
            let given = object._core?.table.schema.name ?? type(of: object).className()
            throw .wrongClass(given, expected: table.schema.name, at: place)
        }
        if let core = object._core {
            guard core.isValid else { throw .deletedObject(table.schema.name) }
            if table.schema.isEmbedded {
                // `create` copies embedded objects; a typed assignment must not share one.
                guard copies else { throw .managedEmbedded(table.schema.name) }
                return try create(table, from: object, parent: owner).key
            }
            if core.realm === realm { return core.key }
            guard copies else { throw .otherRealm(table.schema.name) }
        }
        return copies ? try create(table, from: object, parent: owner).key : try add(object, parent: owner).key
    }

    /// The row of an object that the realm has and a link may refer to as it is; nil when there is more to do.
    func knownKey(of object: ObjectBase, _ property: PersistedProperty) -> Int64? {
        guard property.type.kind == .link, let core = object._core,
            core.realmReference?.toOpaque() == Unmanaged.passUnretained(realm).toOpaque(),
            object.modelType == property.type.target, core.isValid
        else { return nil }
        return core.key
    }

    // MARK: Primary keys

    /// Finds the row that an object would update.
    func existingRow(_ table: ClassTable, of object: ObjectBase) throws(Realm.Error) -> ObjectSnapshot? {
        // A unique index refuses a key that is there, all but null.
        if policy == .error && !table.schema.isKeyOptional { return nil }
        guard let slot = table.schema.primaryKeySlot else { return nil }
        let property = table.schema.properties[slot]
        guard case .scalar(let operations) = property.operations.role else { return nil }
        let field = UnsafeRawPointer(property.field(in: object))
        let row = try table.row(primaryKeySlot: slot) { operations.bindStored(field, $0, $1) }
        return try row.flatMap { row throws(Realm.Error) in try updatable(row, table, slot) }
    }

    func existingRow(
        _ table: ClassTable,
        _ source: ObjectSource,
        _ defaults: ObjectBase
    ) throws(Realm.Error) -> ObjectSnapshot? {
        if policy == .error && !table.schema.isKeyOptional { return nil }
        guard let slot = table.schema.primaryKeySlot else { return nil }
        let property = table.schema.properties[slot]
        guard case .scalar(let operations) = property.operations.role else { return nil }
        // A key that is absent is the default, as it would be of a new object.
        guard let value = source.value(property) else { return try existingRow(table, of: defaults) }
        var isConverted = true
        let row = try table.row(primaryKeySlot: slot) { statement, index in
            isConverted = operations.bindConverted(value, statement, index)
        }
        guard isConverted else {
            throw .mismatch(value, property.type, at: "\(table.schema.name).\(property.name)")
        }
        return try row.flatMap { row throws(Realm.Error) in try updatable(row, table, slot) }
    }

    /// A unique index lets null come twice, so that a second null is refused here.
    private func updatable(_ row: ObjectSnapshot, _ table: ClassTable, _ slot: Int) throws(Realm.Error)
        -> ObjectSnapshot?
    {
        guard policy == .error else { return row }
        guard row.isNull(slot) else { return nil }
        throw .duplicateKey(table.schema.name, details: ["null"])
    }
}

extension ObjectBase {
    /// The primary key as text, for the details of an error.
    var primaryKeyText: String {
        guard let schema = _core?.table.schema, let slot = schema.primaryKeySlot,
            case .scalar(let operations) = schema.properties[slot].operations.role
        else { return "" }
        return operations.stored(schema.properties[slot].field(in: self)).map { "\($0)" } ?? "null"
    }
}
