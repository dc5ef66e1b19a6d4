/// A value that an object is made of: a dictionary by property name, an array by declaration, or another object.
enum ObjectSource {
    /// How deep values may be nested, so that the stack cannot overflow.
    static let maximumDepth = 100

    case dictionary([String: Any])
    case array([Any])
    case object(ObjectBase)

    /// Takes a value apart.
    ///
    /// - Throws: ``Realm/Error`` when it has another form, too many elements, or is an object of another class.
    init(_ value: Any, for schema: ClassSchema, depth: Int) throws(Realm.Error) {
        guard depth < Self.maximumDepth else { throw .tooDeep(schema.name) }
        if let dictionary = exactly([String: Any].self, value) {
            self = .dictionary(dictionary)
            return
        }
        switch unwrapped(value) {
        case let object as ObjectBase:
            if object.isInvalidated { throw .deletedObject(schema.name) }
            // What stands in for a class of one file stands in for another class in another one.
            if object.modelType == schema.type, !schema.isDynamic || object._core?.table.schema === schema {
                self = .object(object)
            } else if let object = object as? DynamicObject {
                self = .dictionary(object.values)
            } else {
                throw .wrongClass(type(of: object).className(), expected: schema.name, at: schema.name)
            }
        case let dictionary as [String: Any]: self = .dictionary(dictionary)
        case let array as [Any]:
            guard array.count <= schema.properties.count else {
                throw Realm.Error(
                    .invalidInput,
                    """
                    An array of \(array.count) values was given for '\(schema.name)', which has \
                    \(schema.properties.count) properties.
                    """
                )
            }
            self = .array(array)
        default:
            throw .mismatch(value, _PropertyType(kind: .link, target: schema.type), at: schema.name)
        }
    }

    /// The value for a property, with optionals still around it; nil when it is absent.
    @inline(__always)
    func value(_ property: PersistedProperty) -> Any? {
        switch self {
        case .dictionary(let dictionary): dictionary[property.name]
        case .array(let array): property.slot < array.count ? array[property.slot] : nil
        case .object(let object): object.value(of: property) as Any
        }
    }
}

extension DynamicObject {
    /// The values of all properties by their names, to make an object of another class from.
    fileprivate var values: [String: Any] {
        Dictionary(uniqueKeysWithValues: classSchema.properties.map { ($0.name, value(of: $0) as Any) })
    }
}

extension ObjectBase {
    /// The value of a property of a managed or unmanaged object.
    func value(of property: PersistedProperty) -> Any? {
        if let core = _core {
            core.validate(property.slot)
            if self is DynamicObject { return core.dynamicValue(property) }
            return property.operations.managedValue(core, property.slot)
        }
        let field = property.field(in: self)
        return switch property.operations.role {
        case .scalar(let operations): operations.stored(field)
        case .link(let operations): operations.stored(field)
        case .collection(let operations): operations.stored(field)
        case .any: AnyRealmValue.stored(at: field).bare
        }
    }
}
