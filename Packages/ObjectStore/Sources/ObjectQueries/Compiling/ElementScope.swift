import EventModel

/// The elements of a collection as a correlated subselect, with the one value of each that a path leads to.
struct ElementScope {
    /// The tables with all joins.
    var tables: String
    /// What ties the elements to their owner.
    var owner: SQL
    /// The collection itself.
    let collection: CollectionTable
    /// The value of an element.
    var operand: Operand

    /// Adds the table of the objects that the elements are links to.
    mutating func join(_ target: TableScope) {
        let table = StorageNames.table(target.shape.name)
        tables += " JOIN \(table) AS \(target.alias) ON \(target.alias).\(StorageNames.key) = \(collection.value)"
    }

    /// Whether an element fulfils a condition.
    func exists(_ condition: SQL) -> SQL {
        "EXISTS (SELECT 1 FROM \(tables) WHERE \(owner) AND \(condition))"
    }

    /// A value computed from all elements, or from those that fulfil a condition.
    func select(_ expression: SQL, where condition: SQL? = nil) -> SQL {
        guard let condition else { return "(SELECT \(expression) FROM \(tables) WHERE \(owner))" }
        return "(SELECT \(expression) FROM \(tables) WHERE \(owner) AND \(condition))"
    }
}
