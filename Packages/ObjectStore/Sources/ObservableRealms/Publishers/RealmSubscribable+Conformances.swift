#if canImport(Combine)
public import Dispatch
public import ObjectStore

extension ObjectStore.ObjectBase: RealmSubscribable {
    /// Observes, and hands on what happens.
    public func _observe<Receiver: _PublicationReceiver>(
        _ keyPaths: [String]?,
        on queue: DispatchQueue?,
        _ receiver: Receiver
    ) -> NotificationToken where Receiver.Value: ObjectBase {
        observe(keyPaths: keyPaths, on: queue) { (change: ObjectChange<Receiver.Value>) in
            receiver.receive(_Publication(change))
        }
    }
}

extension ObjectStore.Projection: RealmSubscribable {
    /// Observes, and hands on what happens.
    public func _observe<Receiver: _PublicationReceiver>(
        _ keyPaths: [String]?,
        on queue: DispatchQueue?,
        _ receiver: Receiver
    ) -> NotificationToken where Receiver.Value: Projection {
        guard let projection = self as? Receiver.Value else {
            preconditionFailure("A projection was observed as a '\(Receiver.Value.self)', which it is not.")
        }
        return projection.observe(keyPaths: keyPaths, on: queue) { change in receiver.receive(_Publication(change)) }
    }
}

extension RealmCollection {
    /// Observes, and hands on what happens.
    public func _observe<Receiver: _PublicationReceiver>(
        _ keyPaths: [String]?,
        on queue: DispatchQueue?,
        _ receiver: Receiver
    ) -> NotificationToken where Receiver.Value == Self {
        observe(keyPaths: keyPaths, on: queue) { change in
            switch change {
            case .initial(let collection): receiver.receive(.initial(collection))
            case .update(let collection, _, _, _): receiver.receive(.changed(collection))
            case .error(let error): receiver.receive(.failed(error))
            }
        }
    }
}

extension ObjectStore.Results: RealmSubscribable {}
extension ObjectStore.List: RealmSubscribable {}
extension ObjectStore.MutableSet: RealmSubscribable {}
extension ObjectStore.LinkingObjects: RealmSubscribable {}
extension ObjectStore.AnyRealmCollection: RealmSubscribable {}

extension ObjectStore.Map: RealmSubscribable {
    /// Observes, and hands on what happens.
    public func _observe<Receiver: _PublicationReceiver>(
        _ keyPaths: [String]?,
        on queue: DispatchQueue?,
        _ receiver: Receiver
    ) -> NotificationToken where Receiver.Value == Map {
        observe(keyPaths: keyPaths, on: queue) { change in
            switch change {
            case .initial(let map): receiver.receive(.initial(map))
            case .update(let map, _, _, _): receiver.receive(.changed(map))
            case .error(let error): receiver.receive(.failed(error))
            }
        }
    }
}

extension RealmSectionedResult {
    /// Observes, and hands on what happens.
    public func _observe<Receiver: _PublicationReceiver>(
        _ keyPaths: [String]?,
        on queue: DispatchQueue?,
        _ receiver: Receiver
    ) -> NotificationToken where Receiver.Value == Self {
        observe(keyPaths: keyPaths, on: queue) { change in
            switch change {
            case .initial(let sections): receiver.receive(.initial(sections))
            case .update(let sections, _, _, _, _, _): receiver.receive(.changed(sections))
            }
        }
    }
}

extension ObjectStore.SectionedResults: RealmSubscribable {}
extension ObjectStore.ResultsSection: RealmSubscribable {}

extension _Publication {
    fileprivate init(_ change: ObjectChange<Value>) {
        switch change {
        case .change(let object, _): self = .changed(object)
        case .deleted: self = .finished
        case .error(let error): self = .failed(error)
        }
    }
}
#endif
