/// What the store does with a property whose type it knows at run time only; made by the types, not by programs.
///
/// Each closure is made for one concrete type, so that inserting an object boxes no value.
public struct _PropertyOperations: Sendable {
    enum Role: Sendable {
        case scalar(ScalarOperations)
        case link(LinkOperations)
        case collection(CollectionOperations)
        case any
    }

    let role: Role
    /// Reads the value of a managed object.
    let managedValue: @Sendable (ObjectCore, Int) -> Any?
    /// Reads what is stored, where that is a single value that is no object; nil otherwise.
    var storedValue: (@Sendable (ObjectCore, Int) -> Any?)?
}

/// Operations on a property of a single value that is kept in a column; addresses are those of its wrapper.
struct ScalarOperations: Sendable {
    /// Whether the value is a `String`, optional or not, and nothing that is only stored as one.
    let isText: Bool
    /// Whether the value is an `Int`, optional or not, and nothing that is only stored as one.
    let isInt: Bool
    /// Binds the value of an unmanaged object, or the default.
    let bindStored: @Sendable (UnsafeRawPointer, OpaquePointer, Int32) -> Void
    /// Binds a value of any type, or returns false when it cannot be converted.
    let bindConverted: @Sendable (Any, OpaquePointer, Int32) -> Bool
    /// Returns the integer that is bound for an unmanaged object; 0 for other types, and for null.
    let storedInteger: @Sendable (UnsafeRawPointer) -> Int64
    /// Returns the integer that is bound for a value of any type; nil when it cannot be converted, and for other types.
    let convertedInteger: @Sendable (Any) -> Int64?
    /// Returns the value of an unmanaged object.
    let stored: @Sendable (UnsafeRawPointer) -> Any?
    /// Stores a value of any type in an unmanaged object, or returns false when it cannot be converted.
    let store: @Sendable (UnsafeMutableRawPointer, Any) -> Bool
}

/// Operations on a property that refers to one object, linked or embedded.
struct LinkOperations: Sendable {
    /// Returns the object that an unmanaged object refers to.
    let stored: @Sendable (UnsafeRawPointer) -> ObjectBase?
    /// Stores an object of the right class in an unmanaged object.
    let store: @Sendable (UnsafeMutableRawPointer, ObjectBase?) -> Void
}

/// Operations on a property that holds several values.
struct CollectionOperations: Sendable {
    /// Returns the collection of an unmanaged object, made when there is none yet.
    let stored: @Sendable (UnsafeMutableRawPointer) -> any PersistedCollection
    /// Returns the collection of a managed object.
    let managed: @Sendable (ObjectCore, Int) -> any PersistedCollection
}

// MARK: - Making operations

extension _PropertyOperations {
    /// Those of a required scalar; specialized where the type is known, because they are inlined.
    @inline(__always)
    static func scalar<Value: _ScalarValue>(_: Value.Type) -> _PropertyOperations {
        let operations = ScalarOperations(
            isText: Value.self == String.self,
            isInt: Value.self == Int.self,
            bindStored: { field, statement, index in
                let stored = field.assumingMemoryBound(to: Persisted<Value>.self).pointee.stored
                (stored ?? Value._defaultValue())._bind(to: statement, at: index)
            },
            bindConverted: { value, statement, index in
                guard let converted = Value._converted(value) else { return false }
                converted._bind(to: statement, at: index)
                return true
            },
            storedInteger: { field in
                let stored = field.assumingMemoryBound(to: Persisted<Value>.self).pointee.stored
                return (stored ?? Value._defaultValue())._integer ?? 0
            },
            convertedInteger: { value in Value._converted(value)?._integer },
            stored: { field in
                field.assumingMemoryBound(to: Persisted<Value>.self).pointee.stored ?? Value._defaultValue()
            },
            store: { field, value in
                guard let converted = Value._converted(value) else { return false }
                field.assumingMemoryBound(to: Persisted<Value>.self).pointee.stored = converted
                return true
            }
        )
        return _PropertyOperations(
            role: .scalar(operations),
            managedValue: { core, slot in Value._read(core, slot) },
            storedValue: { core, slot in Value._stored(core, slot) }
        )
    }

    /// Those of an optional scalar.
    @inline(__always)
    static func optionalScalar<Value: _ScalarValue>(_: Value.Type) -> _PropertyOperations {
        let operations = ScalarOperations(
            isText: Value.self == String.self,
            isInt: Value.self == Int.self,
            bindStored: { field, statement, index in
                let stored = field.assumingMemoryBound(to: Persisted<Value?>.self).pointee.stored
                if let value = stored ?? nil {
                    value._bind(to: statement, at: index)
                } else {
                    bindNull(statement, index)
                }
            },
            bindConverted: { value, statement, index in
                if let value = exactly(Value.self, value) {
                    value._bind(to: statement, at: index)
                    return true
                }
                if isNull(value) {
                    bindNull(statement, index)
                    return true
                }
                guard let converted = Value._converted(value) else {
                    guard Value._refuses(value) else { return false }
                    bindNull(statement, index)
                    return true
                }
                converted._bind(to: statement, at: index)
                return true
            },
            storedInteger: { field in
                (field.assumingMemoryBound(to: Persisted<Value?>.self).pointee.stored ?? nil)?._integer ?? 0
            },
            convertedInteger: { value in Value._converted(value)?._integer },
            stored: { field in
                field.assumingMemoryBound(to: Persisted<Value?>.self).pointee.stored ?? nil
            },
            store: { field, value in
                let isNull = isNull(value)
                let converted = isNull ? nil : Value._converted(value)
                guard isNull || converted != nil || Value._refuses(value) else { return false }
                field.assumingMemoryBound(to: Persisted<Value?>.self).pointee.stored = .some(converted)
                return true
            }
        )
        return _PropertyOperations(
            role: .scalar(operations),
            managedValue: { core, slot in Value._readOptional(core, slot) },
            storedValue: { core, slot in Value._stored(core, slot) }
        )
    }

    /// Those of a link to an object.
    static func link<Target: ObjectBase & _OptionalPersistable>(_: Target.Type) -> _PropertyOperations {
        let operations = LinkOperations(
            stored: { field in
                (field.assumingMemoryBound(to: Persisted<Target?>.self).pointee.stored ?? nil) as ObjectBase?
            },
            store: { field, object in
                field.assumingMemoryBound(to: Persisted<Target?>.self).pointee.stored = .some(object as? Target)
            }
        )
        return _PropertyOperations(role: .link(operations)) { core, slot in Target._readOptional(core, slot) }
    }
}
