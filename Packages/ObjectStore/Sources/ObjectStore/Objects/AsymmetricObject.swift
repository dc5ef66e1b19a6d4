import ChangeModel
import EventModel

/// The class that models derive from whose objects go one way: they are created, sent, and never read again.
///
/// ```swift
/// class WeatherSensor: AsymmetricObject {
///     @Persisted(primaryKey: true) var _id: ObjectId
///     @Persisted var deviceId: String
///     @Persisted var temperature: Float
/// }
/// try realm.write { realm in
///     realm.create(WeatherSensor.self, value: ["deviceId": "a1", "temperature": 21.5])
/// }
/// ```
/// Such an object has a primary key and may contain values and embedded objects, no links. It cannot be added, queried,
/// linked to or deleted. In a realm that syncs it is a part of the change that its transaction makes: the server has it once, in the order
/// of the transactions, in the collection of its class, and the device forgets it then. In any other realm it waits in an ``Outbox`` of the
/// file until somebody sends it.
open class AsymmetricObject: ObjectBase {
    /// Creates an unmanaged object whose properties have their default values.
    public required init() {}
}

extension Realm {
    /// Creates an object that goes one way, and is on its way when the transaction is committed.
    ///
    /// The value is read as ``create(_:value:update:)`` does; what cannot be converted dooms the transaction. In a realm that syncs the
    /// transaction fails with ``Error/Code/outOfDiskSpace`` when as much waits for the server as may.
    ///
    /// - Precondition: A transaction is open.
    public func create<T: AsymmetricObject>(_ type: T.Type, value: Any = [:]) {
        core.checkThread()
        guard core.transaction.mayMutate(named: { "create an object of '\(type.className())'" }) else { return }
        core.transaction.mutating { () throws(Realm.Error) in
            guard let schema = core.schema.asymmetric.first(where: { $0.type == type }) else {
                throw Realm.Error(.invalidInput, "The class '\(type.className())' is not managed by this realm.")
            }
            let object = T()
            try UnmanagedWriter().fill(object, from: value, depth: 0)
            // Kept, as a default that is made anew each time would give the document another key than the object.
            if let slot = schema.primaryKeySlot {
                let property = schema.properties[slot]
                object[property.name] = object.value(of: property)
            }
            let document = try ExtendedJSON.document(object, schema)
            guard let touched = core.store.touchedCells else {
                return try Outbox(core).append(className: schema.name, document: document)
            }
            touched.post(ObjectAddress(ExactText(schema.name), try object.primaryKey(schema)), document)
            core.transaction.didChange()
        }
    }
}

extension AsymmetricObject {
    /// The value of the primary key, by which a server knows the object.
    fileprivate func primaryKey(_ schema: ClassSchema) throws(Realm.Error) -> PrimaryKey {
        guard let slot = schema.primaryKeySlot else { return .null }
        let property = schema.properties[slot]
        return switch try AnyRealmValue(value(of: property) as Any, at: "\(schema.name).\(property.name)", depth: 0) {
        case .int(let number): .int(Int64(number))
        case .string(let text): .string(ExactText(text))
        case .objectId(let id): .objectId(id)
        case .uuid(let id): .uuid(id)
        default: .null
        }
    }
}
