import ObjectQueries

/// A condition, and the same one on the elements of a collection: `.count` counts those.
struct QueryCondition {
    let predicate: QueryPredicate
    /// The condition seen from an element of the one collection that all of its properties lead through.
    let elements: (collection: PropertyPath, predicate: QueryPredicate)?

    init(_ predicate: QueryPredicate, elements: (collection: PropertyPath, predicate: QueryPredicate)? = nil) {
        self.predicate = predicate
        self.elements = elements
    }

    /// Compares two terms.
    init(
        _ left: QueryTerm,
        _ comparison: QueryPredicate.Operator,
        _ right: QueryTerm,
        options: QueryPredicate.Options = []
    ) {
        // Of two properties, the one that leads through a collection has to stand on the left.
        if left.collections.isEmpty, !right.collections.isEmpty, let flipped = comparison.flipped {
            self = QueryCondition(right, flipped, left, options: options)
            return
        }
        func compare(_ left: QueryTerm, _ right: QueryTerm) -> QueryPredicate {
            .compare(left.term, comparison, right.term, options: options, quantifier: left.quantifier)
        }
        self.init(
            compare(left, right),
            elements: left.inside.flatMap { inside in
                right.seen(from: inside.collection).map { (inside.collection, compare(inside.term, $0)) }
            }
        )
    }

    /// The opposite.
    var negated: QueryCondition {
        QueryCondition(!predicate, elements: elements.map { ($0.collection, !$0.predicate) })
    }

    /// Combines two conditions, also as conditions on elements where both are on those of one collection.
    func combined(
        with other: QueryCondition,
        _ combine: (QueryPredicate, QueryPredicate) -> QueryPredicate
    ) -> QueryCondition {
        var both: (collection: PropertyPath, predicate: QueryPredicate)?
        if let elements, let others = other.elements, elements.collection == others.collection {
            both = (elements.collection, combine(elements.predicate, others.predicate))
        }
        return QueryCondition(combine(predicate, other.predicate), elements: both)
    }
}
