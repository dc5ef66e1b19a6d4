/// Registers users of an app with e-mail addresses and passwords.
///
/// ```swift
/// try await app.emailPasswordAuth.registerUser(email: "nurse@ward.example", password: password)
/// let user = try await app.login(credentials: .emailPassword(email: "nurse@ward.example", password: password))
/// ```
public struct EmailPasswordAuth: Sendable {
    let book: AccountBook

    /// Registers a user, who is not logged in by that.
    ///
    /// Cancelling the task cancels the request; the server may still have registered the user.
    ///
    /// - Parameters:
    ///   - email: The address; letters of either case are the same.
    ///   - password: The password; the server says what it asks of one.
    /// - Throws: ``SyncTransportError``: `invalidBaseURL`; `registrationFailed` when the address has a user already, when the
    ///   app does not let anybody register, or when the server cannot be asked.
    public func registerUser(email: String, password: String) async throws {
        try await OffActor.result { try await book.register(email: email, password: password) }.get()
    }
}
