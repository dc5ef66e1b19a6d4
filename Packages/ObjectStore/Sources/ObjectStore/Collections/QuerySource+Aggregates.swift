import EventModel
import ObjectQueries

// Aggregates leave nil out. A sum of integers that does not fit its type wraps around.
extension _QuerySource {
    /// The smallest value of a property, through links to one object too; nil when there is none.
    ///
    /// - Precondition: The property has numbers or dates.
    public func min<T: _ScalarValue & MinMaxType>(ofProperty property: String) -> T? {
        _results.aggregate(.min, PropertyPath(named: property))
    }

    /// The greatest value of a property, through links to one object too; nil when there is none.
    ///
    /// - Precondition: The property has numbers or dates.
    public func max<T: _ScalarValue & MinMaxType>(ofProperty property: String) -> T? {
        _results.aggregate(.max, PropertyPath(named: property))
    }

    /// The sum of a property, through links to one object too; 0 when there is no value.
    ///
    /// - Precondition: The property has numbers.
    public func sum<T: _ScalarValue & AddableType>(ofProperty property: String) -> T {
        _results.aggregate(.sum, PropertyPath(named: property)) ?? T._defaultValue()
    }

    /// The mean of a property, through links to one object too; nil when there is no value.
    ///
    /// - Precondition: The property has numbers.
    public func average<T: _ScalarValue & AddableType>(ofProperty property: String) -> T? {
        _results.aggregate(.average, PropertyPath(named: property))
    }
}

extension _QuerySource where _Found: KeypathSortable {
    /// The smallest value of a property; nil when there is none.
    public func min<T: _ScalarValue & MinMaxType>(of keyPath: KeyPath<_Found, T>) -> T? {
        _results.aggregate(.min, Self.path(keyPath))
    }

    /// The smallest value of an optional property; nil when there is none.
    public func min<T: _ScalarValue & MinMaxType>(of keyPath: KeyPath<_Found, T?>) -> T? {
        _results.aggregate(.min, Self.path(keyPath))
    }

    /// The greatest value of a property; nil when there is none.
    public func max<T: _ScalarValue & MinMaxType>(of keyPath: KeyPath<_Found, T>) -> T? {
        _results.aggregate(.max, Self.path(keyPath))
    }

    /// The greatest value of an optional property; nil when there is none.
    public func max<T: _ScalarValue & MinMaxType>(of keyPath: KeyPath<_Found, T?>) -> T? {
        _results.aggregate(.max, Self.path(keyPath))
    }

    /// The sum of a property; 0 when there is no value.
    public func sum<T: _ScalarValue & AddableType>(of keyPath: KeyPath<_Found, T>) -> T {
        _results.aggregate(.sum, Self.path(keyPath)) ?? T._defaultValue()
    }

    /// The sum of an optional property; 0 when there is no value.
    public func sum<T: _ScalarValue & AddableType>(of keyPath: KeyPath<_Found, T?>) -> T {
        _results.aggregate(.sum, Self.path(keyPath)) ?? T._defaultValue()
    }

    /// The mean of a property; nil when there is no value.
    public func average<V: _ScalarValue & AddableType, T: _ScalarValue & AddableType>(
        of keyPath: KeyPath<_Found, V>
    ) -> T? {
        _results.aggregate(.average, Self.path(keyPath))
    }

    /// The mean of an optional property; nil when there is no value.
    public func average<V: _ScalarValue & AddableType, T: _ScalarValue & AddableType>(
        of keyPath: KeyPath<_Found, V?>
    ) -> T? {
        _results.aggregate(.average, Self.path(keyPath))
    }

    /// The mean of a property in its own type, where the program does not say another one: that of integers is cut off to an integer.
    @_disfavoredOverload
    public func average<T: _ScalarValue & AddableType>(of keyPath: KeyPath<_Found, T>) -> T? {
        _results.aggregate(.average, Self.path(keyPath))
    }

    /// The mean of an optional property in its own type, where the program does not say another one.
    @_disfavoredOverload
    public func average<T: _ScalarValue & AddableType>(of keyPath: KeyPath<_Found, T?>) -> T? {
        _results.aggregate(.average, Self.path(keyPath))
    }

    private static func path(_ keyPath: PartialKeyPath<_Found>) -> PropertyPath {
        PropertyPath(_Found._names(of: keyPath))
    }
}

// MARK: - Values

extension _QuerySource where _Found: _ScalarValue & MinMaxType {
    /// The smallest value; nil when there is none.
    public func min() -> _Found? { _results.aggregate(.min, .itself) }
    /// The greatest value; nil when there is none.
    public func max() -> _Found? { _results.aggregate(.max, .itself) }
}

extension _QuerySource where _Found: _ScalarValue & AddableType {
    /// The sum of the values; 0 when there is none.
    public func sum() -> _Found { _results.aggregate(.sum, .itself) ?? _Found._defaultValue() }
    /// The mean of the values; nil when there is none.
    public func average<T: _ScalarValue & AddableType>() -> T? { _results.aggregate(.average, .itself) }
}

extension _QuerySource {
    /// The smallest value that is not nil; nil when there is none.
    public func min<Wrapped: _ScalarValue & MinMaxType>() -> Wrapped? where _Found == Wrapped? {
        _results.aggregate(.min, .itself)
    }
    /// The greatest value that is not nil; nil when there is none.
    public func max<Wrapped: _ScalarValue & MinMaxType>() -> Wrapped? where _Found == Wrapped? {
        _results.aggregate(.max, .itself)
    }
    /// The sum of the values that are not nil; 0 when there is none.
    public func sum<Wrapped: _ScalarValue & AddableType>() -> Wrapped where _Found == Wrapped? {
        _results.aggregate(.sum, .itself) ?? Wrapped._defaultValue()
    }
    /// The mean of the values that are not nil; nil when there is none.
    public func average<Wrapped: _ScalarValue & AddableType, T: _ScalarValue & AddableType>() -> T?
    where _Found == Wrapped? {
        _results.aggregate(.average, .itself)
    }
}

// Sequences have a minimum and a maximum, too; these are the ones that a collection of a realm means.
extension RealmCollection where Element: _ScalarValue & MinMaxType & Comparable {
    /// The smallest value; nil when there is none.
    public func min() -> Element? { _results.aggregate(.min, .itself) }
    /// The greatest value; nil when there is none.
    public func max() -> Element? { _results.aggregate(.max, .itself) }
}

extension Decimal128: MinMaxType, AddableType {}
