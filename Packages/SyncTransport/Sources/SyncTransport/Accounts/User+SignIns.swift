public import EventModel

extension User {
    /// Notifies somebody each time that this user has signed in or out, for as long as what is returned lives.
    ///
    /// - Parameter notify: Is told whether the user is signed in, before the call that signs in or out returns.
    /// - Returns: What has to live for that.
    package func watchSignIns(_ notify: @escaping @Sendable (_ isSignedIn: Bool) -> Void) -> any AnyObject & Sendable {
        let watch = SignInWatch(of: id, in: book)
        watch.begin(notify)
        return watch
    }

    /// Writes a line to the logger of the app.
    package func log(_ level: SyncLogLevel, _ message: String) { book.logger(level, message) }

    /// The clock of the user's app, see ``AppConfiguration/clock``.
    public var clock: any EventClock { book.service.clock }

    /// Whether the realms of the user's app sync, see ``AppConfiguration/syncsRealms``.
    public var syncsRealms: Bool { book.syncsRealms }
}
