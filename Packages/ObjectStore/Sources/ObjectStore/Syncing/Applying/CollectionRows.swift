import ObjectQueries

/// The rows of a collection that are written, and which property is told of their changes.
@dynamicMemberLookup
struct CollectionRows {
    let collection: StoredCollection
    /// The property that observers of the object are told of.
    let watched: Watched

    /// A property of a row.
    struct Watched {
        let table: ClassTable
        let row: Int64
        let slot: Int
    }

    /// The collection of a property.
    init(_ table: ClassTable, _ row: Int64, _ slot: Int) {
        collection = StoredCollection(table, row, slot)
        watched = Watched(table: table, row: row, slot: slot)
    }

    /// A nested list or dictionary.
    init(nested key: Int64, isMap: Bool, in watched: Watched) {
        collection = StoredCollection(nested: key, isMap: isMap)
        self.watched = watched
    }

    /// What is known of the collection.
    subscript<Member>(dynamicMember member: KeyPath<StoredCollection, Member>) -> Member { collection[keyPath: member] }
}
