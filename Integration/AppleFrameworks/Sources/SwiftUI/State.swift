/// A value that a view keeps.
@propertyWrapper
public struct State<Value>: DynamicProperty {
    private let box: Box<Value>

    /// Creates the state with its first value.
    public init(wrappedValue: Value) { box = Box(wrappedValue) }

    /// Creates the state with its first value.
    public init(initialValue: Value) { box = Box(initialValue) }

    /// The value.
    public var wrappedValue: Value {
        get { box.value }
        nonmutating set { box.value = newValue }
    }

    /// A binding to the value.
    public var projectedValue: Binding<Value> {
        Binding(read: { box.value }, write: { box.value = $0 })
    }
}
