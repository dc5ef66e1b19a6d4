public import EventModel

/// An enumeration whose raw value is persisted.
///
/// ```swift
/// enum Ward: String, PersistableEnum { case surgery, intensiveCare }
/// ```
/// The default of a property is the first case. Cases are ordered by their raw values, and a property may be a primary key
/// or have an index when one of the raw type may. A stored value that is no case reads as nil from an optional property,
/// and traps when it is read from a required one.
public protocol PersistableEnum: _ScalarValue, RawRepresentable, CaseIterable, Comparable, MinMaxType
where RawValue: _ScalarValue & Comparable, PersistedType == RawValue {}

extension PersistableEnum {
    /// Compares the raw values.
    public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }

    /// The type of the raw value.
    public static var _kind: PropertyShape.Kind { RawValue._kind }
    /// The first case.
    public static func _defaultValue() -> Self {
        guard let first = allCases.first else { misuse("The enumeration '\(self)' has no case that could be stored.") }
        return first
    }
    /// Reads the slot; traps when the raw value is not one of the cases.
    public static func _decode(_ snapshot: ObjectSnapshot, _ slot: Int) -> Self {
        guard let value = Self(rawValue: RawValue._decode(snapshot, slot)) else {
            // A recorder of key paths reads rows that were never stored.
            if snapshot.version == 0 { return _defaultValue() }
            misuse(
                """
                The stored value of '\(snapshot.shape.name).\(snapshot.shape.properties[slot].name)' is not a case of \
                '\(self)'; declare the property optional, or add the missing case.
                """
            )
        }
        return value
    }
    /// Reads the slot; nil when it is null or the raw value is not one of the cases.
    public static func _readOptional(_ core: ObjectCore, _ slot: Int) -> Self? {
        guard !core.snapshot.isNull(slot) else { return nil }
        return Self(rawValue: RawValue._decode(core.snapshot, slot))
    }
    /// Reads the column.
    public static func _decode(column: Int32, of statement: OpaquePointer) -> Self? {
        RawValue._decode(column: column, of: statement).flatMap(Self.init(rawValue:))
    }
    /// Binds the raw value.
    public func _bind(to statement: OpaquePointer, at index: Int32) {
        rawValue._bind(to: statement, at: index)
    }
    /// The integer of the raw value.
    public var _integer: Int64? { rawValue._integer }
    /// Accepts a case or the raw value of one.
    public static func _converted(_ value: Any) -> Self? {
        if let same = unwrapped(value) as? Self { return same }
        return RawValue._converted(value).flatMap(Self.init(rawValue:))
    }
    /// The raw value.
    public static func _stored(_ core: ObjectCore, _ slot: Int) -> Any? { RawValue._stored(core, slot) }
    /// Those of a scalar, converted on the way to its column and back.
    public static var _operations: _PropertyOperations { .scalar(Self.self) }
    /// The same with NULL for nil, which is never converted.
    public static var _optionalOperations: _PropertyOperations { .optionalScalar(Self.self) }
}
