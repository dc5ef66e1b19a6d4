import EventModel

/// One persisted property of a class, as its declaration says.
struct PersistedProperty: Sendable {
    let slot: Int
    let name: String
    let columnName: String
    let type: _PropertyType
    /// Where the wrapper lies in an object, in bytes.
    let offset: Int
    let options: PersistedOptions
    /// The type of the wrapper; nil for a class that is known by name only.
    var wrapper: (any PersistedField.Type)?
    let operations: _PropertyOperations
    /// Whether the declaration gives the wrapper at an address a value of its own.
    var hasInitialValue: @Sendable (UnsafeRawPointer) -> Bool = { _ in false }

    /// Whether the class's own table has a column for it.
    var isColumn: Bool { type.collection == .none }

    var isPrimaryKey: Bool { options.contains(.primaryKey) }

    /// The wrapper in an object.
    func field(in object: ObjectBase) -> UnsafeMutableRawPointer {
        Unmanaged.passUnretained(object).toOpaque() + offset
    }
}
