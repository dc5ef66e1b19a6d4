import ObjectQueries

extension Query where T == Bool {
    /// Whether both conditions are fulfilled.
    public static func && (left: Query<Bool>, right: Query<Bool>) -> Query<Bool> {
        Query(.condition(left.condition.combined(with: right.condition) { $0 && $1 }))
    }
    /// Whether at least one condition is fulfilled.
    public static func || (left: Query<Bool>, right: Query<Bool>) -> Query<Bool> {
        Query(.condition(left.condition.combined(with: right.condition) { $0 || $1 }))
    }
    /// Whether the condition is not fulfilled.
    public static prefix func ! (query: Query<Bool>) -> Query<Bool> {
        Query(.condition(query.condition.negated))
    }

    /// How many elements of a collection of objects fulfil the whole condition.
    ///
    /// - Precondition: Every property in the condition leads through the same collection.
    public var count: Query<Int> {
        guard let elements = condition.elements else {
            misuse("'count' of a condition in a query needs conditions on the elements of one collection of objects.")
        }
        return Query<Int>(.subqueryCount(elements.collection, elements.predicate))
    }
}
