extension List {
    /// Reads what a path leads to from every element, for where an array is expected.
    ///
    /// - Returns: The values in order; of an operator such as `@count`, see ``RealmCollection/value(forKeyPath:)``, the
    ///   one value.
    /// - Precondition: The classes on the way have the properties.
    /// - Complexity: O(*n*) in the count of elements.
    @_disfavoredOverload
    public func value(forKeyPath keyPath: String) -> [Any] {
        let value: Any? = value(forKeyPath: keyPath)
        return value as? [Any] ?? value.map { [$0] } ?? []
    }
}
