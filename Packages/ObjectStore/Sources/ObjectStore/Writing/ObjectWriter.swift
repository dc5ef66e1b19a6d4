import EventModel

/// Writes objects with all that they contain into a realm, inside its transaction.
struct ObjectWriter {
    let realm: RealmCore
    let policy: Realm.UpdatePolicy
    /// Whether unmanaged objects are copied, as `create` does, instead of becoming managed themselves.
    let copies: Bool
    /// The objects that are being copied, from the outside to the inside, to find cycles.
    private let path: [ObjectBase]
    let depth: Int

    init(_ realm: RealmCore, policy: Realm.UpdatePolicy, copies: Bool = false) {
        self.init(realm, policy: policy, copies: copies, path: [], depth: 0)
    }

    private init(
        _ realm: RealmCore,
        policy: Realm.UpdatePolicy,
        copies: Bool,
        path: [ObjectBase],
        depth: Int
    ) {
        self.realm = realm
        self.policy = policy
        self.copies = copies
        self.path = path
        self.depth = depth
    }

    /// The writer for what is inside a value.
    func inside(_ value: ObjectSource) throws(Realm.Error) -> ObjectWriter {
        var path = path
        if case .object(let object) = value {
            if let start = path.firstIndex(where: object.isSameInstanceOrRow) {
                throw .cycle(path[start...] + [object])
            }
            path.append(object)
        }
        return ObjectWriter(realm, policy: policy, copies: copies, path: path, depth: depth + 1)
    }

    /// The writer for what is inside a nested list or dictionary.
    func inside() throws(Realm.Error) -> ObjectWriter {
        ObjectWriter(realm, policy: policy, copies: copies, path: path, depth: depth + 1)
    }

    // MARK: Adding

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
        let table = try realm.table(type(of: object))
        if let existing = try existingRow(table, of: object) {
            let core = core(of: existing, table)
            let inner = ObjectWriter(realm, policy: policy, copies: copies, path: path, depth: depth + 1)
            // The properties must be read while the object is unmanaged; a cycle must find it managed.
            let values = table.schema.properties.map { ($0, object.value(of: $0)) }
            object._core = core
            releaseTargets(of: object, table.schema)
            try inner.update(
                core,
                values.map { property, value in
                    // A collection that the program may have in hand becomes the managed one.
                    let held = (value as? any PersistedCollection)?.attach(to: core, property.slot)
                    return (property, held ?? value as Any)
                }
            )
            return core
        }
        return try insert(object, table, parent: parent)
    }

    /// Inserts an unmanaged object, binding its values directly.
    private func insert(_ object: ObjectBase, _ table: ClassTable, parent: ObjectCore?) throws(Realm.Error)
        -> ObjectCore
    {
        let schema = table.schema
        let core = try newCore(table, parent: parent)
        // Managed from here on, so that a cycle of links ends at this object.
        object._core = core
        core.isPending = true
        defer { core.isPending = false }
        let address = Unmanaged.passUnretained(object).toOpaque()
        var links: [Int: Int64] = [:]
        var late: [(PersistedProperty, Any)] = []
        for slot in schema.linkSlots {
            let property = schema.properties[slot]
            guard case .link(let operations) = property.operations.role else { continue }
            guard let target = operations.stored(address + property.offset) else { continue }
            if isLate(target, schema) {
                late.append((property, target))
            } else {
                links[slot] = try key(of: target, schema, property, parent: core)
            }
        }
        var cells: [Int: AnyCell] = [:]
        for slot in schema.anySlots {
            let property = schema.properties[slot]
            let value = AnyRealmValue.stored(at: address + property.offset)
            if isLate(value, schema) {
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
        var index: Int32 = 2
        for column in schema.columns {
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
        try run(statement, table) { object.primaryKeyText }
        core.isPending = false
        let generation = table.generation
        if !late.isEmpty { try update(core, late) }
        for slot in schema.collectionSlots {
            guard case .collection(let operations) = schema.properties[slot].operations.role else { continue }
            let collection = operations.stored(address + schema.properties[slot].offset)
            guard let held = collection.attach(to: core, slot) else { continue }
            try fill(collection, with: held, isUntouched: table.generation == generation)
        }
        realm.didInsert(table)
        return core
    }

    /// Lets an object that became managed forget the objects it held: those of a cycle would keep each other for ever.
    private func releaseTargets(of object: ObjectBase, _ schema: ClassSchema) {
        let address = Unmanaged.passUnretained(object).toOpaque()
        for slot in schema.linkSlots {
            guard case .link(let operations) = schema.properties[slot].operations.role else { continue }
            operations.store(address + schema.properties[slot].offset, nil)
        }
        for slot in schema.anySlots { AnyRealmValue.store(.none, at: address + schema.properties[slot].offset) }
    }

    /// Whether a value must wait until the row of the object around it is there: its key may come again inside.
    ///
    /// What is inside is written when it is reached, and finds the object by its key then, as it would find any other.
    private func isLate(_ value: Any, _ schema: ClassSchema) -> Bool {
        guard schema.primaryKeySlot != nil, policy != .error || schema.isKeyOptional else { return false }
        switch unwrapped(value) {
        case nil: return false
        case let object as ObjectBase: return object._core?.realm !== realm || object.classSchema.isEmbedded
        case let value as AnyRealmValue:
            if case .object(let object) = value { return isLate(object, schema) }
            return value.scalar == nil
        default: return true
        }
    }

    /// Fills the collection of a new object.
    ///
    /// When the object was reached again by what was written for it, the collection may have elements already.
    private func fill(
        _ collection: any PersistedCollection,
        with values: TakenValues,
        isUntouched: Bool
    ) throws(Realm.Error) {
        if isUntouched { try collection.insert(values, self) } else { try collection.assign(values, self) }
    }

    private func run(
        _ statement: Statement,
        _ table: ClassTable,
        _ primaryKey: () -> String
    ) throws(Realm.Error) {
        do throws(Realm.Error) {
            try statement.run()
        } catch  where error.isUniqueViolation {
            throw .duplicateKey(table.schema.name, details: [primaryKey()])
        }
    }

    private func newCore(_ table: ClassTable, parent: ObjectCore?) throws(Realm.Error) -> ObjectCore {
        ObjectCore(realm: realm, table: table, key: try table.takeKey(), parent: parent)
    }

    private func core(of row: ObjectSnapshot, _ table: ClassTable) -> ObjectCore {
        ObjectCore(realm: realm, table: table, row: row, generation: table.generation)
    }

    // MARK: Creating

    /// Inserts or updates an object from a value; `instance`, a fresh object, supplies defaults and stays unmanaged.
    func create(
        _ table: ClassTable,
        from value: Any,
        instance: ObjectBase? = nil,
        parent: ObjectCore? = nil
    ) throws(Realm.Error) -> ObjectCore {
        let schema = table.schema
        let source = try ObjectSource(value, for: schema, depth: depth)
        let inner = try inside(source)
        let defaults = instance ?? schema.type.init()
        if let existing = try existingRow(table, source, defaults) {
            let core = core(of: existing, table)
            realm.observeRead(of: existing, table)
            try inner.update(core, inner.supplied(schema, source))
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
        let core = try newCore(table, parent: parent)
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
        var index: Int32 = 2
        for column in schema.columns {
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
        try run(statement, table) {
            guard let property = schema.primaryKeySlot.map({ schema.properties[$0] }) else { return "" }
            let key = source.value(property) ?? defaults.value(of: property)
            return key.flatMap { unwrapped($0) }.map { "\($0)" } ?? "null"
        }
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
        realm.didInsert(table)
        return core
    }

    private func supplied(_ schema: ClassSchema, _ source: ObjectSource) -> [(PersistedProperty, Any)] {
        schema.properties.compactMap { property in source.value(property).map { (property, $0) } }
    }

    // MARK: Updating

    /// Writes the values that are supplied; under `.modified` only those that differ.
    func update(_ core: ObjectCore, _ values: [(PersistedProperty, Any)]) throws(Realm.Error) {
        let keySlot = realm.transaction?.isMigration ?? false ? nil : core.table.schema.primaryKeySlot
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
        if isModified { realm.didModify(core, property.slot) }
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
        realm.didModify(core, property.slot)
        if property.type.kind == .embedded, let current, current != key, let target = property.type.target {
            try ObjectDeletion(realm).deleteEmbedded(try realm.table(target), current)
        }
    }
}

extension ObjectWriter {
    /// Updates an object in place from a value.
    func update(_ core: ObjectCore, from value: Any) throws(Realm.Error) {
        let source = try ObjectSource(value, for: core.table.schema, depth: depth)
        let inner = try inside(source)
        try inner.update(core, inner.supplied(core.table.schema, source))
    }
}
