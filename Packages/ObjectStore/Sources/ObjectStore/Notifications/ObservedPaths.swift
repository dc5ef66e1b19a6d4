import ObjectQueries

/// Which properties an observation is about.
enum ObservedPaths {
    /// The properties of the object itself, nothing behind its links: what a token of an object is notified of by default.
    case shallow
    /// All properties of the object and of what it links to: what a token of a collection is notified of by default.
    case deep
    /// Chosen properties, each a way through links by its slots.
    case paths([[Int]])

    /// How many links ``deep`` follows.
    static let depth = 4

    /// Reads key paths such as `dogs.name`.
    ///
    /// - Precondition: Each names properties of the class, every one but the last a link or a collection of objects.
    init(_ keyPaths: [String], of schema: ClassSchema, in realm: RealmCore) {
        self = .paths(keyPaths.map { Self.slots($0, of: schema, in: realm) })
    }

    static func slots(_ keyPath: String, of schema: ClassSchema, in realm: RealmCore) -> [Int] {
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
            guard let property = owner.property(named: name) else {
                let names = owner.properties.map(\.name)
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
