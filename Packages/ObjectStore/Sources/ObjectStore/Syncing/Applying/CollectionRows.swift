import ChangeModel
import EventModel
import ObjectQueries

/// The rows of one list, set or map: in which table, whose they are, and which property is told of their changes.
struct CollectionRows {
    /// The quoted name of the table.
    let table: String
    /// The row key of the object that has the collection, or the key of the collection itself when that is nested.
    let owner: Int64
    let shape: PropertyShape
    /// The class of the row that holds the collection, or ``SyncTables/nested``.
    let holderClass: String
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
        shape = table.schema.shape.properties[slot]
        self.table = StorageNames.table(table.schema.name, shape)
        owner = row
        holderClass = table.schema.name
        watched = Watched(table: table, row: row, slot: slot)
    }

    /// A nested list or dictionary.
    init(nested key: Int64, isMap: Bool, in watched: Watched) {
        shape = PropertyShape(
            name: "",
            columnName: "",
            kind: .any,
            collection: isMap ? .dictionary : .list,
            isOptional: true
        )
        table = isMap ? StorageNames.nestedEntries : StorageNames.nestedElements
        owner = key
        holderClass = SyncTables.nested
        self.watched = watched
    }

    var isAny: Bool { shape.kind == .any }
    var isList: Bool { shape.collection == .list }
    /// The columns of a value.
    var columns: String { isAny ? "\(StorageNames.value), \(StorageNames.valueType)" : StorageNames.value }
}
