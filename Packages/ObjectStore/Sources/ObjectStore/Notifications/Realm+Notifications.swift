extension Realm {
    /// What the handlers of ``observe(_:)`` are notified of.
    public enum Notification: String, Sendable {
        /// The realm shows another version: after a commit of this or another instance.
        case didChange = "RLMRealmDidChangeNotification"
        /// A newer version exists, but ``autorefresh`` is off: call ``refresh()``.
        case refreshRequired = "RLMRealmRefreshRequiredNotification"
    }

    /// A handler of ``observe(_:)``.
    public typealias NotificationBlock = (_ notification: Realm.Notification, _ realm: Realm) -> Void

    /// Calls a handler whenever the realm shows another version.
    ///
    /// After a commit of this instance it is called before `commitWrite` returns, also when nothing was changed; of other commits it learns
    /// at the instance's executor.
    ///
    /// - Returns: What keeps the handler alive.
    /// - Precondition: The instance is on an executor where handlers can be called later, and not read-only.
    public func observe(_ block: @escaping NotificationBlock) -> NotificationToken {
        core.notifications.requireObservable("A realm")
        core.notifications.requireTurns("A realm")
        let observation = RealmObservation(core, block)
        core.notifications.follow(observation)
        return NotificationToken(observation)
    }

    /// Whether the instance moves to the newest version by itself; true unless it is set, false for a frozen realm.
    ///
    /// That happens in a run-loop turn of its queue; a realm of a plain thread moves with ``refresh()`` and with its writes.
    ///
    /// - Precondition: It is not set to true for a frozen realm.
    public var autorefresh: Bool {
        get {
            core.checkThread()
            return core.version.turn.autorefresh && !core.isFrozen
        }
        nonmutating set {
            core.checkThread()
            if core.isFrozen {
                if newValue { misuse("'autorefresh' was set for a frozen realm, which never changes; use 'thaw()'.") }
                return
            }
            core.version.turn.autorefresh = newValue
            if newValue { core.notifications.mailbox.wake() }
        }
    }
}
