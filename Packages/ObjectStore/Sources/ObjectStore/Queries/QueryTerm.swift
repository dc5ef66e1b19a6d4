import ObjectQueries

/// What a ``Query`` has said so far.
enum QueryContent {
    /// A property, or what is computed from one.
    case term(QueryTerm)
    /// A comparison, or several.
    case condition(QueryCondition)
}

/// A property that a query names, with the collections on the way to it.
struct QueryTerm {
    let term: QueryPredicate.Term
    /// The lengths of the paths to each collection whose elements are meant, the first collection first.
    let collections: [Int]
    /// The file that is asked, whose objects alone can be compared with; nil in memory.
    let file: ObjectIdentifier?

    init(_ term: QueryPredicate.Term, collections: [Int] = [], in file: ObjectIdentifier? = nil) {
        self.term = term
        self.collections = collections
        self.file = file
    }

    /// A value that is the same for all objects.
    static func constant(_ value: Value) -> QueryTerm { QueryTerm(.constant(value)) }

    var quantifier: QueryPredicate.Quantifier { collections.isEmpty ? .one : .any }

    /// The path to the property.
    var path: PropertyPath {
        guard case .path(let path) = term else {
            misuse("A member was asked of something in a query that is not a property.")
        }
        return path
    }

    /// The property that further names lead to.
    func appending(_ names: [String], isCollection: Bool) -> QueryTerm {
        if case .element(let path, let places, let rest) = term {
            return QueryTerm(
                .element(path, places, then: PropertyPath(rest.components + names)),
                collections: collections,
                in: file
            )
        }
        // Most conditions name a property of the object itself.
        let components = path.components.isEmpty ? names : path.components + names
        return QueryTerm(
            .path(PropertyPath(components)),
            collections: isCollection ? collections + [components.count] : collections,
            in: file
        )
    }

    /// The value at a place of a collection or of a value of any type.
    func at(_ place: QueryPredicate.Subscript) -> QueryTerm {
        if case .element(let path, let places, then: .itself) = term {
            let isMany = place == .any && collections.isEmpty
            return QueryTerm(
                .element(path, places + [place]),
                collections: isMany ? [path.components.count] : collections,
                in: file
            )
        }
        let path = path
        // The collection itself no longer means all of its elements.
        var outer = collections
        if outer.last == path.components.count { outer.removeLast() }
        return QueryTerm(
            .element(path, [place]),
            collections: place == .any ? outer + [path.components.count] : outer,
            in: file
        )
    }

    /// A number computed from the last collection on the way.
    func aggregated(_ aggregate: QueryPredicate.Aggregate) -> QueryTerm {
        let path = path
        guard let length = collections.last else {
            misuse("'@\(aggregate.rawValue)' was asked of '\(path)' in a query, which is no collection.")
        }
        return QueryTerm(
            .aggregate(
                aggregate,
                of: PropertyPath(Array(path.components[..<length])),
                element: PropertyPath(Array(path.components[length...]))
            ),
            collections: collections.dropLast()
        )
    }

    /// The same seen from an element of the first collection; nil when there is no collection on the way.
    var inside: (collection: PropertyPath, term: QueryTerm)? {
        guard let length = collections.first else { return nil }
        func rest(_ path: PropertyPath) -> PropertyPath { PropertyPath(Array(path.components.dropFirst(length))) }
        let inner: QueryPredicate.Term
        let whole: PropertyPath
        switch term {
        case .path(let path):
            whole = path
            inner = path.components.count == length ? .object : .path(rest(path))
        case .aggregate(let aggregate, let path, let element):
            whole = path
            inner = .aggregate(aggregate, of: rest(path), element: element)
        case .element(let path, let places, let then):
            guard path.components.count > length else { return nil }
            whole = path
            inner = .element(rest(path), places, then: then)
        case .keys(let path):
            guard path.components.count > length else { return nil }
            whole = path
            inner = .keys(rest(path))
        case .constant, .object, .subqueryCount: return nil
        }
        let collections = collections.dropFirst().map { $0 - length }
        return (PropertyPath(Array(whole.components[..<length])), QueryTerm(inner, collections: collections))
    }

    /// The same seen from an element of a collection; nil when it cannot be seen from there.
    func seen(from collection: PropertyPath) -> QueryTerm? {
        if case .constant = term { return self }
        guard let inside, inside.collection == collection else { return nil }
        return inside.term
    }

    /// The condition that is made of the term and of how many of its values are meant.
    func condition(_ make: (QueryPredicate.Term, QueryPredicate.Quantifier) -> QueryPredicate) -> QueryCondition {
        QueryCondition(
            make(term, quantifier),
            elements: inside.map { ($0.collection, make($0.term.term, $0.term.quantifier)) }
        )
    }
}
