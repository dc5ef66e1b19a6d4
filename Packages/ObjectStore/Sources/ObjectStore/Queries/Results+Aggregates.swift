extension Results {
    /// The smallest value of a property; nil when no object has one.
    public func min<T: _ScalarValue & MinMaxType>(ofProperty property: String) -> T? {
        aggregate("min", property)
    }
    /// The greatest value of a property; nil when no object has one.
    public func max<T: _ScalarValue & MinMaxType>(ofProperty property: String) -> T? {
        aggregate("max", property)
    }
    /// The sum of a property; 0 when there is no object.
    public func sum<T: _ScalarValue & AddableType>(ofProperty property: String) -> T {
        aggregate("sum", property) ?? T._defaultValue()
    }
    /// The mean of a property; nil when no object has a value.
    public func average<T: _ScalarValue & AddableType & BinaryFloatingPoint>(ofProperty property: String) -> T? {
        aggregate("avg", property)
    }

    /// The smallest value of a property; nil when there is no object.
    public func min<T: _ScalarValue & MinMaxType>(of keyPath: KeyPath<Element, T>) -> T? {
        min(ofProperty: Self.name(keyPath))
    }
    /// The greatest value of a property; nil when there is no object.
    public func max<T: _ScalarValue & MinMaxType>(of keyPath: KeyPath<Element, T>) -> T? {
        max(ofProperty: Self.name(keyPath))
    }
    /// The sum of a property; 0 when there is no object.
    public func sum<T: _ScalarValue & AddableType>(of keyPath: KeyPath<Element, T>) -> T {
        sum(ofProperty: Self.name(keyPath))
    }

    private static func name<T>(_ keyPath: KeyPath<Element, T>) -> String {
        KeyPathRecorder.path(of: keyPath).joined(separator: ".")
    }

    private func aggregate<T: _ScalarValue>(_ function: String, _ name: String) -> T? {
        guard let property = state.table.schema.property(named: name), property.isColumn else {
            misuse("The class '\(state.table.schema.name)' has no property '\(name)' of a single value.")
        }
        switch property.type.kind {
        case .int, .float, .double: break
        case .date where function == "min" || function == "max": break
        default: misuse("The \(function) of '\(state.table.schema.name).\(name)' is not possible: it is no number.")
        }
        return state.aggregate(function, property.slot) { T._decode(column: 0, of: $0.handle) }
    }
}
