import ObjectQueries

extension PersistedCollection {
    /// Where another instance finds the collection; nil while unmanaged.
    var location: _Location? {
        guard let (core, slot) = owner, let realm = core.realm else { return nil }
        return _Location(.collection(owner: core.content, slot: slot, nested: nestedKey?.key), in: realm)
    }
}

extension _CollectionProperty where Self: PersistedCollection & ThreadConfined {
    /// Finds the collection in an instance; nil when its object does not exist there.
    ///
    /// The closure makes the accessor of one that lies inside a value of any type.
    fileprivate static func located(
        _ location: _Location,
        in realm: Realm,
        _ makeNested: (Int64, ObjectCore, Int) -> Self
    ) -> Self? {
        guard case .collection(let owner, let slot, let nested) = location.content,
            let core = owner.located(in: realm.core)
        else { return nil }
        guard let nested else { return _read(core, slot) }
        let collection = makeNested(nested, core, slot)
        return collection.isInvalidated ? nil : collection
    }
}

extension List: ThreadConfined {
    /// Where another instance finds the list; nil while unmanaged.
    public var _confinedLocation: _Location? { location }
    /// Finds the list in an instance; nil when its object does not exist there.
    public static func _located(_ location: _Location, in realm: Realm) -> List? {
        located(location, in: realm) { List(nested: $0, of: $1, $2) }
    }
}

extension MutableSet: ThreadConfined {
    /// Where another instance finds the set; nil while unmanaged.
    public var _confinedLocation: _Location? { location }
    /// Finds the set in an instance; nil when its object does not exist there.
    public static func _located(_ location: _Location, in realm: Realm) -> MutableSet? {
        // A set never lies inside a value of any type.
        located(location, in: realm) { _, core, slot in _read(core, slot) }
    }
}

extension Map: ThreadConfined {
    /// Where another instance finds the map; nil while unmanaged.
    public var _confinedLocation: _Location? { location }
    /// Finds the map in an instance; nil when its object does not exist there.
    public static func _located(_ location: _Location, in realm: Realm) -> Map? {
        located(location, in: realm) { Map(nested: $0, of: $1, $2) }
    }
}

extension LinkingObjects: ThreadConfined {
    /// Where another instance finds the objects that link; nil while unmanaged.
    public var _confinedLocation: _Location? {
        guard let (core, slot) = target, let realm = core.realm else { return nil }
        return _Location(.origins(target: core.content, slot: slot), in: realm)
    }
    /// Finds the objects that link in an instance; nil when the object that they link to does not exist there.
    public static func _located(_ location: _Location, in realm: Realm) -> LinkingObjects? {
        guard case .origins(let target, let slot) = location.content else { return nil }
        return target.located(in: realm.core).map { _read($0, slot) }
    }
}
