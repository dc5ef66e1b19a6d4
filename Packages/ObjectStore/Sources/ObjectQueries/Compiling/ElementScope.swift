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

    /// Chooses the element at an index of a list; none when there is no such element.
    ///
    /// Positions grow along a list but have gaps, so that they are counted: an index costs as many steps along the rows
    /// of the one list.
    mutating func narrow(toIndex index: Int) {
        guard index >= 0 else { return narrow("0") }
        let (name, position) = (collection.name, StorageNames.position)
        narrow(
            """
            \(collection.place) = (SELECT \(position) FROM \(name) WHERE \(StorageNames.owner) = \(ownerKey) \
            ORDER BY \(position) LIMIT 1 OFFSET \(.argument(.int(Int64(index)))))
            """
        )
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
