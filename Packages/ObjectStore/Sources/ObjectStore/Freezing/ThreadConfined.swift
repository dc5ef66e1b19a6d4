/// What belongs to one instance of a realm: objects, collections and results.
///
/// Frozen, such a thing may be used on any executor; otherwise take it to another executor with ``ThreadSafeReference``.
public protocol ThreadConfined {
    /// The realm that manages it; nil while unmanaged and once it is gone.
    var realm: Realm? { get }
    /// Whether it can no longer be used: it was deleted, or its realm was invalidated.
    var isInvalidated: Bool { get }
    /// Whether it shows one version for ever and may be used anywhere.
    var isFrozen: Bool { get }
    /// Returns the same thing as it is now, never to change; itself when it is frozen.
    ///
    /// - Precondition: It is managed, not deleted, and was not created in the transaction that is open.
    func freeze() -> Self
    /// Returns the same thing, live, on the executor of the running code; itself when it is not frozen.
    ///
    /// - Returns: nil when it was deleted meanwhile.
    /// - Precondition: It is managed.
    func thaw() -> Self?
    /// Where another instance finds the same thing; nil while unmanaged. Not meant for programs.
    var _confinedLocation: _Location? { get }
    /// Finds a thing in an instance; nil when it is not there. Not meant for programs.
    static func _located(_ location: _Location, in realm: Realm) -> Self?
}

extension ThreadConfined {
    /// Whether it shows one version for ever and may be used anywhere.
    public var isFrozen: Bool { realm?.isFrozen ?? false }

    /// Returns the same thing as it is now, never to change; itself when it is frozen.
    ///
    /// - Precondition: It is managed, not deleted, and was not created in the transaction that is open.
    public func freeze() -> Self {
        let (realm, location) = required("frozen")
        if realm.isFrozen { return self }
        guard let frozen = Self._located(location, in: Realm(core: realm.core.frozen())) else {
            misuse(
                """
                A '\(Self.self)' was frozen in the transaction that created it; commit first, because a frozen value \
                belongs to a version that is durable.
                """
            )
        }
        return frozen
    }

    /// Returns the same thing, live, on the executor of the running code; itself when it is not frozen.
    ///
    /// - Returns: nil when it was deleted meanwhile.
    /// - Precondition: It is managed.
    public func thaw() -> Self? {
        let (realm, location) = required("thawed")
        guard realm.isFrozen else { return self }
        let live = realm.core.live(atLeast: location.version)
        return Self._located(location, in: Realm(core: live))
    }

    /// The realm and the location, which unmanaged and deleted things do not have.
    func required(_ action: String) -> (Realm, _Location) {
        guard !isInvalidated else {
            misuse(
                "A '\(Self.self)' was \(action) after it was deleted or its realm invalidated; check 'isInvalidated'."
            )
        }
        guard let realm, let location = _confinedLocation else {
            misuse("An unmanaged '\(Self.self)' was \(action); add it to a realm first.")
        }
        return (realm, location)
    }
}
