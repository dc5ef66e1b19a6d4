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
    /// The instance of the queue or actor that the handler is for could not be opened; the handler is not called again.
    case error(any Error)
}

/// What happened to a map since its handler was called last.
@frozen
public enum RealmMapChange<MapType: RealmKeyedCollection> {
    /// The first call: the map as it is now.
    case initial(MapType)
    /// Entries were removed, were added or have another value, by their keys.
    case update(MapType, deletions: [MapType.Key], insertions: [MapType.Key], modifications: [MapType.Key])
    /// The instance of the queue or actor that the handler is for could not be opened; the handler is not called again.
    case error(any Error)
}
