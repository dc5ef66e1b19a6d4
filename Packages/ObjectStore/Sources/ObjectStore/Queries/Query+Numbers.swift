public import EventModel
public import Foundation
import ObjectQueries

/// A type that a query may compute with: a number or a date, or an optional one.
public protocol _QueryNumeric: _Persistable {}
extension Int: _QueryNumeric {}
extension Int8: _QueryNumeric {}
extension Int16: _QueryNumeric {}
extension Int32: _QueryNumeric {}
extension Int64: _QueryNumeric {}
extension Float: _QueryNumeric {}
extension Double: _QueryNumeric {}
extension Decimal128: _QueryNumeric {}
extension Date: _QueryNumeric {}
extension Optional: _QueryNumeric where Wrapped: _QueryNumeric & _OptionalPersistable {}

extension Query where T: _QueryNumeric {
    /// The smallest value of the property among the elements of a collection; missing when there is none.
    public var min: Query<T> { Query(.term(term.aggregated(.min))) }
    /// The greatest value of the property among the elements of a collection; missing when there is none.
    public var max: Query<T> { Query(.term(term.aggregated(.max))) }
    /// The sum of the property over the elements of a collection; 0 when there is none.
    public var sum: Query<T> { Query(.term(term.aggregated(.sum))) }
    /// The mean of the property over the elements of a collection; missing when there is none.
    public var avg: Query<T> { Query(.term(term.aggregated(.avg))) }
}
