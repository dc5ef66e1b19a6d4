import ObjectQueries

extension Results: ThreadConfined {
    /// Where another instance finds the result; nil for elements of an unmanaged collection.
    public var _confinedLocation: _Location? {
        switch content {
        case .objects(let state): _Location(state.location, in: state.core)
        case .values(let state):
            _Location(.values(owner: state.owner.content, slot: state.slot, state.plan), in: state.core)
        case .memory: nil
        }
    }

    /// Finds the result in an instance; nil when the object that it belongs to does not exist there.
    public static func _located(_ location: _Location, in realm: Realm) -> Results? {
        if case .values(let owner, let slot, let plan) = location.content {
            return owner.located(in: realm.core).map { Results(ValueResultState($0, slot, plan)) }
        }
        return ObjectResultState.located(location.content, in: realm.core).map { Results($0) }
    }
}

extension ObjectResultState {
    /// Where every instance finds what the query finds.
    var location: _Location.Content {
        .objects(className: table.schema.name, plan, parent: parent?.content)
    }

    /// Makes the query of another instance; nil when the object that it belongs to does not exist there.
    static func located(_ content: _Location.Content, in realm: RealmCore) -> ObjectResultState? {
        guard case .objects(let name, let plan, let parentContent) = content, let table = realm.store.table(named: name)
        else { return nil }
        guard let parentContent else { return ObjectResultState(realm, table, plan) }
        return parentContent.located(in: realm).map { ObjectResultState(realm, table, plan, parent: $0) }
    }
}

extension AnyRealmCollection: ThreadConfined {
    /// Returns the same collection as it is now, never to change; itself when it is frozen.
    ///
    /// - Precondition: It is managed, and its object is not deleted.
    public func freeze() -> AnyRealmCollection { Self.frozen(base) }

    /// Returns the same collection, live, on the executor of the running code; nil when its object was deleted.
    ///
    /// - Precondition: It is managed.
    public func thaw() -> AnyRealmCollection? { Self.thawed(base) }

    private static func frozen<C: RealmCollection>(_ base: C) -> AnyRealmCollection where C.Element == Element {
        AnyRealmCollection(base.freeze())
    }

    private static func thawed<C: RealmCollection>(_ base: C) -> AnyRealmCollection? where C.Element == Element {
        base.thaw().map { AnyRealmCollection($0) }
    }

    /// Where another instance finds the collection inside; nil while unmanaged.
    public var _confinedLocation: _Location? { base._confinedLocation }

    /// Finds a collection of any kind in an instance; nil when its object does not exist there.
    public static func _located(_ location: _Location, in realm: Realm) -> AnyRealmCollection? {
        switch location.content {
        case .origins(let target, let slot):
            // Its element type is not known to be that of objects here, so that the result stands for the property.
            return target.located(in: realm.core)
                .map { core in
                    let property = core.table.schema.origin(at: slot)
                    return AnyRealmCollection(Results<Element>(property.origins(of: core, in: realm.core)))
                }
        case .collection(let owner, let slot, _):
            guard let core = owner.located(in: realm.core) else { return nil }
            if core.table.schema.properties[slot].type.collection == .set {
                return AnyRealmCollection(MutableSet<Element>._read(core, slot))
            }
            return List<Element>._located(location, in: realm).map { AnyRealmCollection($0) }
        case .object, .objects, .values:
            return Results<Element>._located(location, in: realm).map { AnyRealmCollection($0) }
        }
    }
}
