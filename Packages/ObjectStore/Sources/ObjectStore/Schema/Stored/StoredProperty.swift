import EventModel

/// A property as a file describes it.
struct StoredProperty: Sendable, Hashable {
    /// The name of the column or of the collection.
    let name: String
    let kind: PropertyShape.Kind
    let collection: PropertyShape.Collection
    let isOptional: Bool
    /// The class that links or embedded objects are of.
    let target: String?
    let isPrimaryKey: Bool

    /// Whether the table of the class has a column for it.
    var isColumn: Bool { collection == .none }

    /// The type in words, for messages.
    var text: String {
        let single = target ?? "\(PropertyType(kind))"
        // An object in a property of its own is always optional, so that saying it would tell nothing.
        let value = isOptional && target == nil ? "optional \(single)" : single
        let holder =
            switch collection {
            case .none: value
            case .list: "list of \(value)"
            case .set: "set of \(value)"
            case .dictionary: "map of \(value)"
            }
        return isPrimaryKey ? "\(holder), primary key" : holder
    }

    /// Whether both hold the same values, whatever may be null and whichever is the key.
    ///
    /// A link and an embedded object are the same to the file: the row of the target.
    func hasSameType(as other: StoredProperty) -> Bool {
        storageKind == other.storageKind && collection == other.collection && target == other.target
    }

    private var storageKind: PropertyShape.Kind { kind == .embedded ? .link : kind }
}

extension StoredProperty {
    init(_ property: PersistedProperty, _ shape: PropertyShape) {
        name = property.columnName
        kind = property.type.kind
        collection = property.type.collection
        isOptional = property.type.isOptional
        target = shape.targetClass
        isPrimaryKey = property.isPrimaryKey
    }
}
