import ChangeModel
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
        PostedDocument.members(try members(object, schema)).text
    }

    private static func members(
        _ object: ObjectBase,
        _ schema: ClassSchema
    ) throws(Realm.Error) -> [ExactText: PostedDocument] {
        var members: [ExactText: PostedDocument] = [:]
        for property in schema.properties {
            let place = "\(schema.name).\(property.name)"
            members[ExactText(property.columnName)] = try form(of: object.value(of: property) as Any, at: place)
        }
        return members
    }

    private static func form(of value: Any, at place: String) throws(Realm.Error) -> PostedDocument {
        guard let value = unwrapped(value) else { return .null }
        if let object = persistedObject(value) {
            return .members(try members(object, ClassSchema.of(type(of: object))))
        }
        if let collection = value as? any PersistedCollection {
            let items = collection.taken.items
            guard (collection as? any _CollectionProperty).map({ type(of: $0)._collection }) == .dictionary else {
                return .list(try items.map { item throws(Realm.Error) in try form(of: item.value, at: place) })
            }
            var entries: [ExactText: PostedDocument] = [:]
            for item in items { entries[ExactText(item.key)] = try form(of: item.value, at: place) }
            return .members(entries)
        }
        return scalar(try AnyRealmValue(value, at: place, depth: 0))
    }

    private static func scalar(_ value: AnyRealmValue) -> PostedDocument {
        switch value {
        case .bool(let truth): return .bool(truth)
        case .string(let text): return .string(text)
        case .int(let number): return tagged("$numberLong", "\(number)")
        case .float(let number): return tagged("$numberDouble", text(Double(number)))
        case .double(let number): return tagged("$numberDouble", text(number))
        case .data(let data): return binary(data, "00")
        case .uuid(let id): return binary(withUnsafeBytes(of: id.uuid) { Data($0) }, "04")
        case .date(let date):
            let milliseconds = (date.timeIntervalSince1970 * 1000).rounded(.down)
            let number = Int64(exactly: milliseconds) ?? (milliseconds < 0 ? .min : .max)
            return .members(["$date": tagged("$numberLong", "\(number)")])
        case .objectId(let id): return tagged("$oid", id.stringValue)
        case .decimal128(let number): return tagged("$numberDecimal", number.description)
        case .none, .object, .dictionary, .list: return .null
        }
    }

    private static func tagged(_ name: ExactText, _ text: String) -> PostedDocument { .members([name: .string(text)]) }

    private static func binary(_ data: Data, _ subType: String) -> PostedDocument {
        .members(["$binary": .members(["base64": .string(data.base64EncodedString()), "subType": .string(subType)])])
    }

    private static func text(_ number: Double) -> String {
        if number.isNaN { return "NaN" }
        return number.isInfinite ? (number < 0 ? "-Infinity" : "Infinity") : "\(number)"
    }
}
