/// Where the accounts of an app, with their tokens, are kept between runs.
///
/// Safe to use from any thread; saves are in the order in which the closures are called.
protocol AccountVault: Sendable {
    /// Reads the accounts.
    ///
    /// - Returns: nil when none were kept yet.
    /// - Throws: ``SyncTransportError/accountsUnreadable(reason:)``.
    func load() throws(SyncTransportError) -> Accounts?

    /// Keeps what the closure returns, and returns when a crash cannot undo that.
    ///
    /// - Throws: ``SyncTransportError/accountsNotSaved(reason:)``; what was kept before is whole then.
    func save(_ accounts: () -> Accounts) throws(SyncTransportError)
}
