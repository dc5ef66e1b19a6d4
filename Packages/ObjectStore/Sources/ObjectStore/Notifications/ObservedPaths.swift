import ObjectQueries

/// Which properties an observation is about.
enum ObservedPaths {
    /// The properties of the object itself, nothing behind its links: what a token of an object is notified of by default.
    case shallow
    /// All properties of the object and of what it links to: what a token of a collection is notified of by default.
    case deep
    /// Chosen properties, each a way through links by its slots; and what ways that lead links backwards have to remember, if there are any.
    case paths([[Int]], ObservedOrigins?)

    /// How many links ``deep`` follows.
    static let depth = 4

    /// Reads key paths such as `dogs.name`.
    ///
    /// - Precondition: Each names properties of the class, every one but the last a link or a collection of objects.
    init(_ keyPaths: [String], of schema: ClassSchema, in realm: RealmCore) {
        var places: Set<ObservedOrigins.Place> = []
        let paths = keyPaths.map { Self.slots($0, of: schema, in: realm, &places) }
        self = .paths(paths, places.isEmpty ? nil : ObservedOrigins(places))
    }

    /// Reads what has to be remembered, before the first change.
    func begin(_ store: StoreConnection) throws(Realm.Error) {
        if case .paths(_, let origins?) = self { try origins.begin(store) }
    }

    /// The properties of a class among the first of the ways that show which links lead to an object.
    func origins(of schema: ClassSchema) -> [OriginProperty] {
        guard case .paths(let paths, _?) = self else { return [] }
        return schema.origins.filter { origin in paths.contains { $0.first == origin.slot } }
    }

    /// The slots of a way, without what it has to remember.
    static func slots(_ keyPath: String, of schema: ClassSchema, in realm: RealmCore) -> [Int] {
        var places: Set<ObservedOrigins.Place> = []
        return slots(keyPath, of: schema, in: realm, &places)
    }

    private static func slots(
        _ keyPath: String,
        of schema: ClassSchema,
        in realm: RealmCore,
        _ places: inout Set<ObservedOrigins.Place>
    ) -> [Int] {
        var slots: [Int] = []
        var current: ClassSchema? = schema
        for name in keyPath.split(separator: ".", omittingEmptySubsequences: false).map(String.init) {
            guard let owner = current else {
                misuse(
                    """
                    The key path '\(keyPath)' cannot be observed: the property before '\(name)' is not a link or a \
                    collection of objects, so that nothing can follow it.
                    """
                )
            }
            if let origin = owner.origin(named: name) {
                let linking = realm.requireTable(origin.target).schema
                if let place = origin.place(in: linking) { places.insert(place) }
                slots.append(origin.slot)
                current = linking
                continue
            }
            guard let property = owner.property(named: name) else {
                let names = (owner.properties.map(\.name)) + owner.origins.map(\.name)
                let hint = name.closest(in: names).map { "; did you mean '\($0)'?" } ?? "."
                misuse(
                    """
                    The key path '\(keyPath)' cannot be observed: the class '\(owner.name)' has no persisted property \
                    '\(name)'\(hint)
                    """
                )
            }
            slots.append(property.slot)
            current = property.type.target.map { realm.requireTable($0).schema }
        }
        return slots
    }
}

extension OriginProperty {
    /// The property of the class that links; nil when the declaration does not name one.
    func place(in linking: ClassSchema) -> ObservedOrigins.Place? {
        origin.flatMap(linking.property(named:))
            .map { ObservedOrigins.Place(className: linking.name, slot: $0.slot) }
    }
}
