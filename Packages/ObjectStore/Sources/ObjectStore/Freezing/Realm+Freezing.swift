extension Realm {
    /// Whether the realm shows one version for ever and may be used on any executor.
    public var isFrozen: Bool { core.isFrozen }

    /// Returns the realm as it is now, never to change, to be used on any executor; itself when it is frozen.
    ///
    /// The version stays in the file as long as anything frozen of it lives, so that the file's log grows when others
    /// write: keep frozen values for short. Inside of a write it is the version before the write. An instance that is
    /// behind others moves to the newest version with this call.
    public func freeze() -> Realm { Realm(core: core.frozen()) }

    /// Returns the live instance of the running code's executor, opened if there is none; itself when it is not frozen.
    ///
    /// - Precondition: The file can be opened.
    public func thaw() -> Realm {
        isFrozen ? Realm(core: core.live(atLeast: core.store.version)) : self
    }

    /// Returns an object, a collection or a result as it is now, never to change; see ``ThreadConfined/freeze()``.
    ///
    /// - Precondition: It is managed, not deleted, and was not created in the transaction that is open.
    public func freeze<T: ThreadConfined>(_ threadConfined: T) -> T { threadConfined.freeze() }

    /// Returns a frozen object, collection or result, live, on the executor of the running code.
    ///
    /// - Returns: nil when it was deleted meanwhile.
    /// - Precondition: It is managed.
    public func thaw<T: ThreadConfined>(_ threadConfined: T) -> T? { threadConfined.thaw() }

    /// Finds in this realm what a reference from another executor refers to.
    ///
    /// The realm moves to the version of the reference if it is behind.
    ///
    /// - Returns: nil when it was deleted meanwhile.
    /// - Precondition: The reference was not resolved before, and is of this realm's file.
    public func resolve<Confined>(_ reference: ThreadSafeReference<Confined>) -> Confined? {
        core.checkThread()
        let location = reference.use()
        guard location.path == core.file.path else {
            misuse(
                """
                A 'ThreadSafeReference' to something in the realm '\(location.path)' was resolved in the realm \
                '\(core.file.path)'.
                """
            )
        }
        core.follow(atLeast: location.version)
        return Confined._located(location, in: self)
    }
}
