import EventModel
import ObjectQueries

// Of values of any type, the numbers are computed with, by their size and whatever their types; of dates, the first and the last.
extension AnyRealmValue: MinMaxType, AddableType {}

extension _QuerySource where _Found == AnyRealmValue {
    /// The smallest of the numbers, or the first of the dates where there is no number; nil when there is neither.
    public func min() -> AnyRealmValue? { _results.computed(.min, .itself) }
    /// The last of the dates, or the greatest of the numbers where there is no date; nil when there is neither.
    public func max() -> AnyRealmValue? { _results.computed(.max, .itself) }
    /// The sum of the numbers, in the widest type among them; an integer 0 when there is none.
    public func sum() -> AnyRealmValue { _results.computed(.sum, .itself) ?? .int(0) }
    /// The mean of the numbers, as a double unless one of them is a decimal; nil when there is none.
    public func average() -> AnyRealmValue? { _results.computed(.average, .itself) }
    /// The mean of the numbers; nil when there is none.
    public func average<T: _ScalarValue & AddableType>() -> T? {
        _results.aggregated(.average, .itself).flatMap { T.aggregated($0) }
    }
}

extension _QuerySource where _Found: ObjectBase {
    /// The smallest number that a property of any type has; nil when there is none.
    public func min(of keyPath: KeyPath<_Found, AnyRealmValue>) -> AnyRealmValue? {
        _results.computed(.min, PropertyPath(KeyPathRecorder.path(of: keyPath)))
    }
    /// The greatest number that a property of any type has; nil when there is none.
    public func max(of keyPath: KeyPath<_Found, AnyRealmValue>) -> AnyRealmValue? {
        _results.computed(.max, PropertyPath(KeyPathRecorder.path(of: keyPath)))
    }
    /// The sum of the numbers that a property of any type has; an integer 0 when there is none.
    public func sum(of keyPath: KeyPath<_Found, AnyRealmValue>) -> AnyRealmValue {
        _results.computed(.sum, PropertyPath(KeyPathRecorder.path(of: keyPath))) ?? .int(0)
    }
    /// The mean of the numbers that a property of any type has; nil when there is none.
    public func average(of keyPath: KeyPath<_Found, AnyRealmValue>) -> AnyRealmValue? {
        _results.computed(.average, PropertyPath(KeyPathRecorder.path(of: keyPath)))
    }
    /// The mean of the numbers that a property of any type has, as a type; nil when there is none.
    public func average<T: _ScalarValue & AddableType>(of keyPath: KeyPath<_Found, AnyRealmValue>) -> T? {
        _results.aggregated(.average, PropertyPath(KeyPathRecorder.path(of: keyPath))).flatMap { T.aggregated($0) }
    }
}

extension _QuerySource {
    /// The smallest number of a property, as a value of any type; nil when there is none.
    public func min(ofProperty property: String) -> AnyRealmValue? {
        _results.computed(.min, PropertyPath(named: property))
    }
    /// The greatest number of a property, as a value of any type; nil when there is none.
    public func max(ofProperty property: String) -> AnyRealmValue? {
        _results.computed(.max, PropertyPath(named: property))
    }
    /// The sum of a property, as a value of any type; an integer 0 when there is no value.
    public func sum(ofProperty property: String) -> AnyRealmValue {
        _results.computed(.sum, PropertyPath(named: property)) ?? .int(0)
    }
    /// The mean of a property, as a value of any type; nil when there is no value.
    public func average(ofProperty property: String) -> AnyRealmValue? {
        _results.computed(.average, PropertyPath(named: property))
    }
}

extension Results {
    fileprivate func computed(_ aggregate: Aggregate, _ path: PropertyPath) -> AnyRealmValue? {
        switch aggregated(aggregate, path) {
        case .int(let number): .int(Int(number))
        case .float(let number): .float(number)
        case .double(let number): .double(number)
        case .decimal128(let number): .decimal128(number)
        case .date(let date): .date(date)
        default: nil
        }
    }
}
