import EventModel
import Foundation

/// Makes unmanaged objects that hold what snapshots hold, for code of the app that looks at the past.
///
/// A copy belongs to no realm: reading it is reported to nobody, needs no thread and no version, and assigning to it changes
/// nothing else. What it has:
/// - single values, embedded objects and collections as in the snapshot;
/// - an object that was followed from it in full, with what was followed from there;
/// - any other linked object with its primary key only, everything else in it being the default of its class;
/// - no objects in its linking objects.
struct DetachedCopy {
    /// How the objects of a class show themselves in events; nil when the class has no say in it.
    static func representation(of type: ObjectBase.Type) -> ClassShape.Representation? {
        guard let type = type as? any (ObjectBase & CustomEventRepresentable).Type else { return nil }
        return { read in try representation(of: type, read) }
    }

    private static func representation<T: ObjectBase & CustomEventRepresentable>(
        of type: T.Type,
        _ read: ReadObject
    ) throws -> String {
        try DetachedCopy().object(type, read).customEventRepresentation()
    }

    /// Makes the copy of an object.
    ///
    /// - Throws: ``Realm/Error`` when a property refuses the stored value, as an enumeration does that lost a case.
    func object<T: ObjectBase>(_ type: T.Type, _ read: ReadObject) throws(Realm.Error) -> T {
        let object = type.init()
        let schema = try ClassSchema.of(type)
        for property in schema.properties {
            let followed = read.followed.first { $0.slot == property.slot }
            let value = try bare(read.snapshot.value(property.slot), property.type.target, followed?.targets ?? [:])
            try store(value, property, in: object, schema)
        }
        return object
    }

    private func store(
        _ value: Any,
        _ property: PersistedProperty,
        in object: ObjectBase,
        _ schema: ClassSchema
    ) throws(Realm.Error) {
        do throws(Realm.Error) {
            try UnmanagedWriter().store(value, property, in: object, schema, depth: 0)
        } catch {
            // An optional property shows nil for a value that its type refuses, as that of a managed object does.
            guard case .scalar(let operations) = property.operations.role, property.type.isOptional,
                operations.store(property.field(in: object), NSNull())
            else { throw error }
        }
    }

    // MARK: - Values

    /// The value as unmanaged objects take it.
    private func bare(
        _ value: Value,
        _ target: ObjectBase.Type?,
        _ followed: [Int64: ReadObject]
    ) throws(Realm.Error) -> Any {
        switch value {
        case .null: return NSNull()
        case .bool(let value): return value
        case .int(let value): return Int(value)
        case .float(let value): return value
        case .double(let value): return value
        case .string(let value): return value
        case .data(let value): return Data(value)
        case .date(let value): return value
        case .objectId(let value): return value
        case .uuid(let value): return value
        case .decimal128(let value): return value
        case .link(let reference): return try linked(reference, target, followed) ?? NSNull()
        case .list(let elements):
            return try elements.map { (element) throws(Realm.Error) in try bare(element, target, followed) }
        case .dictionary(let entries):
            var values: [String: Any] = [:]
            for (key, entry) in entries { values[key] = try bare(entry, target, followed) }
            return values
        case .object(let snapshot):
            guard let target else { return NSNull() }
            return try self.object(target, ReadObject(snapshot: snapshot))
        }
    }

    /// The object that a link leads to, with what is known of it; nil for one of a class that cannot be known.
    ///
    /// `target` is nil for a link in a value of any type.
    private func linked(
        _ reference: ObjectReference,
        _ target: ObjectBase.Type?,
        _ followed: [Int64: ReadObject]
    ) throws(Realm.Error) -> ObjectBase? {
        if let read = followed[reference.key] {
            let shape = read.snapshot.shape
            // Links in a value of any type may lead to the same row of different classes.
            if let target { return try object(target, read) }
            if shape.name == reference.className, let type = ClassSchema.onlyType(where: { $0.shape === shape }) {
                return try object(type, read)
            }
        }
        let named = { (schema: ClassSchema) in !schema.isEmbedded && schema.name == reference.className }
        guard let type = target ?? ClassSchema.onlyType(where: named) else { return nil }
        let object = type.init()
        let schema = try ClassSchema.of(type)
        if let slot = schema.primaryKeySlot, reference.primaryKey != .null {
            let key = try bare(reference.primaryKey, nil, [:])
            try UnmanagedWriter().store(key, schema.properties[slot], in: object, schema, depth: 0)
        }
        return object
    }
}
