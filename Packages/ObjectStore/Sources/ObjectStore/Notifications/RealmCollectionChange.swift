/// What happened to a collection since its handler was called last.
@frozen
public enum RealmCollectionChange<CollectionType> {
    /// The first call: the collection as it is now.
    case initial(CollectionType)
    /// The collection changed: places in the collection as it was, except for insertions, which are places in the
    /// collection as it is; all ascending.
    ///
    /// An element that moved is deleted and inserted. A transaction that touched more than the change log lists, or a
    /// wait for longer than it reaches back, reports every element that stayed as modified.
    case update(CollectionType, deletions: [Int], insertions: [Int], modifications: [Int])
    /// The collection cannot be observed any more; not used by this library.
    case error(any Error)
}
