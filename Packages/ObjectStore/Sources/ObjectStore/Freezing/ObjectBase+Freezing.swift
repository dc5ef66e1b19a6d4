extension ObjectBase: ThreadConfined {
    /// Whether the object shows one version for ever and may be used anywhere.
    public final var isFrozen: Bool { _core?.realm?.isFrozen ?? false }

    /// Returns the object as it is now, never to change, to be used on any executor; itself when it is frozen.
    ///
    /// Everything that is reached from it is frozen, too. Inside of a write it is the object as it was before.
    ///
    /// - Precondition: It is managed, not deleted, and was not created in the transaction that is open.
    public final func freeze() -> Self {
        let (realm, location) = required("frozen")
        if realm.isFrozen { return self }
        guard let core = location.content.located(in: realm.core.frozen()) else {
            misuse(
                """
                An object of '\(_core?.table.schema.name ?? Self.className())' was frozen in the transaction that created \
                it; commit first, because a frozen object belongs to a version that is durable.
                """
            )
        }
        return Self.handOut(core, as: type(of: self))
    }

    /// Returns the object, live, on the executor of the running code; itself when it is not frozen.
    ///
    /// - Returns: nil when it was deleted meanwhile.
    /// - Precondition: It is managed.
    public final func thaw() -> Self? {
        let (realm, location) = required("thawed")
        guard realm.isFrozen else { return self }
        return location.content.located(in: realm.core.live(atLeast: location.version))
            .map { Self.handOut($0, as: type(of: self)) }
    }

    /// Where another instance finds the object; nil while unmanaged.
    public final var _confinedLocation: _Location? { _core.flatMap(\.location) }

    /// Finds the object in an instance; nil when it does not exist there.
    public static func _located(_ location: _Location, in realm: Realm) -> Self? {
        guard let core = location.content.located(in: realm.core) else { return nil }
        // A variable of a superclass may refer to it; a class that only the file knows has no objects of its own.
        let type = core.table.schema.isDynamic ? self : core.table.schema.type as? Self.Type ?? self
        return handOut(core, as: type)
    }

    /// Makes the accessor of a row, which is reported to the observer; an embedded one is a part of another object.
    private static func handOut<T: ObjectBase>(_ core: ObjectCore, as type: T.Type) -> T {
        if core.parent == nil, let realm = core.realm {
            realm.recording.didRead(core.snapshot, core.table)
            core.wasTold()
        }
        let object = type.init()
        object._core = core
        return object
    }
}
