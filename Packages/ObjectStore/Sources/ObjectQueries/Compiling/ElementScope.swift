import EventModel

/// The elements of a collection as a correlated subselect, with the one value of each that a path leads to.
struct ElementScope {
    /// The tables with all joins.
    var tables: String
    /// What ties the elements to their owner.
    var owner: SQL {
        others.map { "\(collection.owner) = \(ownerKey) AND \($0)" } ?? "\(collection.owner) = \(ownerKey)"
    }
    /// The row of the owner.
    let ownerKey: SQL
    /// What else chooses the elements, among them what ties the elements of an inner collection to this one.
    private(set) var others: SQL?
    /// The collection itself.
    let collection: CollectionTable
    /// The value of an element.
    var operand: Operand
    /// Whether an index leads from the value to the element.
    var isIndexed = false

    init(_ collection: CollectionTable, ownerKey: SQL, operand: Operand) {
        self.collection = collection
        self.ownerKey = ownerKey
        self.operand = operand
        tables = "\(collection.name) AS \(collection.alias)"
    }

    /// Chooses fewer elements.
    mutating func narrow(_ condition: SQL) {
        others = others.map { "\($0) AND \(condition)" } ?? condition
    }

    /// Adds the table of the objects that the elements are links to.
    mutating func join(_ target: TableScope) {
        let table = StorageNames.table(target.shape.name)
        tables += " JOIN \(table) AS \(target.alias) ON \(target.alias).\(StorageNames.key) = \(collection.value)"
    }

    /// Whether an element fulfils a condition.
    func exists(_ condition: SQL) -> SQL {
        "EXISTS (SELECT 1 FROM \(tables) WHERE \(owner) AND \(condition))"
    }

    /// Whether an element fulfils a condition that few elements do: an index leads from these to their owners.
    func isOwner(where condition: SQL) -> SQL {
        let all: SQL = others.map { "\($0) AND \(condition)" } ?? condition
        return "\(ownerKey) IN (SELECT \(collection.owner) FROM \(tables) WHERE \(all))"
    }

    /// A value computed from all elements, or from those that fulfil a condition.
    func select(_ expression: SQL, where condition: SQL? = nil) -> SQL {
        guard let condition else { return "(SELECT \(expression) FROM \(tables) WHERE \(owner))" }
        return "(SELECT \(expression) FROM \(tables) WHERE \(owner) AND \(condition))"
    }
}
