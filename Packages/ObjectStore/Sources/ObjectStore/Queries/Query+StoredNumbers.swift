import ObjectQueries

// What is stored as a number is computed with as that number.
extension Query where T: PersistableEnum, T.RawValue: _QueryNumeric {
    /// The smallest value of the property among the elements of a collection; missing when there is none.
    public var min: Query<T> { Query(.term(term.aggregated(.min))) }
    /// The greatest value of the property among the elements of a collection; missing when there is none.
    public var max: Query<T> { Query(.term(term.aggregated(.max))) }
    /// The sum of the raw values over the elements of a collection; 0 when there is none.
    public var sum: Query<T.RawValue> { Query<T.RawValue>(.term(term.aggregated(.sum))) }
    /// The mean of the raw values over the elements of a collection; missing when there is none.
    public var avg: Query<T.RawValue> { Query<T.RawValue>(.term(term.aggregated(.avg))) }
}

extension Query where T: FailableCustomPersistable, T.PersistedType: _QueryNumeric {
    /// The smallest value of the property among the elements of a collection; missing when there is none.
    public var min: Query<T> { Query(.term(term.aggregated(.min))) }
    /// The greatest value of the property among the elements of a collection; missing when there is none.
    public var max: Query<T> { Query(.term(term.aggregated(.max))) }
    /// The sum of the property over the elements of a collection, as it is stored; 0 when there is none.
    public var sum: Query<T> { Query(.term(term.aggregated(.sum))) }
    /// The mean of the property over the elements of a collection, as it is stored; missing when there is none.
    public var avg: Query<T> { Query(.term(term.aggregated(.avg))) }
}

// MARK: - Optional elements

extension Query
where
    T: _QueryCollection,
    T._QueryElement: OptionalProtocol,
    T._QueryElement.Wrapped: PersistableEnum,
    T._QueryElement.Wrapped.RawValue: _OptionalElement
{
    /// The raw values of the elements.
    public var rawValue: Query<List<T._QueryElement.Wrapped.RawValue?>> { cast() }
}

extension Query
where
    T: _QueryCollection,
    T._QueryElement: OptionalProtocol,
    T._QueryElement.Wrapped: FailableCustomPersistable,
    T._QueryElement.Wrapped.PersistedType: _OptionalElement
{
    /// The stored forms of the elements.
    public var persistableValue: Query<List<T._QueryElement.Wrapped.PersistedType?>> { cast() }
}

extension Query where T: _QueryCollection {
    /// Whether there are elements that are not nil, and all of them lie in a range, both ends included.
    public func contains<Wrapped: _OptionalElement & Comparable>(_ range: ClosedRange<Wrapped>) -> Query<Bool>
    where T._QueryElement == Wrapped? {
        min.compared(.greaterOrEqual, range.lowerBound) && max.compared(.lessOrEqual, range.upperBound)
    }

    /// Whether there are elements that are not nil, and all of them lie in a range, the upper end excluded.
    public func contains<Wrapped: _OptionalElement & Comparable>(_ range: Range<Wrapped>) -> Query<Bool>
    where T._QueryElement == Wrapped? {
        min.compared(.greaterOrEqual, range.lowerBound) && max.compared(.less, range.upperBound)
    }
}
