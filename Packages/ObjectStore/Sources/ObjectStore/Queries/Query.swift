import EventModel
import ObjectQueries

/// A condition in the making: what the block of `where` is given and returns.
///
/// ```swift
/// realm.objects(Person.self).where { $0.age >= 18 && $0.dogs.name == "Rex" }
/// ```
/// Members are the persisted properties. A member of a collection asks whether *any* element fulfils the comparison;
/// `.count` of a condition in parentheses counts the elements that fulfil all of it:
///
/// ```swift
/// realm.objects(Person.self).where { ($0.dogs.age > 3 && $0.dogs.name == "Rex").count >= 1 }
/// ```
@dynamicMemberLookup
public struct Query<T> {
    let content: QueryContent

    init(_ content: QueryContent) { self.content = content }

    init(_ term: QueryPredicate.Term, collections: [Int] = []) {
        content = .term(QueryTerm(term, collections: collections))
    }

    /// The objects themselves.
    ///
    /// - Parameter file: The file that is asked; nil for an unmanaged collection.
    /// - Returns: What the block of `where` is given.
    static func root(in file: ObjectIdentifier?) -> Query<T> {
        Query(.term(QueryTerm(.path(.itself), in: file)))
    }

    /// The condition; a property alone is compared with true.
    var predicate: QueryPredicate { condition.predicate }

    var condition: QueryCondition {
        switch content {
        case .condition(let condition): condition
        case .term(let term): QueryCondition(term, .equal, .constant(.bool(true)))
        }
    }

    var term: QueryTerm {
        guard case .term(let term) = content else {
            misuse("A condition was used where a property is expected; compare a property instead.")
        }
        return term
    }

    /// The same property as another type.
    func cast<V>() -> Query<V> { Query<V>(content) }

    /// A property behind this one.
    func member<V>(_ names: [String], isCollection: Bool = false) -> Query<V> {
        Query<V>(.term(term.appending(names, isCollection: isCollection)))
    }

    // MARK: Comparing

    /// A comparison of the property with a value.
    func compared(
        _ comparison: QueryPredicate.Operator,
        _ value: Any,
        options: QueryPredicate.Options = []
    ) -> Query<Bool> {
        let constant = QueryTerm(.constant(constant(value)))
        return Query<Bool>(.condition(QueryCondition(term, comparison, constant, options: options)))
    }

    /// A comparison of the property with another one.
    func compared<V>(
        _ comparison: QueryPredicate.Operator,
        with other: Query<V>,
        options: QueryPredicate.Options = []
    ) -> Query<Bool> {
        Query<Bool>(.condition(QueryCondition(term, comparison, other.term, options: options)))
    }

    /// Whether the property has one of the values.
    func isIn(_ values: some Sequence) -> Query<Bool> {
        let file = term.file
        let constants = values.map { Self.constant($0, in: file) }
        return Query<Bool>(.condition(term.condition { .isIn($0, constants, quantifier: $1) }))
    }

    /// Whether the property lies between two values, both included.
    func isBetween(_ lowest: Any, _ highest: Any) -> Query<Bool> {
        let (lowest, highest) = (constant(lowest), constant(highest))
        return Query<Bool>(.condition(term.condition { .isBetween($0, lowest, highest, quantifier: $1) }))
    }

    /// The form of a value in queries of the file that is asked.
    private func constant(_ value: Any) -> Value { Self.constant(value, in: term.file) }

    /// The form of a value in queries.
    static func constant(_ value: Any, in file: ObjectIdentifier? = nil) -> Value {
        guard let constant = Value(persisted: value, in: file) else {
            misuse("A value of type '\(type(of: value))' cannot be part of a query.")
        }
        return constant
    }
}
