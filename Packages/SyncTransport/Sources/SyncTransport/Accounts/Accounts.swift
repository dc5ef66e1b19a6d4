/// Who is known to an app on this device, as it is stored.
struct Accounts: Sendable, Codable {
    /// One user.
    struct Account: Sendable, Codable {
        let userID: String
        let provider: String
        /// nil once the user has logged out.
        var session: Session?
    }

    /// The users, by id.
    var accounts: [String: Account] = [:]
    /// The user who logged in last and is still logged in.
    var currentUserID: String?

    /// The current user's account.
    var current: Account? {
        currentUserID.flatMap { accounts[$0] }
    }

    /// The session that a log-in with such credentials takes the place of, if it is of the same user.
    ///
    /// An anonymous log-in makes another user.
    func session(replacedBy credentials: Credentials) -> Session? {
        guard credentials != .anonymous else { return nil }
        let candidates = [current].compactMap(\.self) + accounts.values.sorted { $0.userID < $1.userID }
        return candidates.first { $0.provider == credentials.provider && $0.session != nil }?.session
    }

    mutating func logIn(_ answer: SessionAnswer, provider: String) {
        accounts[answer.userID] = Account(userID: answer.userID, provider: provider, session: answer.session)
        currentUserID = answer.userID
    }

    /// Takes over a renewed session; a user who logged out meanwhile stays logged out.
    mutating func renew(_ session: Session, of userID: String) {
        guard accounts[userID]?.session != nil else { return }
        accounts[userID]?.session = session
    }

    /// Forgets a user as a whole.
    mutating func remove(_ userID: String) {
        accounts[userID] = nil
        if currentUserID == userID { currentUserID = nil }
    }

    /// Forgets the tokens; a user whom nobody could be again is forgotten as a whole.
    mutating func logOut(_ userID: String) {
        if accounts[userID]?.provider == Credentials.anonymous.provider {
            accounts[userID] = nil
        } else {
            accounts[userID]?.session = nil
        }
        if currentUserID == userID { currentUserID = nil }
    }
}
