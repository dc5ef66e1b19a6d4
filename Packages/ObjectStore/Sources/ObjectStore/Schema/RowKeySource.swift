/// The primary key that is the row key of a class, and how it is found before there is a row.
struct RowKeySource: Sendable {
    let slot: Int
    /// Whether the property is an `Int`, of which each value is a key.
    let isInt: Bool
    /// Where the wrapper lies in an object, in bytes.
    private let offset: Int
    private let stored: @Sendable (UnsafeRawPointer) -> Int64
    /// Converts a value of any type; nil when it is no integer that the property could have.
    let converted: @Sendable (Any) -> Int64?

    /// Takes a required integer.
    init?(_ property: PersistedProperty) {
        guard case .scalar(let operations) = property.operations.role else { return nil }
        slot = property.slot
        isInt = operations.isInt
        offset = property.offset
        stored = operations.storedInteger
        converted = operations.convertedInteger
    }

    /// The key of an unmanaged object, or the default.
    @inline(__always)
    func key(of object: ObjectBase) -> Int64 {
        stored(UnsafeRawPointer(Unmanaged.passUnretained(object).toOpaque()) + offset)
    }
}
