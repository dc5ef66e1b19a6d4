/// A way to read and write what another one keeps.
@propertyWrapper
@dynamicMemberLookup
public struct Binding<Value> {
    private let read: () -> Value
    private let write: (Value) -> Void

    /// Creates a binding.
    @preconcurrency
    public init(get: @escaping @Sendable () -> Value, set: @escaping @Sendable (Value) -> Void) {
        read = get
        write = set
    }

    init(read: @escaping () -> Value, write: @escaping (Value) -> Void) {
        self.read = read
        self.write = write
    }

    /// The value.
    public var wrappedValue: Value {
        get { read() }
        nonmutating set { write(newValue) }
    }

    /// The binding itself.
    public var projectedValue: Binding<Value> { self }

    /// A binding to a part of the value.
    public subscript<Subject>(dynamicMember keyPath: WritableKeyPath<Value, Subject>) -> Binding<Subject> {
        Binding<Subject>(
            read: { read()[keyPath: keyPath] },
            write: { part in
                var value = read()
                value[keyPath: keyPath] = part
                write(value)
            }
        )
    }
}

// SwiftUI has these, with an element of another type than collections of a realm have.

extension Binding: Sequence where Value: MutableCollection {
    /// A binding to an element.
    public typealias Element = Binding<Value.Element>
    /// Goes through the bindings.
    public typealias Iterator = IndexingIterator<Binding<Value>>
}

extension Binding: Collection where Value: MutableCollection {
    /// A place.
    public typealias Index = Value.Index
    /// The first place.
    public var startIndex: Value.Index { wrappedValue.startIndex }
    /// The place behind the last one.
    public var endIndex: Value.Index { wrappedValue.endIndex }

    /// The next place.
    public func index(after place: Value.Index) -> Value.Index { wrappedValue.index(after: place) }

    /// A binding to an element.
    public subscript(position: Value.Index) -> Binding<Value.Element> {
        Binding<Value.Element>(
            read: { wrappedValue[position] },
            write: { element in
                var value = wrappedValue
                value[position] = element
                wrappedValue = value
            }
        )
    }
}
