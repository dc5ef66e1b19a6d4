public import EventModel

/// A type of the program that is persisted as another one, and that not every stored value can be turned into.
///
/// A stored value that ``init(persistedValue:)`` refuses reads as nil from an optional property, and traps when it is read
/// from a required one.
///
/// ```swift
/// struct Percentage: FailableCustomPersistable {
///     let value: Int
///     init?(persistedValue: Int) {
///         guard (0...100).contains(persistedValue) else { return nil }
///         value = persistedValue
///     }
///     var persistableValue: Int { value }
/// }
/// ```
public protocol FailableCustomPersistable: _ScalarValue where PersistedType: _OptionalPersistable {
    /// The type that is stored: a scalar, or a class of embedded objects.
    associatedtype PersistedType
    /// Creates a value from what is stored; nil when that stands for none.
    init?(persistedValue: PersistedType)
    /// What is stored for the value: a scalar, or an embedded object that was made for it.
    var persistableValue: PersistedType { get }
}

/// A type of the program that is persisted as another one: as a scalar, or as an embedded object.
///
/// ```swift
/// struct Celsius: CustomPersistable {
///     var degrees: Double
///     init(persistedValue: Double) { degrees = persistedValue }
///     var persistableValue: Double { degrees }
/// }
/// class Reading: Object {
///     @Persisted var temperature: Celsius
///     @Persisted var history: List<Celsius>
/// }
/// ```
/// The default of a property is made from the default of the stored type. A property may be a primary key or have an index
/// when one of the stored type may. Changing a value does not change the object that it was read from: assign it.
public protocol CustomPersistable: FailableCustomPersistable {
    /// Creates a value from what is stored.
    init(persistedValue: PersistedType)
}

extension FailableCustomPersistable {
    /// Creates a value that must exist.
    fileprivate static func required(_ value: PersistedType, at place: @autoclosure () -> String) -> Self {
        guard let made = Self(persistedValue: value) else {
            misuse(
                """
                '\(self)' refuses the value of '\(place())'; declare the property optional, or accept the value in \
                'init(persistedValue:)'.
                """
            )
        }
        return made
    }
}

// MARK: - Stored as scalars

extension FailableCustomPersistable where PersistedType: _ScalarValue {
    /// Compares what is stored.
    public static func == (left: Self, right: Self) -> Bool { left.persistableValue == right.persistableValue }
    /// Feeds what is stored to the hasher.
    public func hash(into hasher: inout Hasher) { hasher.combine(persistableValue) }

    /// The type of what is stored.
    public static var _kind: PropertyShape.Kind { PersistedType._kind }
    /// Whether the default of the stored type must stay the value of its object.
    public static var _keepsDefault: Bool { PersistedType._keepsDefault }
    /// Made from the default of the stored type.
    public static func _defaultValue() -> Self { required(PersistedType._defaultValue(), at: "a default") }
    /// Reads the slot; traps when the type refuses the value.
    public static func _decode(_ snapshot: ObjectSnapshot, _ slot: Int) -> Self {
        // A recorder of key paths reads rows that were never stored.
        if snapshot.version == 0 { return _defaultValue() }
        return required(
            PersistedType._decode(snapshot, slot),
            at: "\(snapshot.shape.name).\(snapshot.shape.properties[slot].name)"
        )
    }
    /// Reads the slot; nil when it is null or the type refuses the value.
    public static func _readOptional(_ core: ObjectCore, _ slot: Int) -> Self? {
        guard !core.snapshot.isNull(slot) else { return nil }
        return Self(persistedValue: PersistedType._decode(core.snapshot, slot))
    }
    /// Reads the column.
    public static func _decode(column: Int32, of statement: OpaquePointer) -> Self? {
        PersistedType._decode(column: column, of: statement).flatMap(Self.init(persistedValue:))
    }
    /// Binds what is stored.
    public func _bind(to statement: OpaquePointer, at index: Int32) { persistableValue._bind(to: statement, at: index) }
    /// The integer that the value is stored as.
    public var _integer: Int64? { persistableValue._integer }
    /// Accepts the type itself, or what the stored type accepts.
    public static func _converted(_ value: Any) -> Self? {
        if let same = unwrapped(value) as? Self { return same }
        return PersistedType._converted(value).flatMap(Self.init(persistedValue:))
    }
    /// Whether the value could be stored, but is refused by `init(persistedValue:)`.
    public static func _refuses(_ value: Any) -> Bool {
        PersistedType._converted(value).map { Self(persistedValue: $0) == nil } ?? false
    }
    /// What is stored.
    public static func _stored(_ core: ObjectCore, _ slot: Int) -> Any? { PersistedType._stored(core, slot) }
    /// Those of a scalar, converted on the way to its column and back.
    public static var _operations: _PropertyOperations { .scalar(Self.self) }
    /// The same with NULL for nil, which is never converted.
    public static var _optionalOperations: _PropertyOperations { .optionalScalar(Self.self) }
}

// MARK: - Stored as embedded objects

extension FailableCustomPersistable where PersistedType: EmbeddedObject {
    /// An embedded object.
    public static var _kind: PropertyShape.Kind { .embedded }
    /// What the store keeps: an embedded object that may be missing.
    public static var _propertyType: _PropertyType { PersistedType._optionalPropertyType }
    /// What the store keeps for the optional type, which is the same.
    public static var _optionalPropertyType: _PropertyType { PersistedType._optionalPropertyType }
    /// What the store keeps for an element.
    public static var _elementType: _PropertyType { PersistedType._elementType }
    /// What the store keeps for an element of the optional type.
    public static var _optionalElementType: _PropertyType { PersistedType._optionalPropertyType }
    /// Made from a new embedded object.
    public static func _defaultValue() -> Self { required(PersistedType(), at: "a default") }

    /// Reads the embedded object; a missing one gives the default.
    public static func _read(_ core: ObjectCore, _ slot: Int) -> Self {
        // A recorder of key paths must not see what the type reads of its embedded object.
        if core.recorder != nil { return _defaultValue() }
        guard let object = PersistedType._readOptional(core, slot) else { return _defaultValue() }
        return required(object, at: "\(core.table.schema.name).\(core.table.schema.properties[slot].name)")
    }
    /// Reads the embedded object, or nil.
    public static func _readOptional(_ core: ObjectCore, _ slot: Int) -> Self? {
        if core.recorder != nil { return nil }
        return PersistedType._readOptional(core, slot).flatMap(Self.init(persistedValue:))
    }
    /// Replaces the embedded object.
    public static func _assign(_ value: Self, _ core: ObjectCore, _ slot: Int) {
        core.assignLink(slot, value.persistableValue)
    }
    /// Replaces the embedded object, or removes it.
    public static func _assignOptional(_ value: Self?, _ core: ObjectCore, _ slot: Int) {
        core.assignLink(slot, value?.persistableValue)
    }
    /// Traps: embedded objects are rows of their own.
    public static func _decode(_ snapshot: ObjectSnapshot, _ slot: Int) -> Self { misuse(Self.noColumn) }
    /// Traps: embedded objects are rows of their own.
    public static func _decode(column: Int32, of statement: OpaquePointer) -> Self? { misuse(Self.noColumn) }
    /// Traps: embedded objects are rows of their own.
    public func _bind(to statement: OpaquePointer, at index: Int32) { misuse(Self.noColumn) }
    /// Accepts the type itself, or an embedded object.
    public static func _converted(_ value: Any) -> Self? {
        switch unwrapped(value) {
        case let same as Self: same
        case let object as PersistedType: Self(persistedValue: object)
        default: nil
        }
    }
    /// Makes an element from the row of an embedded object; an entry of a map whose object is gone gives the default.
    public static func _element(_ row: _ElementRow?, of owner: ObjectCore, _ slot: Int) -> Self {
        if row == nil { return _defaultValue() }
        return required(
            PersistedType._element(row, of: owner, slot),
            at: "\(owner.table.schema.name).\(owner.table.schema.properties[slot].name)"
        )
    }
    /// Those of the embedded object that the value is stored as, converted on the way.
    public static var _operations: _PropertyOperations {
        operations(
            stored: { field in
                let wrapper = field.assumingMemoryBound(to: Persisted<Self>.self)
                return (wrapper.pointee.stored ?? _defaultValue()).persistableValue
            },
            store: { field, value in
                guard let value else { return }
                field.assumingMemoryBound(to: Persisted<Self>.self).pointee.stored = value
            },
            managed: { core, slot in Self._read(core, slot) }
        )
    }
    /// The same without an object for nil.
    public static var _optionalOperations: _PropertyOperations {
        operations(
            stored: { field in
                let wrapper = field.assumingMemoryBound(to: Persisted<Self?>.self)
                return (wrapper.pointee.stored ?? nil)?.persistableValue
            },
            store: { field, value in
                field.assumingMemoryBound(to: Persisted<Self?>.self).pointee.stored = .some(value)
            },
            managed: { core, slot in Self._readOptional(core, slot) }
        )
    }

    private static func operations(
        stored: @escaping @Sendable (UnsafeRawPointer) -> ObjectBase?,
        store: @escaping @Sendable (UnsafeMutableRawPointer, Self?) -> Void,
        managed: @escaping @Sendable (ObjectCore, Int) -> Any?
    ) -> _PropertyOperations {
        let operations = LinkOperations(
            stored: stored,
            store: { field, object in
                store(field, (object as? PersistedType).flatMap(Self.init(persistedValue:)))
            }
        )
        return _PropertyOperations(role: .link(operations), managedValue: managed)
    }

    private static var noColumn: String { "A value of '\(Self.self)' is an embedded object and has no column." }
}

/// The object that a value is, or is persisted as; nil when it is neither.
func persistedObject(_ value: Any) -> ObjectBase? {
    if let object = value as? ObjectBase { return object }
    return (value as? any FailableCustomPersistable)?.persistableValue as? ObjectBase
}
