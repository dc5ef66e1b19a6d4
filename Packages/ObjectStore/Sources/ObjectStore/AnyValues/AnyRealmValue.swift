public import EventModel
public import Foundation

/// A value of a property that may hold any type that a realm stores.
///
/// ```swift
/// class Setting: Object {
///     @Persisted(primaryKey: true) var name: String
///     @Persisted var value: AnyRealmValue
/// }
/// setting.value = .int(3)
/// if case .string(let text) = setting.value { print(text) }
/// ```
/// A property of this type is never optional: ``none`` is nil. Two values are equal when they have the same case and the
/// same content, so that `.int(1)` is not `.double(1)`; queries compare numbers by their size.
public enum AnyRealmValue: Hashable {
    /// Nothing.
    case none
    /// An integer.
    case int(Int)
    /// A truth value.
    case bool(Bool)
    /// A number of 32 bits.
    case float(Float)
    /// A number of 64 bits.
    case double(Double)
    /// Text.
    case string(String)
    /// Raw bytes.
    case data(Data)
    /// An instant.
    case date(Date)
    /// A link to an object, which is added to the realm with the object that holds the value.
    case object(Object)
    /// An id of twelve bytes.
    case objectId(ObjectId)
    /// A decimal number.
    case decimal128(Decimal128)
    /// An id of sixteen bytes.
    case uuid(UUID)
    /// Values by name; live when the object that holds it is managed.
    case dictionary(Map<String, AnyRealmValue>)
    /// Values in order; live when the object that holds it is managed.
    case list(List<AnyRealmValue>)
}

// MARK: - Contents

extension AnyRealmValue {
    /// The integer; nil for every other case.
    public var intValue: Int? {
        guard case .int(let value) = self else { return nil }
        return value
    }

    /// The truth value; nil for every other case.
    public var boolValue: Bool? {
        guard case .bool(let value) = self else { return nil }
        return value
    }

    /// The number of 32 bits; nil for every other case.
    public var floatValue: Float? {
        guard case .float(let value) = self else { return nil }
        return value
    }

    /// The number of 64 bits; nil for every other case.
    public var doubleValue: Double? {
        guard case .double(let value) = self else { return nil }
        return value
    }

    /// The text; nil for every other case.
    public var stringValue: String? {
        guard case .string(let value) = self else { return nil }
        return value
    }

    /// The bytes; nil for every other case.
    public var dataValue: Data? {
        guard case .data(let value) = self else { return nil }
        return value
    }

    /// The instant; nil for every other case.
    public var dateValue: Date? {
        guard case .date(let value) = self else { return nil }
        return value
    }

    /// The id of twelve bytes; nil for every other case.
    public var objectIdValue: ObjectId? {
        guard case .objectId(let value) = self else { return nil }
        return value
    }

    /// The decimal; nil for every other case.
    public var decimal128Value: Decimal128? {
        guard case .decimal128(let value) = self else { return nil }
        return value
    }

    /// The id of sixteen bytes; nil for every other case.
    public var uuidValue: UUID? {
        guard case .uuid(let value) = self else { return nil }
        return value
    }

    /// The dictionary; nil for every other case.
    public var dictionaryValue: Map<String, AnyRealmValue>? {
        guard case .dictionary(let value) = self else { return nil }
        return value
    }

    /// The list; nil for every other case.
    public var listValue: List<AnyRealmValue>? {
        guard case .list(let value) = self else { return nil }
        return value
    }

    /// Returns the object when it is of a class; nil for other classes and for every other case.
    public func object<T: Object>(_ objectType: T.Type) -> T? {
        guard case .object(let value) = self else { return nil }
        return value as? T
    }

    /// The object with its properties by name; nil for an unmanaged object and for every other case.
    public var dynamicObject: DynamicObject? {
        guard case .object(let value) = self, let core = value._core else { return nil }
        if let dynamic = value as? DynamicObject { return dynamic }
        let object = DynamicObject()
        object._core = core.twin
        return object
    }

    /// Creates a list of values, unmanaged until it is assigned to a managed object.
    public static func fromArray(_ array: [AnyRealmValue]) -> AnyRealmValue {
        let list = List<AnyRealmValue>()
        list.append(objectsIn: array)
        return .list(list)
    }

    /// Creates a dictionary of values, unmanaged until it is assigned to a managed object.
    public static func fromDictionary(_ dictionary: [String: AnyRealmValue]) -> AnyRealmValue {
        let map = Map<String, AnyRealmValue>()
        for (key, value) in dictionary { map[key] = value }
        return .dictionary(map)
    }
}
