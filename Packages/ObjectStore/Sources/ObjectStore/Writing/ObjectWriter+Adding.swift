import EventModel

// An object of the program becomes managed.
extension ObjectWriter {
    /// Makes an object managed, with all that it reaches.
    ///
    /// - Returns: The row of the object.
    @discardableResult
    func add(_ object: ObjectBase, parent: ObjectCore? = nil) throws(Realm.Error) -> ObjectCore {
        if let core = object._core {
            guard core.isValid else { throw .deletedObject(core.table.schema.name) }
            guard core.realm === realm else { throw .otherRealm(core.table.schema.name) }
            guard !core.table.schema.isEmbedded else { throw .managedEmbedded(core.table.schema.name) }
            return core
        }
        let transaction = realm.transaction
        transaction.deferred.enter()
        defer { transaction.deferred.leave() }
        let core = try write(object, parent: parent)
        if transaction.deferred.isReady { try writeDeferred() }
        return core
    }

    /// Writes what waits, and what that leads to.
    @inline(never)
    private func writeDeferred() throws(Realm.Error) {
        while realm.transaction.deferred.isReady {
            for write in realm.transaction.deferred.take() { try write.run() }
        }
    }

    /// Lets a write wait; out of line, so that the others keep their few registers.
    @inline(never)
    private func wait(for write: DeferredWrites.Write) { realm.transaction.deferred.append(write) }

    /// Writes an unmanaged object; what it leads to may wait.
    private func write(_ object: ObjectBase, parent: ObjectCore?) throws(Realm.Error) -> ObjectCore {
        let table = try realm.table(type(of: object))
        if let existing = try existingRow(table, of: object) {
            let core = core(of: existing, table)
            let inner = try inside()
            // The properties must be read while the object is unmanaged; a cycle must find it managed.
            let values = table.schema.properties.map { ($0, object.value(of: $0)) }
            object._core = core
            releaseTargets(of: object, table.schema)
            let given: [(PersistedProperty, Any)] = values.map { property, value in
                guard case .collection = property.operations.role else { return (property, value as Any) }
                // A collection that the program may have in hand becomes the managed one.
                let held = (value as? any PersistedCollection)?.attach(to: core, property.slot)
                return (property, held ?? value as Any)
            }
            if realm.transaction.deferred.isDeep {
                wait(for: .values(anew, core, given))
            } else {
                try inner.update(core, given)
            }
            return core
        }
        return try insert(object, table, parent: parent)
    }

    /// Inserts an unmanaged object, binding its values directly.
    private func insert(_ object: ObjectBase, _ table: ClassTable, parent: ObjectCore?) throws(Realm.Error)
        -> ObjectCore
    {
        let schema = table.schema
        let core = try newCore(table, parent: parent) { source in source.key(of: object) }
        // Managed from here on, so that a cycle of links ends at this object.
        object._core = core
        core.isPending = true
        defer { core.isPending = false }
        let isDeep = realm.transaction.deferred.isDeep
        let address = Unmanaged.passUnretained(object).toOpaque()
        var links: [Int: Int64] = [:]
        var late: [(PersistedProperty, Any)] = []
        for slot in schema.linkSlots {
            let property = schema.properties[slot]
            guard case .link(let operations) = property.operations.role else { continue }
            guard let target = operations.stored(address + property.offset) else { continue }
            if isDeep || isLate(target, schema) {
                late.append((property, target))
            } else {
                links[slot] = try key(of: target, schema, property, parent: core)
            }
        }
        var cells: [Int: AnyCell] = [:]
        for slot in schema.anySlots {
            let property = schema.properties[slot]
            let value = AnyRealmValue.stored(at: address + property.offset)
            if isDeep && value.scalar == nil || isLate(value, schema) {
                late.append((property, value))
            } else {
                cells[slot] = try cell(of: value, in: core, slot)
            }
        }
        releaseTargets(of: object, schema)
        let statement = try table.insertion()
        statement.bind(1, core.key)
        let texts = table.insertedTexts
        texts.clear()
        let keySlot = table.rowKeySlot
        var index: Int32 = 2
        for column in schema.columns where column.slot != keySlot {
            let field = UnsafeRawPointer(address) + column.offset
            switch column.source {
            case .text:
                let stored = field.assumingMemoryBound(to: Persisted<String>.self).pointee.stored
                texts.bind(stored ?? "", to: statement.handle, at: index)
            case .optionalText:
                if let text = field.assumingMemoryBound(to: Persisted<String?>.self).pointee.stored ?? nil {
                    texts.bind(text, to: statement.handle, at: index)
                } else {
                    statement.bindNull(index)
                }
            case .scalar(let bind): bind(field, statement.handle, index)
            case .link:
                if let key = links[column.slot] {
                    statement.bind(index, key)
                } else {
                    statement.bindNull(index)
                }
            case .any:
                (cells[column.slot] ?? .none).bind(to: statement.handle, at: index)
                index += 1
            }
            index += 1
        }
        try run(statement, core) { object.primaryKeyText }
        core.isPending = false
        let generation = table.generation
        if isDeep {
            if !late.isEmpty { wait(for: .values(anew, core, late)) }
        } else if !late.isEmpty {
            try update(core, late)
        }
        for slot in schema.collectionSlots {
            guard case .collection(let operations) = schema.properties[slot].operations.role else { continue }
            let collection = operations.stored(address + schema.properties[slot].offset)
            guard let held = collection.attach(to: core, slot) else { continue }
            if isDeep {
                wait(for: .elements(anew, collection, held))
            } else {
                try fill(collection, with: held, isUntouched: table.generation == generation)
            }
        }
        realm.transaction.didInsert(table, key: core.key)
        return core
    }

    /// The writer for what waits, around which nothing lies.
    private var anew: ObjectWriter { ObjectWriter(realm, policy: policy) }

    /// Lets an object that became managed forget the objects it held: those of a cycle would keep each other for ever.
    private func releaseTargets(of object: ObjectBase, _ schema: ClassSchema) {
        let address = Unmanaged.passUnretained(object).toOpaque()
        for slot in schema.linkSlots {
            guard case .link(let operations) = schema.properties[slot].operations.role else { continue }
            operations.store(address + schema.properties[slot].offset, nil)
        }
        for slot in schema.anySlots { AnyRealmValue.store(.none, at: address + schema.properties[slot].offset) }
    }
}
