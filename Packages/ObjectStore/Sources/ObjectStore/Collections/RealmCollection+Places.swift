public import Foundation
import ObjectQueries

extension RealmCollection {
    /// Finds the first element that fulfils a condition in the language of `NSPredicate`; nil when none does.
    ///
    /// - Precondition: As for `filter(_:_:)`.
    /// - Complexity: O(*n*) in the count of elements.
    public func index(matching predicateFormat: String, _ arguments: Any...) -> Int? {
        _results.place(matching: _results.filtered(predicateFormat, arguments))
    }

    /// Finds the first element that fulfils a condition; nil when none does.
    ///
    /// - Complexity: O(*n*) in the count of elements.
    public func index(matching isIncluded: (Query<Element>) -> Query<Bool>) -> Int? {
        _results.place(matching: _results.where(isIncluded))
    }

    /// Reads the elements at several places, in the order of the places.
    ///
    /// - Precondition: Every place is at least 0 and less than `count`.
    /// - Complexity: O(*n*) in the count of places.
    public func objects(at indexes: IndexSet) -> [Element] {
        indexes.map { self[$0] }
    }

    /// The values in their own order: numbers and dates by size, text by its UTF-8 bytes, nil first when ascending.
    ///
    /// - Precondition: The elements are no objects.
    public func sorted(ascending: Bool = true) -> Results<Element> {
        _results.ordered(by: [QuerySort(.itself, ascending: ascending)])
    }
}
