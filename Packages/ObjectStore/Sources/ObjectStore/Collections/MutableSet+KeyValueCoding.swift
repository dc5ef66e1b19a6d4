extension MutableSet {
    /// Reads a property of every element.
    ///
    /// - Returns: The values, one for each element, nil as an optional; `self` gives the elements.
    /// - Precondition: The class has the property.
    /// - Complexity: O(*n*) in the count of elements.
    public func value(forKey key: String) -> [Any] {
        let values: Any? = value(forKeyPath: key)
        return values as? [Any] ?? []
    }

    /// Reads what a path leads to from every element, for where an array is expected.
    ///
    /// - Returns: The values; of an operator such as `@count`, the one value.
    /// - Precondition: The classes on the way have the properties.
    /// - Complexity: O(*n*) in the count of elements.
    @_disfavoredOverload
    public func value(forKeyPath keyPath: String) -> [Any] {
        let value: Any? = value(forKeyPath: keyPath)
        return value as? [Any] ?? value.map { [$0] } ?? []
    }
}
