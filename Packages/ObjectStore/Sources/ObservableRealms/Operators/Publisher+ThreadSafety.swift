#if canImport(Combine)
public import Combine
public import ObjectStore

extension Publisher {
    /// Makes `receive(on:)` take objects and collections to the executor of its scheduler.
    ///
    /// Without it a live object would arrive where it may not be used. `receive(on:)` comes directly behind.
    public func threadSafeReference<T: ThreadConfined>() -> RealmPublishers.MakeThreadSafe<Self> where Output == T {
        RealmPublishers.MakeThreadSafe(upstream: self) { Parcel($0) }
    }

    /// Makes `receive(on:)` take changes of objects to the executor of its scheduler.
    public func threadSafeReference<T: ThreadConfined>() -> RealmPublishers.MakeThreadSafe<Self>
    where Output == ObjectChange<T> {
        RealmPublishers.MakeThreadSafe(upstream: self) { Parcel($0) }
    }

    /// Makes `receive(on:)` take changes of collections to the executor of its scheduler.
    ///
    /// The collection that arrives may be newer than the places, which are those of the change; `freeze()` keeps both together.
    public func threadSafeReference<T: RealmCollection>() -> RealmPublishers.MakeThreadSafe<Self>
    where Output == RealmCollectionChange<T> {
        RealmPublishers.MakeThreadSafe(upstream: self) { Parcel($0) }
    }

    /// Makes `receive(on:)` take changes of maps to the executor of its scheduler.
    public func threadSafeReference<T: RealmKeyedCollection>() -> RealmPublishers.MakeThreadSafe<Self>
    where Output == RealmMapChange<T> {
        RealmPublishers.MakeThreadSafe(upstream: self) { Parcel($0) }
    }

    /// Makes `receive(on:)` take changes of sections to the executor of its scheduler.
    public func threadSafeReference<T: RealmSectionedResult>() -> RealmPublishers.MakeThreadSafe<Self>
    where Output == SectionedResultsChange<T> {
        RealmPublishers.MakeThreadSafe(upstream: self) { Parcel($0) }
    }
}
#endif
