import RealmWindow

/// What the first page shows: the classes.
struct ShownFile: Encodable, Sendable {
    let state: String
    let name: String
    let schemaVersion: String
    let classes: [ShownClass]
}

/// A class and its properties.
struct ShownClass: Encodable, Sendable {
    let name: String
    let count: Int
    let isEmbedded: Bool
    let properties: [ShownProperty]

    init(_ item: WindowClass) {
        name = item.name
        count = item.count
        isEmbedded = item.isEmbedded
        properties = item.properties.map(ShownProperty.init)
    }
}

/// A property, which is a column of a table.
struct ShownProperty: Encodable, Sendable {
    let name: String
    let type: String
    let isSortable: Bool
    let isPrimaryKey: Bool
    let isIndexed: Bool

    init(_ property: WindowProperty) {
        name = property.name
        type = property.type
        isSortable = property.isSingle && property.target == nil
        isPrimaryKey = property.isPrimaryKey
        isIndexed = property.isIndexed
    }
}

/// A page of the objects of a class.
struct ShownObjects: Encodable, Sendable {
    /// An object as a row.
    struct Row: Encodable, Sendable {
        let key: String?
        let row: String
        let values: [BrowsedValue]

        init(_ object: WindowObject, _ columns: [WindowProperty]) {
            key = ShownKey(object.link).text
            row = "\(object.link.row)"
            values = columns.map { BrowsedValue(object[$0.name] ?? .null) }
        }
    }

    let state: String
    let columns: [ShownProperty]
    /// How many objects fulfil the condition.
    let total: Int
    let rows: [Row]
}

/// An object with all of its values.
struct ShownObject: Encodable, Sendable {
    /// A property with its type and its value.
    struct Line: Encodable, Sendable {
        let name: String
        let type: String
        let value: BrowsedValue
    }

    let state: String
    let key: String?
    let row: String
    let lines: [Line]
}

/// The state of the file.
struct ShownState: Encodable, Sendable {
    let state: String
}

/// Why there is no other answer.
struct ShownRefusal: Encodable, Sendable {
    let message: String
}
