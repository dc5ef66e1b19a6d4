import EventModel

/// A handler of one object, with its row as the handler knows it.
class ObjectObservation: ChangeObservation {
    /// What the handler is called with.
    enum Event {
        case change([PropertyChange])
        case deleted
    }

    final let core: ObjectCore
    private let paths: ObservedPaths
    private let handler: (Event) -> Void
    private(set) final var row: ObjectSnapshot

    /// Observes an object from a row as the handler knows it, which is of a version that the instance has reached.
    init(
        _ core: ObjectCore,
        _ realm: RealmCore,
        _ row: ObjectSnapshot,
        _ version: UInt64,
        _ paths: ObservedPaths,
        _ handler: @escaping (Event) -> Void
    ) {
        self.core = core
        self.paths = paths
        self.handler = handler
        self.row = row
        super.init(realm)
        self.version = version
        realm.reading(or: ()) { () throws(Realm.Error) in try paths.begin(realm.store) }
    }

    override func deliver() {
        guard let event = next() else { return }
        switch event {
        case .deleted: cancel()
        // The handler is handed values: to an observer that is as if it had read them.
        case .change(let properties): if properties.contains(where: \.hasValues) { core.showRow() }
        }
        handler(event)
    }

    /// Moves to the version that is read.
    ///
    /// - Returns: What the handler is called with; nil when nothing happened to the object.
    final func next() -> Event? {
        realm.beginReading()
        return realm.reading { () throws(Realm.Error) in
            guard version != realm.store.version, let notifier = realm.notifications.notifier else { return nil }
            let changes = notifier.changes(since: version)
            let isForeign = notifier.hasForeignVersions(since: version)
            version = realm.store.version
            let old = row
            if let logged = changes[core.table.schema.name] {
                guard let new = try core.table.row(core.key) else { return .deleted }
                row = new
                // Without a list of what was touched, the contents say what is different. So they do when the object was deleted and
                // one with its key created again: to the handler it is the same one.
                if logged.isOverrun || logged.inserted.contains(core.key) {
                    return try event(try differing(old, new, changes), from: old, isForeign, changes)
                }
            }
            return try event(try changedSlots(changes), from: old, isForeign, changes)
        }
    }

    /// Returns what the handler is called with.
    ///
    /// - Parameters:
    ///   - slots: The observed properties that changed, or behind which something did.
    ///   - old: The row before.
    ///   - isForeign: Whether another instance made any of the changes, so that old values are handed over.
    ///   - changes: What happened since the handler was called last.
    /// - Returns: What the handler is called with; nil when nothing changed that it observes.
    /// - Throws: A `Realm.Error` when the file cannot be read.
    func event(
        _ slots: SlotSet,
        from old: ObjectSnapshot,
        _ isForeign: Bool,
        _ changes: LoggedChanges
    ) throws(Realm.Error) -> Event? {
        let properties = core.table.schema.properties.filter { slots.contains($0.slot) }
        let origins = paths.origins(of: core.table.schema).filter { slots.contains($0.slot) }
        guard !properties.isEmpty || !origins.isEmpty else { return nil }
        let changes = properties.map { property in
            PropertyChange(
                name: property.name,
                oldValue: isForeign ? value(property, old) : nil,
                newValue: value(property, row)
            )
        }
        return .change(changes + origins.map { PropertyChange(name: $0.name, oldValue: nil, newValue: nil) })
    }

    // MARK: What changed

    private func changedSlots(_ changes: LoggedChanges) throws(Realm.Error) -> SlotSet {
        let touched = changes[core.table.schema.name]?.slots(of: core.key) ?? SlotSet()
        guard case .paths(let paths, let origins) = paths else { return touched }
        let tracer = ChangeTracer(realm.store, changes)
        var slots = SlotSet()
        for path in paths where !slots.contains(path[0]) {
            if touched.contains(path[0]) {
                slots.insert(path[0])
            } else if path.count > 1 || path[0] >= core.table.schema.properties.count,
                try tracer.along(path[...], core.table, origins).contains(core.key)
            {
                slots.insert(path[0])
            }
        }
        return slots
    }

    private func differing(
        _ old: ObjectSnapshot,
        _ new: ObjectSnapshot,
        _ changes: LoggedChanges
    ) throws(Realm.Error) -> SlotSet {
        let candidates = try changedSlots(changes)
        var slots = SlotSet()
        for property in core.table.schema.properties where candidates.contains(property.slot) {
            // What a collection holds is not in the row.
            if !property.isColumn || !Self.isEqual(property.slot, old, new) { slots.insert(property.slot) }
        }
        for origin in paths.origins(of: core.table.schema) where candidates.contains(origin.slot) {
            slots.insert(origin.slot)
        }
        return slots
    }

    private static func isEqual(_ slot: Int, _ old: ObjectSnapshot, _ new: ObjectSnapshot) -> Bool {
        guard old.isNull(slot) == new.isNull(slot) else { return false }
        if old.isNull(slot) { return true }
        switch old.shape.properties[slot].kind {
        case .string, .data, .objectId, .uuid, .decimal128, .any: return old.bytes(slot).elementsEqual(new.bytes(slot))
        case .int, .link, .embedded: return old.int(slot) == new.int(slot)
        case .bool: return old.bool(slot) == new.bool(slot)
        case .float: return old.float(slot).bitPattern == new.float(slot).bitPattern
        case .double, .date: return old.double(slot).bitPattern == new.double(slot).bitPattern
        }
    }

    // MARK: Values

    /// The value of a property in a row; nil for collections.
    private func value(_ property: PersistedProperty, _ row: ObjectSnapshot) -> Any? {
        guard property.isColumn else { return nil }
        let reader = ObjectCore(
            realm: realm,
            table: core.table,
            row: row,
            generation: core.table.generation,
            parent: core.parent
        )
        guard let target = property.type.target else {
            return property.operations.managedValue(reader, property.slot).flatMap { unwrapped($0) }
        }
        guard !row.isNull(property.slot), let table = realm.store.table(target) else { return nil }
        // Not read as a program would, because nobody asked for the object yet.
        let found = realm.reading { () throws(Realm.Error) in try table.row(row.int(property.slot)) }
        guard let found else { return nil }
        let object = target.init()
        object._core = ObjectCore(
            realm: realm,
            table: table,
            row: found,
            generation: table.generation,
            parent: table.schema.isEmbedded ? core : nil
        )
        object._core?.mustBeTold()
        return object
    }

    override func skip(_ version: UInt64) -> () -> Void {
        guard self.version == realm.store.version else { return {} }
        let row = realm.reading { () throws(Realm.Error) in try core.table.row(core.key) }
        // An object that is deleted without a word is still reported as gone, at the next version.
        return { [self] in
            self.version = version
            if let row { self.row = row }
        }
    }
}

extension PropertyChange {
    /// Whether it hands a value out.
    fileprivate var hasValues: Bool { oldValue != nil || newValue != nil }
}
