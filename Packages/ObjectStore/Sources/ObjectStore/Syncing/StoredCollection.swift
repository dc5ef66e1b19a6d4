import EventModel
import ObjectQueries

/// One list, set or map of a file: in which table its rows lie, and whose they are.
struct StoredCollection {
    /// The quoted name of the table.
    let table: String
    /// The row key of the object that has the collection, or the key of the collection itself when that is nested.
    let owner: Int64
    /// The property; one without a name in a nested collection.
    let shape: PropertyShape
    /// The class of the row that holds the collection, or ``SyncTables/nested``.
    let holderClass: String

    /// The collection of a property.
    init(_ table: ClassTable, _ row: Int64, _ slot: Int) {
        shape = table.schema.shape.properties[slot]
        self.table = StorageNames.table(table.schema.name, shape)
        owner = row
        holderClass = table.schema.name
    }

    /// A nested list or dictionary.
    init(nested key: Int64, isMap: Bool) {
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
    }

    var isAny: Bool { shape.kind == .any }
    var isEmbedded: Bool { shape.kind == .embedded }
    var isList: Bool { shape.collection == .list }
    /// The columns of a value.
    var columns: String { isAny ? "\(StorageNames.value), \(StorageNames.valueType)" : StorageNames.value }
}
