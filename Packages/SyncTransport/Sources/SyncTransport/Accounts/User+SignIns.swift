extension User {
    /// Notifies somebody each time that this user has signed in or out, for as long as what is returned lives.
    ///
    /// - Parameter notify: Is told whether the user is signed in, before the call that signs in or out returns.
    package func watchSignIns(_ notify: @escaping @Sendable (_ isSignedIn: Bool) -> Void) -> any AnyObject & Sendable {
        let watch = SignInWatch(of: id, in: book)
        watch.begin(notify)
        return watch
    }
}
