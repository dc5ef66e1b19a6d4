import EventModel

/// A `FROM` clause under construction: the table of one class, and the tables that its links lead to.
struct TableScope {
    /// SQLite joins at most 64 tables; some are left for collections.
    private static let maximumJoins = 48

    /// The alias of the first table, quoted.
    let alias: String
    /// The class whose properties paths start at.
    let shape: ClassShape
    /// The collection whose values the scope goes over when they are no objects; nil for objects.
    let element: PropertyShape?
    private let name: String
    private var aliases: [String: String] = [:]
    private(set) var joins = ""

    init(name: String, shape: ClassShape) {
        self.name = name
        self.shape = shape
        element = nil
        alias = StorageNames.quoted(name)
    }

    /// Creates the scope of values that are no objects: the only path is that to the value itself.
    init(valuesOf property: PropertyShape, name: String, owner: ClassShape) {
        self.name = name
        shape = ClassShape(name: "\(owner.name).\(property.name)", properties: [])
        element = property
        alias = StorageNames.quoted(name)
    }

    /// Returns the alias of the table that links of this path lead to, joining it on first use.
    ///
    /// - Parameters:
    ///   - path: The names from the scope's object to the link.
    ///   - link: The column that holds the row of the target.
    ///   - target: The class of the target.
    /// - Returns: The alias, quoted.
    /// - Throws: `QueryError.tooComplex` after too many links.
    mutating func join(_ path: [String], link: String, target: ClassShape) throws(QueryError) -> String {
        let key = ([name] + path).joined(separator: ".")
        if let known = aliases[key] { return known }
        guard aliases.count < Self.maximumJoins else {
            throw .tooComplex(className: shape.name, reason: "it follows more than \(Self.maximumJoins) links")
        }
        let alias = StorageNames.quoted(key)
        aliases[key] = alias
        let table = StorageNames.table(target.name)
        joins += " LEFT JOIN \(table) AS \(alias) ON \(alias).\(StorageNames.key) = \(link)"
        return alias
    }
}
