import EventModel
import ObjectQueries

/// A condition in the making: what the block of `where` is given and returns.
///
/// ```swift
/// realm.objects(Person.self).where { $0.age >= 18 && $0.dogs.name == "Rex" }
/// ```
/// Members are the persisted properties. A member of a list asks whether *any* element fulfils the comparison.
@dynamicMemberLookup
public struct Query<T> {
    /// What has been said so far.
    enum Content {
        case term(QueryPredicate.Term, QueryPredicate.Quantifier)
        case condition(QueryPredicate)
    }

    let content: Content

    init(_ content: Content) { self.content = content }

    /// The objects themselves.
    static var root: Query<T> { Query(.term(.path(.itself), .one)) }

    /// The condition; a property alone is compared with true.
    var predicate: QueryPredicate {
        switch content {
        case .condition(let predicate): predicate
        case .term(let term, let quantifier):
            .compare(term, .equal, .constant(.bool(true)), quantifier: quantifier)
        }
    }

    /// The path so far.
    private var path: (PropertyPath, QueryPredicate.Quantifier) {
        guard case .term(.path(let path), let quantifier) = content else {
            misuse("A member was asked of something that is not a property.")
        }
        return (path, quantifier)
    }

    func member<V>(_ names: [String], isCollection: Bool = false) -> Query<V> {
        let (path, quantifier) = path
        return Query<V>(.term(.path(PropertyPath(path.components + names)), isCollection ? .any : quantifier))
    }

    /// A comparison of what has been said with a value.
    func compared(
        _ comparison: QueryPredicate.Operator,
        _ value: Any,
        options: QueryPredicate.Options = [],
        quantifier: QueryPredicate.Quantifier? = nil
    ) -> Query<Bool> {
        guard case .term(let term, let own) = content else {
            misuse("A condition was compared with a value; compare a property instead.")
        }
        return Query<Bool>(
            .condition(
                .compare(
                    term,
                    comparison,
                    .constant(Self.constant(value)),
                    options: options,
                    quantifier: quantifier ?? own
                )
            )
        )
    }

    /// The form of a value in queries.
    static func constant(_ value: Any) -> Value {
        guard let constant = Value(predicateArgument: value, convert: Value.init(persisted:)) else {
            misuse("A value of type '\(type(of: value))' cannot be part of a query; objects must be managed.")
        }
        return constant
    }

    var term: (QueryPredicate.Term, QueryPredicate.Quantifier) {
        guard case .term(let term, let quantifier) = content else {
            misuse("A condition was used where a property is expected.")
        }
        return (term, quantifier)
    }
}

// MARK: - Members

extension Query where T: ObjectBase {
    /// A property of the object.
    public subscript<V>(dynamicMember keyPath: KeyPath<T, V>) -> Query<V> {
        member(KeyPathRecorder.path(of: keyPath))
    }
}

extension Query {
    /// A property of the object that a link refers to; the comparison fails when it refers to none.
    public subscript<Target: ObjectBase, V>(dynamicMember keyPath: KeyPath<Target, V>) -> Query<V>
    where T == Target? {
        member(KeyPathRecorder.path(of: keyPath))
    }

    /// A property of the objects of a list; the comparison asks whether any of them fulfils it.
    public subscript<Element: ObjectBase, V>(dynamicMember keyPath: KeyPath<Element, V>) -> Query<V>
    where T == List<Element> {
        member(KeyPathRecorder.path(of: keyPath), isCollection: true)
    }

    /// Whether the list has an element.
    public func contains<Element>(_ element: Element) -> Query<Bool> where T == List<Element> {
        compared(.equal, element, quantifier: .any)
    }
}

extension Query where T: RandomAccessCollection & _Persistable {
    /// How many elements the list has.
    public var count: Query<Int> {
        let (path, _) = path
        return Query<Int>(.term(.aggregate(.count, of: path), .one))
    }
}
