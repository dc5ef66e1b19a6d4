/// What to fetch: objects of one class, filtered, ordered, made distinct and limited, in this order.
public struct QueryPlan: Sendable, Hashable {
    /// Where the objects come from.
    public enum Source: Sendable, Hashable {
        /// All objects of the class.
        case all
        /// The elements of a collection of objects: `property` of the object of class `owner` in row `key`.
        case elements(owner: String, key: Int64, property: String)
    }

    /// The class of the objects.
    public var className: String
    /// Where the objects come from.
    public var source: Source
    /// What must be true of an object.
    public var predicate: QueryPredicate
    /// What to order by, the most important first; objects that are equal keep the order of their rows.
    public var sort: [QuerySort]
    /// The paths whose values no two objects may share; the first of each group in the sorted order is kept.
    public var distinct: [PropertyPath]
    /// How many objects to fetch at most; nil for all.
    public var limit: Int?

    /// Creates a plan that fetches all objects, narrowed by what is given.
    public init(
        _ className: String,
        source: Source = .all,
        predicate: QueryPredicate = .always,
        sort: [QuerySort] = [],
        distinct: [PropertyPath] = [],
        limit: Int? = nil
    ) {
        self.className = className
        self.source = source
        self.predicate = predicate
        self.sort = sort
        self.distinct = distinct
        self.limit = limit
    }
}

/// One property to order by.
///
/// Missing values come first when ascending; text is ordered by its UTF-8 bytes.
public struct QuerySort: Sendable, Hashable {
    /// The value to order by; it may lead through links to one object.
    public var path: PropertyPath
    /// Whether small values come first.
    public var ascending: Bool

    /// Creates an order.
    public init(_ path: PropertyPath, ascending: Bool = true) {
        self.path = path
        self.ascending = ascending
    }
}
