#if canImport(Combine)
public import Combine
public import ObjectStore

extension RealmPublishers {
    /// A publisher that keeps the token of its observation in a property, for writes that it is not to be told of.
    ///
    /// ```swift
    /// person.objectWillChange.saveToken(on: model, for: \.token).sink { model.refresh() }
    /// try realm.write(withoutNotifying: [model.token].compactMap(\.self)) { person.name = "Ada" }
    /// ```
    public struct WithToken<Upstream: _ObservingPublisher, T>: Publisher {
        /// What the publisher publishes.
        public typealias Output = Upstream.Output
        /// Why it fails.
        public typealias Failure = Upstream.Failure

        let upstream: Upstream
        let object: T
        let keyPath: WritableKeyPath<T, NotificationToken?>

        /// Subscribes, and writes the token to the property.
        public func receive<Downstream: Subscriber>(subscriber: Downstream)
        where Downstream.Input == Output, Downstream.Failure == Failure {
            upstream._observing.start(subscriber) { token in
                var object = object
                object[keyPath: keyPath] = token
            }
        }
    }

    /// A publisher of changes that keeps its token.
    public typealias WillChangeWithToken<Collection: RealmSubscribable, T> = WithToken<WillChange<Collection>, T>
    /// A publisher of a realm's changes that keeps its token.
    public typealias RealmWillChangeWithToken<T> = WithToken<RealmWillChange, T>
    /// A publisher of values that keeps its token.
    public typealias ValueWithToken<Subscribable: RealmSubscribable, T> = WithToken<Value<Subscribable>, T>
    /// A publisher of an object's changes that keeps its token.
    public typealias ObjectChangesetWithToken<O: ThreadConfined, T> = WithToken<ObjectChangeset<O>, T>
    /// A publisher of a collection's changes that keeps its token.
    public typealias CollectionChangesetWithToken<Collection: RealmCollection, T> = WithToken<
        CollectionChangeset<Collection>, T
    >
    /// A publisher of a map's changes that keeps its token.
    public typealias MapChangesetWithToken<Collection: RealmKeyedCollection, T> = WithToken<MapChangeset<Collection>, T>
    /// A publisher of changes of sections that keeps its token.
    public typealias SectionedChangesetWithToken<Collection: RealmSectionedResult, T> = WithToken<
        SectionedChangeset<Collection>, T
    >
}

extension _ObservingPublisher {
    /// Keeps the token in a property of an object, once somebody subscribes.
    ///
    /// - Parameters:
    ///   - object: What has the property; a value of a type that is no class is copied, and so of no use.
    ///   - keyPath: The property.
    /// - Returns: A publisher of the same.
    public func saveToken<T>(
        on object: T,
        at keyPath: WritableKeyPath<T, NotificationToken?>
    ) -> RealmPublishers.WithToken<Self, T> {
        RealmPublishers.WithToken(upstream: self, object: object, keyPath: keyPath)
    }

    /// Keeps the token in a property of an object; the same as the form with `at`.
    public func saveToken<T>(
        on object: T,
        for keyPath: WritableKeyPath<T, NotificationToken?>
    ) -> RealmPublishers.WithToken<Self, T> {
        saveToken(on: object, at: keyPath)
    }
}
#endif
