#if canImport(Combine)
public import Combine
public import ObjectStore

extension Realm {
    /// A publisher of nothing but the fact that the realm shows another version.
    ///
    /// In spite of its name it speaks behind the change, when the new version can be read.
    public var objectWillChange: RealmPublishers.RealmWillChange { RealmPublishers.RealmWillChange(self) }
}

extension ObjectStore.Object: Combine.ObservableObject {
    /// A publisher of nothing but the fact that the object has changed; see ``RealmPublishers/WillChange``.
    public var objectWillChange: RealmPublishers.WillChange<Object> { RealmPublishers.WillChange(self) }
}

extension ObjectStore.EmbeddedObject: Combine.ObservableObject {
    /// A publisher of nothing but the fact that the object has changed; see ``RealmPublishers/WillChange``.
    public var objectWillChange: RealmPublishers.WillChange<EmbeddedObject> { RealmPublishers.WillChange(self) }
}

extension ObjectStore.Projection: Combine.ObservableObject {
    /// A publisher of nothing but the fact that what the projection shows has changed; see ``RealmPublishers/WillChange``.
    public var objectWillChange: RealmPublishers.WillChange<Projection> { RealmPublishers.WillChange(self) }
}

extension ObjectStore.List: Combine.ObservableObject {
    /// The type of the publisher.
    public typealias ObjectWillChangePublisher = RealmPublishers.WillChange<List>
}

extension ObjectStore.MutableSet: Combine.ObservableObject {
    /// The type of the publisher.
    public typealias ObjectWillChangePublisher = RealmPublishers.WillChange<MutableSet>
}

extension ObjectStore.Map: Combine.ObservableObject {
    /// The type of the publisher.
    public typealias ObjectWillChangePublisher = RealmPublishers.WillChange<Map>
}
#endif
