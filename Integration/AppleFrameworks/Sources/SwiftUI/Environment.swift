/// Names a value that views take from those around them.
public protocol EnvironmentKey {
    /// The type of the value.
    associatedtype Value
    /// The value where nobody says another one.
    static var defaultValue: Value { get }
}

/// What views take from those around them.
public struct EnvironmentValues {
    private var values: [ObjectIdentifier: Any] = [:]

    /// Creates an environment in which nobody says anything.
    public init() {}

    /// Reads or writes the value of a key.
    public subscript<K: EnvironmentKey>(key: K.Type) -> K.Value {
        get { values[ObjectIdentifier(key)] as? K.Value ?? K.defaultValue }
        set { values[ObjectIdentifier(key)] = newValue }
    }

    /// The environment of the stand-in's views, which a test sets.
    @MainActor public static var current = EnvironmentValues()
}

/// A value of the environment.
@propertyWrapper
public struct Environment<Value>: DynamicProperty {
    private let keyPath: KeyPath<EnvironmentValues, Value>

    /// Creates the property.
    public init(_ keyPath: KeyPath<EnvironmentValues, Value>) { self.keyPath = keyPath }

    /// The value.
    @MainActor
    public var wrappedValue: Value { EnvironmentValues.current[keyPath: keyPath] }
}

extension View {
    /// Says a value for the views inside.
    public func environment<V>(_ keyPath: WritableKeyPath<EnvironmentValues, V>, _ value: V) -> some View {
        EnvironmentValues.current[keyPath: keyPath] = value
        return self
    }
}
