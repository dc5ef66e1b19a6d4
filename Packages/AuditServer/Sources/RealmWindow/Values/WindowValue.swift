public import Foundation
import ObjectStore

/// A value of an object as tools show and export it.
public indirect enum WindowValue: Sendable, Equatable {
    /// No value.
    case null
    /// A truth value.
    case bool(Bool)
    /// An integer of any width.
    case int(Int)
    /// A number of 32 bits.
    case float(Float)
    /// A number of 64 bits.
    case double(Double)
    /// A decimal of 34 digits, as text.
    case decimal(String)
    /// A text.
    case text(String)
    /// Raw bytes.
    case data(Data)
    /// An instant.
    case date(Date)
    /// An id of twelve bytes, as 24 hexadecimal digits.
    case objectId(String)
    /// An id of sixteen bytes.
    case uuid(UUID)
    /// A list or a set.
    case list([WindowValue])
    /// A map, in the order of its keys.
    case map([Entry])
    /// A link to an object.
    case link(WindowLink)
    /// An embedded object: the values of its properties, and of which class it is where the property does not say so.
    case object([Entry])

    /// A key or a property with its value.
    public struct Entry: Sendable, Equatable {
        /// The key, or the stored name of the property.
        public let name: String
        /// The value.
        public let value: WindowValue

        /// Creates an entry.
        public init(_ name: String, _ value: WindowValue) {
            self.name = name
            self.value = value
        }
    }
}

/// The object that a link leads to: by its primary key, or by the number of its row in a class that has no primary key.
public struct WindowLink: Sendable, Equatable {
    /// The class.
    public let className: String
    /// The primary key; nil in a class without one.
    public let key: WindowValue?
    /// The number of the row, which holds in this file only.
    public let row: Int64

    /// Names an object.
    public init(className: String, key: WindowValue?, row: Int64) {
        self.className = className
        self.key = key
        self.row = row
    }
}

/// An object of a realm file, read whole.
public struct WindowObject: Sendable, Equatable {
    /// Its class, and how others name it.
    public let link: WindowLink
    /// The values of its properties, in the order of the file.
    public let values: [WindowValue.Entry]

    /// The value of a property; nil when the class does not have it.
    public subscript(name: String) -> WindowValue? { values.first { $0.name == name }?.value }
}

extension WindowObject {
    init(_ object: DynamicObject, _ schema: ObjectSchema) {
        link = WindowLink(object, schema)
        values = schema.properties.map { WindowValue.Entry($0.name, WindowValue($0, of: object)) }
    }
}

extension WindowLink {
    fileprivate init(_ object: DynamicObject, _ schema: ObjectSchema) {
        className = schema.className
        key = schema.primaryKeyProperty.map { WindowValue($0, of: object) }
        row = object.rowNumber ?? 0
    }
}

// MARK: - Reading

extension WindowValue {
    /// Reads a property.
    fileprivate init(_ property: Property, of object: DynamicObject) {
        guard property.objectClassName != nil else {
            self = object[property.name].map(WindowValue.init(any:)) ?? .null
            return
        }
        if property.isArray {
            self = .list(object.dynamicList(property.name).map(WindowValue.init(object:)))
        } else if property.isSet {
            self = .list(object.dynamicMutableSet(property.name).map(WindowValue.init(object:)))
        } else if property.isMap {
            let map: Map<String, DynamicObject?> = object.dynamicMap(property.name)
            self = .map(map.map { Entry($0.key, $0.value.map(WindowValue.init(object:)) ?? .null) })
        } else {
            self = (object[property.name] as? DynamicObject).map(WindowValue.init(object:)) ?? .null
        }
    }

    /// An object where another one has it: whole when it lives there, otherwise by name.
    private init(object: DynamicObject) {
        let schema = object.objectSchema
        if schema.isEmbedded {
            self = .object(WindowObject(object, schema).values)
        } else {
            self = .link(WindowLink(object, schema))
        }
    }

    private init(any value: Any) {
        switch value {
        case let value as AnyRealmValue: self = WindowValue(value)
        case let value as Bool: self = .bool(value)
        case let value as Int: self = .int(value)
        case let value as Float: self = .float(value)
        case let value as Double: self = .double(value)
        case let value as String: self = .text(value)
        case let value as Data: self = .data(value)
        case let value as Date: self = .date(value)
        case let value as ObjectId: self = .objectId(value.stringValue)
        case let value as UUID: self = .uuid(value)
        case let value as Decimal128: self = .decimal(value.description)
        case let value as any RealmCollection: self = Self.list(of: value)
        case let value as any RealmKeyedCollection: self = Self.map(of: value)
        case let value as Object:
            self = AnyRealmValue.object(value).dynamicObject.map(WindowValue.init(object:)) ?? .null
        default: self = .null
        }
    }

    private init(_ value: AnyRealmValue) {
        switch value {
        case .none: self = .null
        case .bool(let value): self = .bool(value)
        case .int(let value): self = .int(value)
        case .float(let value): self = .float(value)
        case .double(let value): self = .double(value)
        case .string(let value): self = .text(value)
        case .data(let value): self = .data(value)
        case .date(let value): self = .date(value)
        case .objectId(let value): self = .objectId(value.stringValue)
        case .uuid(let value): self = .uuid(value)
        case .decimal128(let value): self = .decimal(value.description)
        case .list(let value): self = .list(value.map(WindowValue.init))
        case .dictionary(let value): self = .map(value.map { Entry($0.key, WindowValue($0.value)) })
        case .object: self = value.dynamicObject.map(WindowValue.init(object:)) ?? .null
        }
    }

    private static func list(of collection: some RealmCollection) -> WindowValue {
        .list(collection.map { element in Self.element(element) })
    }

    private static func map(of map: some RealmKeyedCollection) -> WindowValue {
        .map(map.keys.map { key in Entry(key._entryKey, map[key].map { Self.element($0) } ?? .null) })
    }

    /// An element of a collection, which may be an optional without a value.
    private static func element(_ value: Any) -> WindowValue {
        guard let optional = value as? any OptionalElement else { return WindowValue(any: value) }
        return optional.content.map { Self.element($0) } ?? .null
    }
}

/// An optional of any type.
private protocol OptionalElement {
    var content: Any? { get }
}

extension Optional: OptionalElement {
    fileprivate var content: Any? { map { $0 as Any } }
}
