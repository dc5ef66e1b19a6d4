#if canImport(Combine)
public import ObjectStore

extension RealmCollection where Self: RealmSubscribable {
    /// A publisher of nothing but the fact that the collection has changed; see ``RealmPublishers/WillChange``.
    public var objectWillChange: RealmPublishers.WillChange<Self> { RealmPublishers.WillChange(self) }

    /// A publisher of the collection as it is, and each time that it changes.
    public var collectionPublisher: RealmPublishers.Value<Self> { RealmPublishers.Value(self, nil) }

    /// Makes a publisher of the collection as it is, and each time that it changes.
    ///
    /// - Parameter keyPaths: The properties of elements that count, such as `name` or `dogs.name`; nil for all.
    /// - Returns: The publisher.
    public func collectionPublisher(keyPaths: [String]?) -> RealmPublishers.Value<Self> {
        RealmPublishers.Value(self, keyPaths)
    }

    /// A publisher of what changes in the collection, beginning with the collection as it is.
    public var changesetPublisher: RealmPublishers.CollectionChangeset<Self> { changesetPublisher(keyPaths: nil) }

    /// Makes a publisher of what changes in the collection, beginning with the collection as it is.
    ///
    /// - Parameter keyPaths: The properties of elements that count, such as `name` or `dogs.name`; nil for all.
    /// - Returns: The publisher.
    public func changesetPublisher(keyPaths: [String]?) -> RealmPublishers.CollectionChangeset<Self> {
        RealmPublishers.CollectionChangeset { queue, handler in
            self.observe(keyPaths: keyPaths, on: queue, handler)
        }
    }
}

extension RealmCollection where Self: RealmSubscribable, Element: KeypathSortable {
    /// Makes a publisher of the collection; see the form with names.
    public func collectionPublisher(keyPaths: [PartialKeyPath<Element>]) -> RealmPublishers.Value<Self> {
        RealmPublishers.Value(self, keyPaths.map { Element._names(of: $0).joined(separator: ".") })
    }

    /// Makes a publisher of what changes in the collection; see the form with names.
    public func changesetPublisher(
        keyPaths: [PartialKeyPath<Element>]
    ) -> RealmPublishers.CollectionChangeset<Self> {
        RealmPublishers.CollectionChangeset { queue, handler in
            self.observe(keyPaths: keyPaths, on: queue, handler)
        }
    }
}

extension Map {
    /// A publisher of nothing but the fact that the map has changed; see ``RealmPublishers/WillChange``.
    public var objectWillChange: RealmPublishers.WillChange<Map> { RealmPublishers.WillChange(self) }

    /// A publisher of the map as it is, and each time that it changes.
    public var collectionPublisher: RealmPublishers.Value<Map> { RealmPublishers.Value(self, nil) }

    /// Makes a publisher of the map as it is, and each time that it changes.
    ///
    /// - Parameter keyPaths: The properties of values that count; nil for all.
    /// - Returns: The publisher.
    public func collectionPublisher(keyPaths: [String]?) -> RealmPublishers.Value<Map> {
        RealmPublishers.Value(self, keyPaths)
    }

    /// A publisher of what changes in the map, beginning with the map as it is.
    public var changesetPublisher: RealmPublishers.MapChangeset<Map> { changesetPublisher(keyPaths: nil) }

    /// Makes a publisher of what changes in the map, beginning with the map as it is.
    ///
    /// - Parameter keyPaths: The properties of values that count; nil for all.
    /// - Returns: The publisher.
    public func changesetPublisher(keyPaths: [String]?) -> RealmPublishers.MapChangeset<Map> {
        RealmPublishers.MapChangeset { queue, handler in self.observe(keyPaths: keyPaths, on: queue, handler) }
    }
}

extension RealmSectionedResult where Self: RealmSubscribable {
    /// A publisher of nothing but the fact that the sections have changed; see ``RealmPublishers/WillChange``.
    public var objectWillChange: RealmPublishers.WillChange<Self> { RealmPublishers.WillChange(self) }

    /// A publisher of the sections as they are, and each time that they change.
    public var collectionPublisher: RealmPublishers.Value<Self> { RealmPublishers.Value(self, nil) }

    /// Makes a publisher of the sections as they are, and each time that they change.
    ///
    /// - Parameter keyPaths: The properties of elements that count; nil for all.
    /// - Returns: The publisher.
    public func collectionPublisher(keyPaths: [String]?) -> RealmPublishers.Value<Self> {
        RealmPublishers.Value(self, keyPaths)
    }

    /// A publisher of what changes in the sections, beginning with them as they are.
    public var changesetPublisher: RealmPublishers.SectionedChangeset<Self> { changesetPublisher(keyPaths: nil) }

    /// Makes a publisher of what changes in the sections, beginning with them as they are.
    ///
    /// - Parameter keyPaths: The properties of elements that count; nil for all.
    /// - Returns: The publisher.
    public func changesetPublisher(keyPaths: [String]?) -> RealmPublishers.SectionedChangeset<Self> {
        RealmPublishers.SectionedChangeset { queue, handler in
            self.observe(keyPaths: keyPaths, on: queue, handler)
        }
    }
}
#endif
