/// What to fetch: objects of one class or values of a collection, filtered, made distinct, ordered and limited.
public struct QueryPlan: Sendable, Hashable {
    /// Where the objects come from.
    public enum Source: Sendable, Hashable {
        /// All objects of the class.
        case all
        /// The elements of a collection: `property` of the object of class `owner` in row `key`.
        ///
        /// Elements that are no objects have no class: the plan's is the owner's then.
        case elements(owner: String, key: Int64, property: String)
        /// The elements of a list or dictionary inside a value of any type, which `property` of class `owner` holds.
        ///
        /// The key is that of the list or dictionary; the plan's class is the owner's.
        case nested(owner: String, property: String, key: Int64, isDictionary: Bool)
        /// The objects whose `property` refers to row `key` of its target class, each as often as it does.
        case origins(key: Int64, property: String)
    }

    /// The class of the objects.
    public var className: String
    /// Where the objects come from.
    public var source: Source
    /// What must be true of an object.
    public var predicate: QueryPredicate
    /// What to order by, the most important first; objects that are equal keep the order of their rows.
    public var sort: [QuerySort]
    /// The values that no two objects may share, one step after the other.
    public var distinct: [QueryDistinct]
    /// How many objects to fetch at most; nil for all.
    public var limit: Int?

    /// Creates a plan that fetches all objects, narrowed by what is given.
    ///
    /// Of each group of objects that are equal in the paths of `distinct`, the first in the sorted order is kept.
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
        self.distinct = distinct.isEmpty ? [] : [QueryDistinct(distinct, sort: sort)]
        self.limit = limit
    }

    /// Whether all is fetched that the source has, in its own order.
    package var isUnrefined: Bool { predicate == .always && sort.isEmpty && distinct.isEmpty && limit == nil }
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

/// Values of which the first object of each group is kept.
public struct QueryDistinct: Sendable, Hashable {
    /// The paths whose values together make a group.
    public var paths: [PropertyPath]
    /// The order that says which object is the first, whatever the result is ordered by.
    public var sort: [QuerySort]

    /// Creates a step that keeps the first of each group.
    public init(_ paths: [PropertyPath], sort: [QuerySort] = []) {
        self.paths = paths
        self.sort = sort
    }
}
