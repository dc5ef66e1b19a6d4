#if canImport(SwiftUI)
public import ObjectStore

/// A condition of a view's query, as a text or as one that the compiler checks.
///
/// ```swift
/// @ObservedResults(Dog.self, filter: "age > 3") var dogs
/// $dogs.filter = FilterCondition("name BEGINSWITH %@", prefix)
/// ```
public struct FilterCondition<Element: RealmFetchable>: ExpressibleByStringLiteral {
    /// The condition as the compiler checked it; nil for one that is a text.
    let isIncluded: ((Query<Element>) -> Query<Bool>)?
    private let apply: (Results<Element>) -> Results<Element>

    /// Creates a condition in the language of `NSPredicate`, with values for its `%@`.
    public init(_ format: String, _ arguments: Any...) {
        isIncluded = nil
        apply = { results in
            do {
                return try results.filter(parsing: format, arguments)
            } catch {
                preconditionFailure("The condition of a view's query cannot be read: \(error)")
            }
        }
    }

    /// Creates a condition that the compiler checks.
    public init(_ isIncluded: @escaping (Query<Element>) -> Query<Bool>) {
        self.isIncluded = isIncluded
        apply = { $0.where(isIncluded) }
    }

    /// Creates a condition in the language of `NSPredicate`.
    public init(stringLiteral value: String) { self.init(value) }

    /// The elements that fulfil the condition.
    func applied(to results: Results<Element>) -> Results<Element> { apply(results) }
}
#endif
