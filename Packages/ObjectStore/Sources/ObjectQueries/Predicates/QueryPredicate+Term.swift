public import EventModel

extension QueryPredicate {
    /// One side of a comparison.
    public indirect enum Term: Sendable, Hashable {
        /// The value at the end of a path.
        case path(PropertyPath)
        /// A value that is the same for all objects.
        case constant(Value)
        /// The object itself, by its row.
        case object
        /// A number computed from a collection: from its elements, or from what `element` names in each.
        case aggregate(Aggregate, of: PropertyPath, element: PropertyPath = .itself)
        /// How many elements of a collection of objects fulfil a condition whose paths start at the element.
        case subqueryCount(PropertyPath, QueryPredicate)
        /// The value at a place inside a map, a list or a property of any type; missing when there is no such place.
        ///
        /// `then` goes on from an entry that is an object.
        case element(PropertyPath, [Subscript], then: PropertyPath = .itself)
        /// The keys of a map, for the quantifier `any`.
        case keys(PropertyPath)
    }

    /// A place inside a collection.
    public enum Subscript: Sendable, Hashable {
        /// The entry of a map.
        case key(String)
        /// The element of a list, from 0.
        case index(Int)
        /// Any element or entry: the comparison asks whether one of them fulfils it.
        case any
    }
}
