import ObjectQueries

// What is stored as a number is computed with as that number; the values of a map that are objects are optional.
extension _QuerySource where _Found: FailableCustomPersistable, _Found.PersistedType: MinMaxType & _ScalarValue {
    /// The value that is stored as the smallest one; nil when there is none.
    public func min() -> _Found? { _results.aggregate(.min, .itself) }
    /// The value that is stored as the greatest one; nil when there is none.
    public func max() -> _Found? { _results.aggregate(.max, .itself) }
}

extension _QuerySource where _Found: CustomPersistable, _Found.PersistedType: AddableType & _ScalarValue {
    /// The value of the sum of what is stored; that of 0 when there is none.
    public func sum() -> _Found {
        _Found(persistedValue: _results.aggregate(.sum, .itself) ?? _Found.PersistedType._defaultValue())
    }
    /// The mean of what is stored; nil when there is none.
    public func average<T: _ScalarValue & AddableType>() -> T? { _results.aggregate(.average, .itself) }
}

extension _QuerySource where _Found: PersistableEnum, _Found.RawValue: AddableType {
    /// The sum of the raw values; 0 when there is none.
    public func sum() -> _Found.RawValue { _results.aggregate(.sum, .itself) ?? _Found.RawValue._defaultValue() }
    /// The mean of the raw values; nil when there is none.
    public func average<T: _ScalarValue & AddableType>() -> T? { _results.aggregate(.average, .itself) }
}

// MARK: - Objects of a map

extension _QuerySource where _Found: OptionalProtocol, _Found.Wrapped: ObjectBase {
    /// The objects in the order of a property; see ``sorted(byKeyPath:ascending:)``.
    public func sorted<T: _Persistable>(
        by keyPath: KeyPath<_Found.Wrapped, T>,
        ascending: Bool = true
    ) -> Results<_Found> {
        sorted(by: [SortDescriptor(keyPath: keyPath, ascending: ascending)])
    }

    /// The first object, in the present order, of those with the same values of the properties.
    public func distinct<S: Sequence>(by keyPaths: S) -> Results<_Found>
    where S.Element == PartialKeyPath<_Found.Wrapped> {
        _results.distinguished(by: keyPaths.map { PropertyPath(KeyPathRecorder.path(of: $0)) })
    }

    /// The smallest value of a property; nil when there is none.
    public func min<T: _ScalarValue & MinMaxType>(of keyPath: KeyPath<_Found.Wrapped, T>) -> T? {
        _results.aggregate(.min, Self.path(keyPath))
    }
    /// The smallest value of an optional property; nil when there is none.
    public func min<T: _ScalarValue & MinMaxType>(of keyPath: KeyPath<_Found.Wrapped, T?>) -> T? {
        _results.aggregate(.min, Self.path(keyPath))
    }
    /// The greatest value of a property; nil when there is none.
    public func max<T: _ScalarValue & MinMaxType>(of keyPath: KeyPath<_Found.Wrapped, T>) -> T? {
        _results.aggregate(.max, Self.path(keyPath))
    }
    /// The greatest value of an optional property; nil when there is none.
    public func max<T: _ScalarValue & MinMaxType>(of keyPath: KeyPath<_Found.Wrapped, T?>) -> T? {
        _results.aggregate(.max, Self.path(keyPath))
    }
    /// The sum of a property; 0 when there is no value.
    public func sum<T: _ScalarValue & AddableType>(of keyPath: KeyPath<_Found.Wrapped, T>) -> T {
        _results.aggregate(.sum, Self.path(keyPath)) ?? T._defaultValue()
    }
    /// The sum of an optional property; 0 when there is no value.
    public func sum<T: _ScalarValue & AddableType>(of keyPath: KeyPath<_Found.Wrapped, T?>) -> T {
        _results.aggregate(.sum, Self.path(keyPath)) ?? T._defaultValue()
    }
    /// The mean of a property; nil when there is no value.
    public func average<V: _ScalarValue & AddableType, T: _ScalarValue & AddableType>(
        of keyPath: KeyPath<_Found.Wrapped, V>
    ) -> T? {
        _results.aggregate(.average, Self.path(keyPath))
    }
    /// The mean of an optional property; nil when there is no value.
    public func average<V: _ScalarValue & AddableType, T: _ScalarValue & AddableType>(
        of keyPath: KeyPath<_Found.Wrapped, V?>
    ) -> T? {
        _results.aggregate(.average, Self.path(keyPath))
    }
    /// The mean of a property in its own type, where the program does not say another one: that of integers is cut off to an integer.
    @_disfavoredOverload
    public func average<T: _ScalarValue & AddableType>(of keyPath: KeyPath<_Found.Wrapped, T>) -> T? {
        _results.aggregate(.average, Self.path(keyPath))
    }
    /// The mean of an optional property in its own type, where the program does not say another one.
    @_disfavoredOverload
    public func average<T: _ScalarValue & AddableType>(of keyPath: KeyPath<_Found.Wrapped, T?>) -> T? {
        _results.aggregate(.average, Self.path(keyPath))
    }

    private static func path(_ keyPath: PartialKeyPath<_Found.Wrapped>) -> PropertyPath {
        PropertyPath(KeyPathRecorder.path(of: keyPath))
    }
}
