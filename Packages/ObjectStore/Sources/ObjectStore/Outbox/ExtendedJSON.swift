import EventModel
import Foundation

/// Unmanaged objects as text of MongoDB's Extended JSON, canonical form, version 2.
///
/// Types that JSON does not have are kept: `{"$numberLong": "5"}`, `{"$oid": "..."}`. Dates have milliseconds there.
enum ExtendedJSON {
    /// Writes an object with all that it contains; the keys are stored names, in the order of their bytes.
    ///
    /// - Throws: ``Realm/Error`` for a value that cannot be written.
    static func document(_ object: ObjectBase, _ schema: ClassSchema) throws(Realm.Error) -> String {
        let members = try members(object, schema)
        guard
            let data = try? JSONSerialization.data(
                withJSONObject: members,
                options: [.sortedKeys, .withoutEscapingSlashes]
            )
        else { throw Realm.Error(.invalidInput, "An object of '\(schema.name)' cannot be written for the outbox.") }
        return String(decoding: data, as: UTF8.self)
    }

    private static func members(_ object: ObjectBase, _ schema: ClassSchema) throws(Realm.Error) -> [String: Any] {
        var members: [String: Any] = [:]
        for property in schema.properties {
            let place = "\(schema.name).\(property.name)"
            members[property.columnName] = try form(of: object.value(of: property) as Any, at: place)
        }
        return members
    }

    private static func form(of value: Any, at place: String) throws(Realm.Error) -> Any {
        guard let value = unwrapped(value) else { return NSNull() }
        if let object = persistedObject(value) {
            return try members(object, ClassSchema.of(type(of: object)))
        }
        if let collection = value as? any PersistedCollection {
            let items = collection.taken.items
            guard (collection as? any _CollectionProperty).map({ type(of: $0)._collection }) == .dictionary else {
                return try items.map { item throws(Realm.Error) in try form(of: item.value, at: place) }
            }
            var entries: [String: Any] = [:]
            for item in items { entries[item.key] = try form(of: item.value, at: place) }
            return entries
        }
        return scalar(try AnyRealmValue(value, at: place, depth: 0))
    }

    private static func scalar(_ value: AnyRealmValue) -> Any {
        switch value {
        case .bool(let truth): return truth
        case .string(let text): return text
        case .int(let number): return ["$numberLong": "\(number)"]
        case .float(let number): return ["$numberDouble": text(Double(number))]
        case .double(let number): return ["$numberDouble": text(number)]
        case .data(let data): return ["$binary": ["base64": data.base64EncodedString(), "subType": "00"]]
        case .uuid(let id):
            let bytes = withUnsafeBytes(of: id.uuid) { Data($0) }
            return ["$binary": ["base64": bytes.base64EncodedString(), "subType": "04"]]
        case .date(let date):
            let milliseconds = (date.timeIntervalSince1970 * 1000).rounded(.down)
            return ["$date": ["$numberLong": "\(Int64(exactly: milliseconds) ?? (milliseconds < 0 ? .min : .max))"]]
        case .objectId(let id): return ["$oid": id.stringValue]
        case .decimal128(let number): return ["$numberDecimal": number.description]
        case .none, .object, .dictionary, .list: return NSNull()
        }
    }

    private static func text(_ number: Double) -> String {
        if number.isNaN { return "NaN" }
        return number.isInfinite ? (number < 0 ? "-Infinity" : "Infinity") : "\(number)"
    }
}
