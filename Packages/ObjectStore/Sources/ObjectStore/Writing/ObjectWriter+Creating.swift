import EventModel

// A new object is made of a value.
extension ObjectWriter {
    /// Inserts or updates an object from a value; `instance`, a fresh object, supplies defaults and stays unmanaged.
    func create(
        _ table: ClassTable,
        from value: Any,
        instance: ObjectBase? = nil,
        parent: ObjectCore? = nil
    ) throws(Realm.Error) -> ObjectCore {
        let schema = table.schema
        let given = try ObjectSource(value, for: schema, depth: depth)
        let inner = try inside(given)
        let defaults = instance ?? schema.type.init()
        // What stands in for a class of a file has no properties, and so no defaults of its own.
        let source = schema.isDynamic ? given.completed(for: schema) : given
        if let existing = try existingRow(table, source, defaults) {
            let core = core(of: existing, table)
            realm.recording.didRead(existing, table)
            try inner.update(core, inner.supplied(schema, given))
            return core
        }
        return try inner.insert(source, table, defaults: defaults, parent: parent)
    }

    private func insert(
        _ source: ObjectSource,
        _ table: ClassTable,
        defaults: ObjectBase,
        parent: ObjectCore?
    ) throws(Realm.Error) -> ObjectCore {
        let schema = table.schema
        let core = try newCore(table, parent: parent) { key throws(Realm.Error) in
            let property = schema.properties[key.slot]
            guard let value = source.value(property) else { return key.key(of: defaults) }
            guard let converted = key.converted(value) else {
                throw .mismatch(value, property.type, at: "\(schema.name).\(property.name)")
            }
            return converted
        }
        var links: [Int: Int64] = [:]
        var late: [(PersistedProperty, Any)] = []
        for slot in schema.linkSlots {
            let property = schema.properties[slot]
            let value = source.value(property) ?? defaults.value(of: property) as Any
            if isLate(value, schema) {
                late.append((property, value))
            } else {
                links[slot] = try key(of: value, schema, property, parent: core)
            }
        }
        var cells: [Int: AnyCell] = [:]
        for slot in schema.anySlots {
            let property = schema.properties[slot]
            let given = source.value(property) ?? defaults.value(of: property) as Any
            let value = try AnyRealmValue(given, at: "\(schema.name).\(property.name)", depth: depth)
            if isLate(value, schema) {
                late.append((property, value))
            } else {
                cells[slot] = try cell(of: value, in: core, slot)
            }
        }
        let statement = try table.insertion()
        statement.bind(1, core.key)
        let keySlot = table.rowKeySlot
        var index: Int32 = 2
        for column in schema.columns where column.slot != keySlot {
            let property = schema.properties[column.slot]
            if case .scalar(let operations) = property.operations.role {
                if let value = source.value(property) {
                    guard operations.bindConverted(value, statement.handle, index) else {
                        throw .mismatch(value, property.type, at: "\(schema.name).\(property.name)")
                    }
                } else {
                    operations.bindStored(property.field(in: defaults), statement.handle, index)
                }
            } else if property.type.kind == .any {
                (cells[column.slot] ?? .none).bind(to: statement.handle, at: index)
                index += 1
            } else if let key = links[column.slot] {
                statement.bind(index, key)
            } else {
                statement.bindNull(index)
            }
            index += 1
        }
        try run(statement, core) {
            guard let property = schema.primaryKeySlot.map({ schema.properties[$0] }) else { return "" }
            let key = source.value(property) ?? defaults.value(of: property)
            return key.flatMap { unwrapped($0) }.map { "\($0)" } ?? "null"
        }
        noteDefaults(core, source)
        let generation = table.generation
        if !late.isEmpty { try update(core, late) }
        for slot in schema.collectionSlots {
            let property = schema.properties[slot]
            guard let value = source.value(property) ?? defaults.value(of: property),
                case .collection(let operations) = property.operations.role
            else { continue }
            let values = try TakenValues(value, for: property.type, at: "\(schema.name).\(property.name)")
            try fill(operations.managed(core, slot), with: values, isUntouched: table.generation == generation)
        }
        realm.transaction.didInsert(table, key: core.key)
        return core
    }

    func supplied(_ schema: ClassSchema, _ source: ObjectSource) -> [(PersistedProperty, Any)] {
        schema.properties.compactMap { property in source.value(property).map { (property, $0) } }
    }
}
