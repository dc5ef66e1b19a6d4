import EventModel
import Foundation

extension AnyRealmValue: _Indexable {}

extension AnyRealmValue: _Persistable {
    /// Stored as it is, with its type beside it.
    public typealias PersistedType = AnyRealmValue
    /// A value of any type.
    public static var _propertyType: _PropertyType { _PropertyType(kind: .any, isOptional: true) }
    /// Nothing.
    public static func _defaultValue() -> AnyRealmValue { .none }
    /// Reads the value of a managed object; the object that it links to counts as followed.
    public static func _read(_ core: ObjectCore, _ slot: Int) -> AnyRealmValue {
        guard core.recorder == nil else { return .none }
        return AnyRealmValue(AnyCell(core.snapshot.packedValue(slot)), of: core, slot)
    }
    /// Writes the value of a managed object.
    public static func _assign(_ value: AnyRealmValue, _ core: ObjectCore, _ slot: Int) {
        core.assignAny(slot, value)
    }
    /// Those of a value with two columns: what it is, and of which type.
    public static var _operations: _PropertyOperations {
        _PropertyOperations(role: .any) { core, slot in _read(core, slot).bare }
    }

    /// The value of an unmanaged object, from the wrapper at an address.
    static func stored(at field: UnsafeRawPointer) -> AnyRealmValue {
        field.assumingMemoryBound(to: Persisted<AnyRealmValue>.self).pointee.stored ?? .none
    }

    /// Replaces the value of an unmanaged object in the wrapper at an address.
    static func store(_ value: AnyRealmValue, at field: UnsafeMutableRawPointer) {
        field.assumingMemoryBound(to: Persisted<AnyRealmValue>.self).pointee.stored = value
    }
}

extension AnyRealmValue: RealmCollectionValue {
    /// What the store keeps for an element.
    public static var _elementType: _PropertyType { _propertyType }
    /// The value itself.
    public var _identity: _ValueIdentity<AnyRealmValue> { _ValueIdentity(self) }
    /// Reads an element; the type lies in the next column.
    public static func _element(
        column: Int32,
        of statement: OpaquePointer,
        in owner: ObjectCore,
        _ slot: Int
    ) -> AnyRealmValue {
        AnyRealmValue(AnyCell(column: column, of: statement), of: owner, slot)
    }
    /// Traps: an element of any type is not a row.
    public static func _element(_ row: _ElementRow?, of owner: ObjectCore, _ slot: Int) -> AnyRealmValue {
        misuse("A collection of values of any type has no rows of objects.")
    }
    /// Binds a scalar with its type behind it; traps for objects, lists and dictionaries, which must be written first.
    public func _bindElement(to statement: OpaquePointer, at index: Int32) {
        guard let scalar else { misuse("A value that refers to an object or a collection was stored as a scalar.") }
        AnyCell.value(scalar).bind(to: statement, at: index)
    }
    /// Accepts every type that a realm stores.
    public static func _convertedElement(_ value: Any) -> AnyRealmValue? {
        try? AnyRealmValue(value, at: "", depth: 0)
    }
}

// MARK: - Cells

extension AnyRealmValue {
    /// Makes the value that a cell stands for, with accessors of its object, list or dictionary.
    ///
    /// - Parameters:
    ///   - cell: What the two columns hold. A link to a class that the realm does not manage is ``none``.
    ///   - core: The object that the value belongs to, directly or inside nested lists and dictionaries.
    ///   - slot: The property of that object.
    ///   - isObserved: Whether an observer learns that the program followed a link.
    init(_ cell: AnyCell, of core: ObjectCore, _ slot: Int, isObserved: Bool = true) {
        switch cell {
        case .value(let value): self = AnyRealmValue(value)
        case .link(let className, let key):
            self = core.target(className, key, slot, isObserved: isObserved).map(AnyRealmValue.object) ?? .none
        case .list(let key): self = .list(List(nested: key, of: core, slot))
        case .dictionary(let key): self = .dictionary(Map(nested: key, of: core, slot))
        }
    }

    private init(_ value: Value) {
        self =
            switch value {
            case .bool(let value): .bool(value)
            case .int(let value): .int(Int(value))
            case .float(let value): .float(value)
            case .double(let value): .double(value)
            case .string(let value): .string(value)
            case .data(let value): .data(.init(value))
            case .date(let value): .date(value)
            case .objectId(let value): .objectId(value)
            case .uuid(let value): .uuid(value)
            case .decimal128(let value): .decimal128(value)
            case .null, .link, .list, .dictionary, .object: .none
            }
    }

    /// What columns hold for the value; nil for nested ones, and for objects that a realm does not manage.
    func storedCell(in realm: RealmCore) -> AnyCell? {
        if let scalar { return .value(scalar) }
        guard case .object(let object) = self, let core = object._core, core.realm === realm, core.isValid else {
            return nil
        }
        return .link(className: core.table.schema.name, key: core.key)
    }

    /// The value as columns hold it; nil for objects, lists and dictionaries.
    var scalar: Value? {
        switch self {
        case .none: .null
        case .int(let value): .int(Int64(value))
        case .bool(let value): .bool(value)
        case .float(let value): .float(value)
        case .double(let value): .double(value)
        case .string(let value): .string(value)
        case .data(let value): .data(Array(value))
        case .date(let value): .date(value)
        case .objectId(let value): .objectId(value)
        case .decimal128(let value): .decimal128(value)
        case .uuid(let value): .uuid(value)
        case .object, .dictionary, .list: nil
        }
    }
}
