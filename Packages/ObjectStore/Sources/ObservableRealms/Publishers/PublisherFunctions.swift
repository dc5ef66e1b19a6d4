#if canImport(Combine)
public import ObjectStore

// MARK: - Values

/// Makes a publisher of an object each time that it changes.
///
/// - Parameters:
///   - object: A managed object that exists.
///   - keyPaths: The properties that count; nil for all of the object itself.
/// - Returns: A publisher that finishes when the object is deleted.
public func valuePublisher<T: ObjectBase>(_ object: T, keyPaths: [String]? = nil) -> RealmPublishers.Value<T> {
    RealmPublishers.Value(object, keyPaths)
}

/// Makes a publisher of a collection as it is, and each time that it changes.
///
/// - Parameters:
///   - collection: A managed collection that exists.
///   - keyPaths: The properties of elements that count; nil for all.
/// - Returns: The publisher.
public func valuePublisher<T: RealmCollection & RealmSubscribable>(
    _ collection: T,
    keyPaths: [String]? = nil
) -> RealmPublishers.Value<T> {
    RealmPublishers.Value(collection, keyPaths)
}

/// Makes a publisher of a projection each time that what it shows changes.
///
/// - Parameters:
///   - projection: A projection of a managed object that exists.
///   - keyPaths: The properties of the projection that count; nil for all.
/// - Returns: A publisher that finishes when the object is deleted.
public func valuePublisher<T: ProjectionObservable & RealmSubscribable>(
    _ projection: T,
    keyPaths: [String]? = nil
) -> RealmPublishers.Value<T> {
    RealmPublishers.Value(projection, keyPaths)
}

// MARK: - Changes

/// Makes a publisher of what changes in an object.
///
/// - Parameters:
///   - object: A managed object that exists.
///   - keyPaths: The properties that count; nil for all of the object itself.
/// - Returns: A publisher that finishes when the object is deleted.
public func changesetPublisher<T: ObjectBase>(
    _ object: T,
    keyPaths: [String]? = nil
) -> RealmPublishers.ObjectChangeset<T> {
    RealmPublishers.ObjectChangeset { queue, handler in object.observe(keyPaths: keyPaths, on: queue, handler) }
}

/// Makes a publisher of what changes in what a projection shows.
///
/// - Parameters:
///   - projection: A projection of a managed object that exists.
///   - keyPaths: The properties of the projection that count; nil for all.
/// - Returns: A publisher that finishes when the object is deleted.
public func changesetPublisher<T: ProjectionObservable>(
    _ projection: T,
    keyPaths: [String]? = nil
) -> RealmPublishers.ObjectChangeset<T> {
    RealmPublishers.ObjectChangeset { queue, handler in projection.observe(keyPaths: keyPaths, on: queue, handler) }
}

/// Makes a publisher of what changes in a collection.
///
/// - Parameters:
///   - collection: A managed collection that exists.
///   - keyPaths: The properties of elements that count; nil for all.
/// - Returns: The publisher.
public func changesetPublisher<T: RealmCollection>(
    _ collection: T,
    keyPaths: [String]? = nil
) -> RealmPublishers.CollectionChangeset<T> {
    RealmPublishers.CollectionChangeset { queue, handler in collection.observe(keyPaths: keyPaths, on: queue, handler) }
}

/// Makes a publisher of what changes in sections.
///
/// - Parameters:
///   - sections: Sections of a managed collection that exists.
///   - keyPaths: The properties of elements that count; nil for all.
/// - Returns: The publisher.
public func changesetPublisher<T: RealmSectionedResult>(
    _ sections: T,
    keyPaths: [String]? = nil
) -> RealmPublishers.SectionedChangeset<T> {
    RealmPublishers.SectionedChangeset { queue, handler in sections.observe(keyPaths: keyPaths, on: queue, handler) }
}
#endif
