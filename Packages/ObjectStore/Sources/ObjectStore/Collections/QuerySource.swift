/// A collection that queries can narrow, order and compute with: each ``RealmCollection``, and the values of a ``Map``.
///
/// What it offers is not meant to be added to other types.
public protocol _QuerySource: SendableMetatype {
    /// The type of what a query finds.
    associatedtype _Found: RealmCollectionValue
    /// The same elements as a result, which queries narrow and order.
    var _results: Results<_Found> { get }
}
