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
/// linked to or deleted: it waits in an outbox of the file until it is sent.
open class AsymmetricObject: ObjectBase {
    /// Creates an unmanaged object whose properties have their default values.
    public required init() {}
}

extension Realm {
    /// Creates an object that goes one way, into the outbox of the file; it is there when the transaction is committed.
    ///
    /// The value is read as ``create(_:value:update:)`` does; what cannot be converted dooms the transaction.
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
            try Outbox(core).append(className: schema.name, document: ExtendedJSON.document(object, schema))
        }
    }
}
