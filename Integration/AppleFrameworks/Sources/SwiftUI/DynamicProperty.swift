/// A property of a view that decides when the view is made anew.
public protocol DynamicProperty {
    /// Is called before the view is made.
    mutating func update()
}

extension DynamicProperty {
    /// Does nothing.
    public mutating func update() {}
}

/// A place for a value that copies of a property share.
final class Box<Value> {
    var value: Value

    init(_ value: Value) { self.value = value }
}
