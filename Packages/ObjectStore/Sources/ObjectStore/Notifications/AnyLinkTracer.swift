import ObjectQueries

/// Finds the objects whose values of any type link to objects that changed.
struct AnyLinkTracer {
    private let store: StoreConnection

    init(_ store: StoreConnection) { self.store = store }

    /// The objects that link to any of some objects with the value of a property itself.
    ///
    /// - Parameters:
    ///   - targets: The objects, by the names of their classes.
    ///   - property: The property.
    ///   - table: Its class.
    /// - Returns: The keys of the objects.
    /// - Throws: A `Realm.Error` when the file cannot be read.
    func owners(
        of targets: [String: ChangedKeys],
        _ property: PersistedProperty,
        _ table: ClassTable
    ) throws(Realm.Error) -> ChangedKeys {
        let place = table.place(property.slot)
        var owners: [ClosedRange<Int64>] = []
        for (className, keys) in targets {
            if let links = Self.links(className, keys) {
                let statement = try table.statement(place.selectOwners(where: place.isLink))
                for link in links {
                    statement.bind(1, link)
                    for owner in try statement.keys() { owners.append(owner...owner) }
                }
                continue
            }
            let statement = try table.statement(
                """
                SELECT \(place.owner), \(place.value), \(place.type) FROM \(place.table) \
                WHERE \(place.type) = \(AnyCell.linkTag) AND \(place.value) >= ?1 AND \(place.value) < ?2
                """
            )
            Self.bindRange(className, statement)
            while try statement.step() {
                guard case .link(_, let key) = AnyCell(column: 1, of: statement.handle), keys.contains(key) else {
                    continue
                }
                owners.append(statement.int(0)...statement.int(0))
            }
        }
        return ChangedKeys(owners)
    }

    /// The objects that link to any of some objects from lists and dictionaries inside their values, by their classes.
    func nestedOwners(of targets: [String: ChangedKeys]) throws(Realm.Error) -> [String: ChangedKeys] {
        var owners: [String: [ClosedRange<Int64>]] = [:]
        let nested = NestedCollections(store)
        for (className, keys) in targets {
            var found: [NestedCollections.Owner] = []
            if let links = Self.links(className, keys) {
                for link in links { found += try nested.owners(linkingTo: link) }
            } else {
                found = try nested.owners(linkingToClass: className) { keys.contains($0) }
            }
            for owner in found { owners[owner.className, default: []].append(owner.key...owner.key) }
        }
        return owners.mapValues { ChangedKeys($0) }
    }

    /// What values hold that link to some objects; nil when there are too many to look for one by one.
    private static func links(_ className: String, _ keys: ChangedKeys) -> [String]? {
        guard !keys.isEverything, keys.count <= ChangeTracer.maximumLookUpCount else { return nil }
        return keys.runs.joined().map { StorageNames.link(className, $0) }
    }

    /// Binds what the links to all objects of a class lie between.
    static func bindRange(_ className: String, _ statement: Statement) {
        statement.bind(1, "\(className)/")
        // The character behind a slash.
        statement.bind(2, "\(className)0")
    }
}
