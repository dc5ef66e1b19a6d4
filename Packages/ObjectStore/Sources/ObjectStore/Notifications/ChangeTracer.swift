import ObjectQueries

/// Finds the objects of a class that changed, also by what they link to.
///
/// It starts at the rows that the change log names and goes the links backwards, so that the work grows with what was
/// changed, not with what is observed.
struct ChangeTracer {
    /// How many runs of targets are looked up one by one; for more, all links of the class are read.
    static let maximumLookUpCount = 256

    private let store: StoreConnection
    private let changes: LoggedChanges

    init(_ store: StoreConnection, _ changes: LoggedChanges) {
        self.store = store
        self.changes = changes
    }

    /// The objects of a class that changed in what is observed.
    func changed(_ table: ClassTable, _ paths: ObservedPaths) throws(Realm.Error) -> ChangedKeys {
        switch paths {
        case .shallow: return touched(table, .all)
        case .deep: return try deep(table, ObservedPaths.depth)
        case .paths(let paths, let origins):
            var keys = ChangedKeys()
            for path in paths { keys.formUnion(try along(path[...], table, origins)) }
            return keys
        }
    }

    /// The objects whose own properties were touched.
    private func touched(_ table: ClassTable, _ slots: SlotSet) -> ChangedKeys {
        guard let changes = changes[table.schema.name] else { return ChangedKeys() }
        if changes.isOverrun { return .everything }
        let modified = changes.modified.runs.filter { $0.slots.intersects(slots) }.map(\.keys)
        // A primary key that is the row key may come again: the object that had it before has become another one.
        return ChangedKeys(table.schema.rowKeySlot == nil ? modified : modified + changes.inserted.runs)
    }

    /// The objects in which a path changed: the first property was touched, or the path behind it changed.
    func along(
        _ path: ArraySlice<Int>,
        _ table: ClassTable,
        _ origins: ObservedOrigins? = nil
    ) throws(Realm.Error) -> ChangedKeys {
        guard let slot = path.first else { return ChangedKeys() }
        guard slot < table.schema.properties.count else { return try backwards(path, table, origins) }
        var keys = touched(table, SlotSet(slot))
        let property = table.schema.properties[slot]
        if path.count > 1, let target = property.type.target {
            let targets = try along(path.dropFirst(), try store.required(target), origins)
            keys.formUnion(try owners(of: targets, property, table))
        }
        return keys
    }

    /// The same for a property that shows which links lead to an object: others link to it, or one that does changed behind the path.
    private func backwards(
        _ path: ArraySlice<Int>,
        _ table: ClassTable,
        _ origins: ObservedOrigins?
    ) throws(Realm.Error) -> ChangedKeys {
        let origin = table.schema.origin(at: path[path.startIndex])
        let linking = try store.required(origin.target)
        guard let place = origin.place(in: linking.schema) else { return ChangedKeys() }
        var keys = try origins?.changed(place, store, changes) ?? ChangedKeys()
        if path.count > 1 {
            let linkers = try along(path.dropFirst(), linking, origins)
            keys.formUnion(try targets(of: linkers, linking.place(place.slot), linking))
        }
        return keys
    }

    /// The objects that a property of some objects links to.
    private func targets(
        of owners: ChangedKeys,
        _ place: PropertyPlace,
        _ table: ClassTable
    ) throws(Realm.Error) -> ChangedKeys {
        guard !owners.isEmpty else { return ChangedKeys() }
        if owners.isEverything { return .everything }
        var keys: [ClosedRange<Int64>] = []
        let statement = try table.statement(
            """
            SELECT \(place.value) FROM \(place.table) \
            WHERE \(place.owner) BETWEEN ?1 AND ?2 AND \(place.value) IS NOT NULL
            """
        )
        for run in owners.runs {
            statement.bind(1, run.lowerBound)
            statement.bind(2, run.upperBound)
            while try statement.step() { keys.append(statement.int(0)...statement.int(0)) }
        }
        return ChangedKeys(keys)
    }

    /// The objects that changed or that link to one that did, over several links.
    private func deep(_ table: ClassTable, _ depth: Int) throws(Realm.Error) -> ChangedKeys {
        // One step after the other for all classes within reach: links that form circles end with the depth.
        let levels = try classes(around: table, depth)
        var known: [ObjectIdentifier: ChangedKeys] = [:]
        for classes in levels.reversed() {
            var found = known
            let linked = classes.contains(where: \.schema.hasAny) ? linkable(known) : [:]
            let nested = try AnyLinkTracer(store).nestedOwners(of: linked)
            for table in classes {
                var keys = touched(table, .all)
                for property in table.schema.properties {
                    if property.type.kind == .any {
                        keys.formUnion(try AnyLinkTracer(store).owners(of: linked, property, table))
                        continue
                    }
                    guard let target = property.type.target, let targets = known[ObjectIdentifier(target)] else {
                        continue
                    }
                    keys.formUnion(try owners(of: targets, property, table))
                }
                if let owners = nested[table.schema.name] { keys.formUnion(owners) }
                found[ObjectIdentifier(table.schema.type)] = keys
            }
            known = found
        }
        return known[ObjectIdentifier(table.schema.type)] ?? ChangedKeys()
    }

    /// The changed objects that values of any type can link to, by the names of their classes.
    private func linkable(_ known: [ObjectIdentifier: ChangedKeys]) -> [String: ChangedKeys] {
        var linkable: [String: ChangedKeys] = [:]
        for table in store.tables where !table.schema.isEmbedded {
            guard let keys = known[ObjectIdentifier(table.schema.type)], !keys.isEmpty else { continue }
            linkable[table.schema.name] = keys
        }
        return linkable
    }

    /// The classes that are reached with no link, with one, and so on, each only where it comes first or again.
    private func classes(around table: ClassTable, _ depth: Int) throws(Realm.Error) -> [[ClassTable]] {
        var levels = [[table]]
        for _ in 0..<depth {
            var next: [ObjectIdentifier: ClassTable] = [:]
            for table in levels[levels.count - 1] {
                for target in table.schema.properties.compactMap(\.type.target) {
                    next[ObjectIdentifier(target)] = try store.required(target)
                }
                guard table.schema.hasAny else { continue }
                for table in store.tables where !table.schema.isEmbedded {
                    next[ObjectIdentifier(table.schema.type)] = table
                }
            }
            if next.isEmpty { break }
            levels.append(Array(next.values))
        }
        return levels
    }

    // MARK: Links

    /// The objects whose property refers to any of some objects.
    private func owners(
        of targets: ChangedKeys,
        _ property: PersistedProperty,
        _ table: ClassTable
    ) throws(Realm.Error) -> ChangedKeys {
        guard !targets.isEmpty else { return ChangedKeys() }
        let place = table.place(property.slot)
        var keys: [ClosedRange<Int64>] = []
        // A single embedded object is not indexed, so that each look-up would read the whole table.
        let isIndexed = !property.isColumn || property.type.kind == .link
        if isIndexed, !targets.isEverything, targets.runs.count <= Self.maximumLookUpCount {
            let statement = try table.statement(
                "SELECT \(place.owner) FROM \(place.table) WHERE \(place.value) BETWEEN ?1 AND ?2"
            )
            for run in targets.runs {
                statement.bind(1, run.lowerBound)
                statement.bind(2, run.upperBound)
                while try statement.step() { keys.append(statement.int(0)...statement.int(0)) }
            }
        } else {
            let statement = try table.statement(
                "SELECT \(place.owner), \(place.value) FROM \(place.table) WHERE \(place.value) IS NOT NULL"
            )
            while try statement.step() {
                if targets.contains(statement.int(1)) { keys.append(statement.int(0)...statement.int(0)) }
            }
        }
        return ChangedKeys(keys)
    }
}

extension StoreConnection {
    /// The table of a class that a property of a managed class names.
    func required(_ type: ObjectBase.Type) throws(Realm.Error) -> ClassTable {
        guard let table = table(type) else {
            throw Realm.Error(.invalidInput, "The class '\(type.className())' is not managed by this realm.")
        }
        return table
    }
}
