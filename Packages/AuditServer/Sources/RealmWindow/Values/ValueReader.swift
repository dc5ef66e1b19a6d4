import Foundation
import ObjectStore

/// Reads the values of one object, as far as bounds allow.
struct ValueReader {
    private let bounds: WindowBounds
    /// How many values may still be read.
    private var left: Int
    /// How many scalars and bytes may still be read.
    private var room: Int
    private var depth = 0

    init(_ bounds: WindowBounds) {
        self.bounds = bounds
        left = bounds.values
        room = bounds.total
    }

    /// Reads an object and how others name it.
    mutating func object(_ object: DynamicObject, _ schema: ObjectSchema) -> WindowObject {
        WindowObject(link: link(object, schema), values: values(of: object, schema))
    }

    private mutating func values(of object: DynamicObject, _ schema: ObjectSchema) -> [WindowValue.Entry] {
        var entries: [WindowValue.Entry] = []
        for property in schema.properties {
            left -= 1
            let isWithin = left >= 0
            entries.append(.init(property.name, isWithin ? value(property, of: object) : .cut(.null, of: 1)))
        }
        return entries
    }

    /// The key is whole whatever the bounds: part of it would name another object.
    private func link(_ object: DynamicObject, _ schema: ObjectSchema) -> WindowLink {
        var whole = ValueReader(.everything)
        return WindowLink(
            className: schema.className,
            key: schema.primaryKeyProperty.map { whole.value($0, of: object) },
            row: object.rowNumber ?? 0
        )
    }

    // MARK: - Properties

    private mutating func value(_ property: Property, of object: DynamicObject) -> WindowValue {
        guard property.objectClassName != nil else {
            return object[property.name].map { any($0) } ?? .null
        }
        if property.isArray {
            return list(object.dynamicList(property.name)) { $0.object($1) }
        }
        if property.isSet {
            return list(object.dynamicMutableSet(property.name)) { $0.object($1) }
        }
        if property.isMap {
            let map: Map<String, DynamicObject?> = object.dynamicMap(property.name)
            return entries(map, map.count) { reader, entry in
                WindowValue.Entry(reader.name(entry.key), entry.value.map { reader.object($0) } ?? .null)
            }
        }
        return (object[property.name] as? DynamicObject).map { self.object($0) } ?? .null
    }

    /// An object where another one has it: whole when it lives there, otherwise by name.
    private mutating func object(_ object: DynamicObject) -> WindowValue {
        let schema = object.objectSchema
        guard schema.isEmbedded else { return .link(link(object, schema)) }
        guard depth < bounds.depth else { return .cut(.object([]), of: schema.properties.count) }
        depth += 1
        defer { depth -= 1 }
        return .object(values(of: object, schema))
    }

    // MARK: - Values

    private mutating func any(_ value: Any) -> WindowValue {
        switch value {
        case let value as AnyRealmValue: mixed(value)
        case let value as Bool: .bool(value)
        case let value as Int: .int(value)
        case let value as Float: .float(value)
        case let value as Double: .double(value)
        case let value as String: text(value)
        case let value as Data: data(value)
        case let value as Date: .date(value)
        case let value as ObjectId: .objectId(value.stringValue)
        case let value as UUID: .uuid(value)
        case let value as Decimal128: .decimal(value.description)
        case let value as any RealmCollection: collection(value)
        case let value as any RealmKeyedCollection: map(value)
        case let value as Object: AnyRealmValue.object(value).dynamicObject.map { object($0) } ?? .null
        default: .null
        }
    }

    private mutating func mixed(_ value: AnyRealmValue) -> WindowValue {
        switch value {
        case .none: .null
        case .bool(let value): .bool(value)
        case .int(let value): .int(value)
        case .float(let value): .float(value)
        case .double(let value): .double(value)
        case .string(let value): text(value)
        case .data(let value): data(value)
        case .date(let value): .date(value)
        case .objectId(let value): .objectId(value.stringValue)
        case .uuid(let value): .uuid(value)
        case .decimal128(let value): .decimal(value.description)
        case .list(let value): list(value) { $0.mixed($1) }
        case .dictionary(let value):
            entries(value, value.count) { reader, entry in
                WindowValue.Entry(reader.name(entry.key), reader.mixed(entry.value))
            }
        case .object: value.dynamicObject.map { object($0) } ?? .null
        }
    }

    private mutating func text(_ value: String) -> WindowValue {
        let most = min(bounds.length, room)
        // A text has no more scalars than bytes, which are counted at once; characters may have any length.
        guard value.utf8.count > most, let beginning = Self.beginning(of: value, most) else {
            room -= min(value.utf8.count, most)
            return .text(value)
        }
        room -= most
        return .cut(.text(beginning), of: value.unicodeScalars.count)
    }

    private mutating func data(_ value: Data) -> WindowValue {
        let most = min(bounds.length, room)
        room -= min(value.count, most)
        return value.count > most ? .cut(.data(Data(value.prefix(most))), of: value.count) : .data(value)
    }

    /// The key of an entry; one that is long ends with three dots.
    private mutating func name(_ key: String) -> String {
        guard case .cut(.text(let beginning), _) = text(key) else { return key }
        return beginning + "…"
    }

    /// So many scalars of a text; nil when it has no more.
    private static func beginning(of value: String, _ count: Int) -> String? {
        let scalars = value.unicodeScalars
        guard let end = scalars.index(scalars.startIndex, offsetBy: count, limitedBy: scalars.endIndex),
            end < scalars.endIndex
        else { return nil }
        return String(scalars[..<end])
    }

    // MARK: - Collections

    private mutating func collection(_ collection: some RealmCollection) -> WindowValue {
        list(collection) { $0.element($1) }
    }

    private mutating func map(_ map: some RealmKeyedCollection) -> WindowValue {
        entries(map.keys, map.count) { reader, key in
            WindowValue.Entry(reader.name(key._entryKey), map[key].map { reader.element($0) } ?? .null)
        }
    }

    /// An element of a collection, which may be an optional without a value.
    private mutating func element(_ value: Any) -> WindowValue {
        guard let optional = value as? any OptionalElement else { return any(value) }
        return optional.content.map { element($0) } ?? .null
    }

    private mutating func list<Elements: Collection>(
        _ elements: Elements,
        _ one: (inout Self, Elements.Element) -> WindowValue
    ) -> WindowValue {
        let count = elements.count
        let values = read(elements, count, one)
        return values.count < count ? .cut(.list(values), of: count) : .list(values)
    }

    private mutating func entries<Elements: Sequence>(
        _ elements: Elements,
        _ count: Int,
        _ one: (inout Self, Elements.Element) -> WindowValue.Entry
    ) -> WindowValue {
        let values = read(elements, count, one)
        return values.count < count ? .cut(.map(values), of: count) : .map(values)
    }

    /// Reads the elements that are within the bounds.
    private mutating func read<Elements: Sequence, Value>(
        _ elements: Elements,
        _ count: Int,
        _ one: (inout Self, Elements.Element) -> Value
    ) -> [Value] {
        let most = depth < bounds.depth ? min(count, bounds.elements, max(left, 0)) : 0
        depth += 1
        defer { depth -= 1 }
        var values: [Value] = []
        guard most > 0 else { return values }
        for element in elements {
            guard values.count < most, left > 0 else { break }
            left -= 1
            values.append(one(&self, element))
        }
        return values
    }
}

/// An optional of any type.
private protocol OptionalElement {
    var content: Any? { get }
}

extension Optional: OptionalElement {
    fileprivate var content: Any? { map { $0 as Any } }
}
