/// The description of the classes that a realm manages.
public struct Schema: Sendable {
    /// The classes, sorted by name.
    public let objectSchema: [ObjectSchema]

    init(_ schema: RealmSchema) {
        objectSchema = (schema.classes + schema.asymmetric).map(ObjectSchema.init)
    }

    /// Finds a class by its stored name; nil when the realm does not manage it.
    ///
    /// - Complexity: O(*n*) in the count of classes.
    public subscript(className: String) -> ObjectSchema? {
        objectSchema.first { $0.className == className }
    }
}

extension Schema: Hashable {}

extension Schema: CustomStringConvertible {
    /// All classes with their properties.
    public var description: String {
        objectSchema.map(\.description).joined(separator: "\n")
    }
}

extension Realm {
    /// The classes that the realm manages.
    public var schema: Schema { Schema(core.schema) }
}

extension ObjectBase {
    /// The description of the object's class.
    ///
    /// - Precondition: The declarations of an unmanaged object's class follow the rules of schemas.
    public final var objectSchema: ObjectSchema { ObjectSchema(classSchema) }

    /// What the store knows about the class: for a managed object, what its realm manages it as.
    var classSchema: ClassSchema {
        if let core = _core { return core.table.schema }
        switch Result(catching: { () throws(Realm.Error) in try ClassSchema.of(type(of: self)) }) {
        case .success(let schema): return schema
        case .failure(let error):
            misuse("The class '\(Self.className())' cannot be used: \(error.message)")
        }
    }

    /// The class whose objects the store takes this one for, which for a ``DynamicObject`` is another than its own.
    final var modelType: ObjectBase.Type { _core?.table.schema.type ?? type(of: self) }
}
