extension User {
    /// Notifies somebody each time that this user has signed in, for as long as what is returned lives.
    package func watchSignIns(_ notify: @escaping @Sendable () -> Void) -> any Sendable & AnyObject {
        let watch = SignInWatch(of: id, in: book)
        watch.begin(notify)
        return watch
    }
}
