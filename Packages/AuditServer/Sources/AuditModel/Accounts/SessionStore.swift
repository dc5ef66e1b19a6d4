public import EventModel

/// Keeps the sessions of users: one row for each sign-in that has not ended, and none of those that have.
///
/// Safe to call from any task. Whatever is thrown is an `AuditServerError`. `SessionConformance` in AuditServerTesting
/// checks a store against this contract.
public protocol SessionStore: Sendable {
    /// Keeps a session that begins.
    ///
    /// When the user has as many as there may be, one ends for it: of the address that has the most, the one that was not
    /// renewed for the longest time. Whoever signs in again and again from one place ends no session of another place.
    ///
    /// - Parameters:
    ///   - session: The session; one that is kept already stays as it is.
    ///   - password: The hash of the password that was proven, for a user with a password.
    ///   - maximum: How many sessions one user may have.
    /// - Returns: The sessions that ended for it; nil when the user was removed, or has another password by now, and nothing
    ///   is kept.
    /// - Throws: `unavailable` when the storage fails.
    func begin(_ session: UserSession, provenBy password: PasswordHash?, maximum: Int) async throws -> [String]?

    /// Returns a session that has not ended, or nil.
    func session(_ id: String) async throws -> UserSession?

    /// Takes a refresh token.
    ///
    /// - Parameters:
    ///   - stamp: What the token says.
    ///   - now: The server's clock.
    ///   - address: Where the request comes from.
    /// - Returns: The session as it is now and what came of it; nil when the session has ended. One whose token was used
    ///   twice has ended with the return.
    /// - Throws: `unavailable` when the storage fails.
    func renew(
        _ stamp: SessionStamp,
        at now: EventInstant,
        from address: String
    ) async throws -> (UserSession, UserSession.Renewal)?

    /// Learns that a token was used; does nothing when that is known, or the session has ended.
    ///
    /// Waits for no other machine: what is lost of it is that a copied token is found out a renewal later.
    func confirm(_ stamp: SessionStamp) async throws

    /// Lists the sessions of a user by their ids, which is by age.
    func sessions(of user: EventOwner, after: String?, limit: Int) async throws -> [UserSession]

    /// Ends a session of a user.
    ///
    /// - Returns: false when the user has no such session.
    func endSession(_ id: String, of user: EventOwner) async throws -> Bool

    /// Ends all sessions of a user.
    ///
    /// - Returns: How many there were.
    func endSessions(of user: EventOwner) async throws -> Int

    /// Forgets the sessions whose time was over at a moment.
    ///
    /// - Returns: How many there were.
    func removeSessions(expiredBy moment: EventInstant) async throws -> Int
}
