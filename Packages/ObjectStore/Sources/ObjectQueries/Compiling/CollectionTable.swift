package import EventModel

/// The table that holds the elements of a collection, or the objects whose links lead to one, under an alias.
struct CollectionTable {
    /// The table's name, quoted.
    let name: String
    /// The alias, quoted.
    let alias: String
    /// The column with the row of the object that the elements belong to.
    let owner: String
    /// The column with an element.
    let value: String
    /// The column with the type of an element that may have any.
    let valueType: String
    /// The column with the position or the key of an element.
    let place: String

    init(_ step: PathCompiler.Step, alias: String, schema: QuerySchema) throws(QueryError) {
        self.alias = alias
        valueType = "\(alias).\(StorageNames.valueType)"
        guard let backlink = step.backlink else {
            name = StorageNames.table(step.owner.name, step.property)
            owner = "\(alias).\(StorageNames.owner)"
            value = "\(alias).\(StorageNames.value)"
            switch step.property.collection {
            case .dictionary: place = "\(alias).\(StorageNames.entryKey)"
            case .list: place = "\(alias).\(StorageNames.position)"
            case .set, .none: place = value
            }
            return
        }
        // The other way round: the owner is what is linked to, the elements are the objects with the links.
        let origin = try schema.shape(backlink.origin)
        guard let link = origin.property(named: backlink.property) else {
            throw .unknownProperty(
                path: backlink.name,
                component: backlink.property,
                className: backlink.origin,
                suggestion: backlink.property.closest(in: origin.properties.map(\.name))
            )
        }
        if link.collection == .none {
            name = StorageNames.table(origin.name)
            owner = "\(alias).\(StorageNames.column(link))"
            value = "\(alias).\(StorageNames.key)"
        } else {
            name = StorageNames.table(origin.name, link)
            owner = "\(alias).\(StorageNames.value)"
            value = "\(alias).\(StorageNames.owner)"
        }
        place = value
    }
}

// MARK: - Values of any type

extension CollectionTable {
    /// The lists or dictionaries inside values of any type; their keys are unique among both.
    init(nested place: QueryPredicate.Subscript, alias: String) {
        self.alias = alias
        owner = "\(alias).\(StorageNames.owner)"
        value = "\(alias).\(StorageNames.value)"
        valueType = "\(alias).\(StorageNames.valueType)"
        switch place {
        case .key:
            name = StorageNames.nestedEntries
            self.place = "\(alias).\(StorageNames.entryKey)"
        case .index:
            name = StorageNames.nestedElements
            self.place = "\(alias).\(StorageNames.position)"
        case .any:
            let columns = "\(StorageNames.owner), \(StorageNames.value), \(StorageNames.valueType)"
            name = """
                (SELECT \(columns) FROM \(StorageNames.nestedElements) \
                UNION ALL SELECT \(columns) FROM \(StorageNames.nestedEntries))
                """
            self.place = value
        }
    }
}

extension ClassShape {
    /// The property of a Swift name, or of a stored name where no property has that Swift name.
    package func property(named name: String) -> PropertyShape? {
        properties.first { $0.name == name } ?? properties.first { $0.columnName == name }
    }
}
