import ObjectQueries

extension Query where T: _Persistable {
    /// Whether the property has the value; nil equals nil.
    public static func == (left: Query<T>, right: T) -> Query<Bool> { left.compared(.equal, right) }
    /// Whether the property has another value.
    public static func != (left: Query<T>, right: T) -> Query<Bool> { left.compared(.notEqual, right) }
    /// Whether the property is smaller.
    public static func < (left: Query<T>, right: T) -> Query<Bool> { left.compared(.less, right) }
    /// Whether the property is smaller or equal.
    public static func <= (left: Query<T>, right: T) -> Query<Bool> { left.compared(.lessOrEqual, right) }
    /// Whether the property is greater.
    public static func > (left: Query<T>, right: T) -> Query<Bool> { left.compared(.greater, right) }
    /// Whether the property is greater or equal.
    public static func >= (left: Query<T>, right: T) -> Query<Bool> { left.compared(.greaterOrEqual, right) }

    /// Whether both properties have the same value; nil equals nil.
    public static func == (left: Query<T>, right: Query<T>) -> Query<Bool> { left.compared(.equal, with: right) }
    /// Whether both properties have different values.
    public static func != (left: Query<T>, right: Query<T>) -> Query<Bool> { left.compared(.notEqual, with: right) }
    /// Whether the left property is smaller.
    public static func < (left: Query<T>, right: Query<T>) -> Query<Bool> { left.compared(.less, with: right) }
    /// Whether the left property is smaller or equal.
    public static func <= (left: Query<T>, right: Query<T>) -> Query<Bool> { left.compared(.lessOrEqual, with: right) }
    /// Whether the left property is greater.
    public static func > (left: Query<T>, right: Query<T>) -> Query<Bool> { left.compared(.greater, with: right) }
    /// Whether the left property is greater or equal.
    public static func >= (left: Query<T>, right: Query<T>) -> Query<Bool> {
        left.compared(.greaterOrEqual, with: right)
    }

    /// Whether the property has one of the values; with none, false.
    public func `in`<S: Sequence>(_ values: S) -> Query<Bool> where S.Element == T { isIn(values) }
}

extension Query {
    /// Whether the property has one of the values; with none, false.
    public func `in`<S: Sequence>(_ values: S) -> Query<Bool>
    where T == S.Element?, S.Element: _OptionalPersistable {
        isIn(values)
    }

    /// Whether the property lies in a range, both ends included.
    public func contains<Wrapped: Comparable & _OptionalPersistable>(_ range: ClosedRange<Wrapped>) -> Query<Bool>
    where T == Wrapped? {
        isBetween(range.lowerBound, range.upperBound)
    }

    /// Whether the property lies in a range, the upper end excluded.
    public func contains<Wrapped: Comparable & _OptionalPersistable>(_ range: Range<Wrapped>) -> Query<Bool>
    where T == Wrapped? {
        isIn(range)
    }
}

extension Query where T: _Persistable & Comparable {
    /// Whether the property lies in a range, both ends included.
    public func contains(_ range: ClosedRange<T>) -> Query<Bool> {
        isBetween(range.lowerBound, range.upperBound)
    }

    /// Whether the property lies in a range, the upper end excluded.
    public func contains(_ range: Range<T>) -> Query<Bool> { isIn(range) }
}

extension Query {
    /// Whether the property lies in a range, the upper end excluded.
    fileprivate func isIn<Bound>(_ range: Range<Bound>) -> Query<Bool> {
        let (lowest, end) = (Self.constant(range.lowerBound), Self.constant(range.upperBound))
        let above = term.condition { .compare($0, .greaterOrEqual, .constant(lowest), quantifier: $1) }
        let below = term.condition { .compare($0, .less, .constant(end), quantifier: $1) }
        return Query<Bool>(.condition(above)) && Query<Bool>(.condition(below))
    }
}

// MARK: - Required and optional properties

extension Query where T: _OptionalPersistable {
    /// Whether both properties have the same value.
    public static func == (left: Query<T>, right: Query<T?>) -> Query<Bool> { left.compared(.equal, with: right) }
    /// Whether both properties have different values.
    public static func != (left: Query<T>, right: Query<T?>) -> Query<Bool> { left.compared(.notEqual, with: right) }
    /// Whether the left property is smaller.
    public static func < (left: Query<T>, right: Query<T?>) -> Query<Bool> { left.compared(.less, with: right) }
    /// Whether the left property is smaller or equal.
    public static func <= (left: Query<T>, right: Query<T?>) -> Query<Bool> { left.compared(.lessOrEqual, with: right) }
    /// Whether the left property is greater.
    public static func > (left: Query<T>, right: Query<T?>) -> Query<Bool> { left.compared(.greater, with: right) }
    /// Whether the left property is greater or equal.
    public static func >= (left: Query<T>, right: Query<T?>) -> Query<Bool> {
        left.compared(.greaterOrEqual, with: right)
    }

    /// Whether both properties have the same value.
    public static func == (left: Query<T?>, right: Query<T>) -> Query<Bool> { left.compared(.equal, with: right) }
    /// Whether both properties have different values.
    public static func != (left: Query<T?>, right: Query<T>) -> Query<Bool> { left.compared(.notEqual, with: right) }
    /// Whether the left property is smaller.
    public static func < (left: Query<T?>, right: Query<T>) -> Query<Bool> { left.compared(.less, with: right) }
    /// Whether the left property is smaller or equal.
    public static func <= (left: Query<T?>, right: Query<T>) -> Query<Bool> { left.compared(.lessOrEqual, with: right) }
    /// Whether the left property is greater.
    public static func > (left: Query<T?>, right: Query<T>) -> Query<Bool> { left.compared(.greater, with: right) }
    /// Whether the left property is greater or equal.
    public static func >= (left: Query<T?>, right: Query<T>) -> Query<Bool> {
        left.compared(.greaterOrEqual, with: right)
    }
}
