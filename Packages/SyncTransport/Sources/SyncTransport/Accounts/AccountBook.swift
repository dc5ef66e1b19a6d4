import EventModel
import Synchronization

/// Keeps the accounts of one app in memory and in its file, and renews sessions one request at a time.
final class AccountBook: Sendable {
    /// What became of a refresh that others waited for.
    private enum Renewal {
        case done(Secret)
        case failed(TransportError)
        /// The task that asked was cancelled; a waiter has to ask again.
        case abandoned
    }

    private struct State {
        var accounts: Accounts
        /// The users whose session is being renewed, with those who wait for it.
        var renewing: [String: [CheckedContinuation<Renewal, Never>]] = [:]
        /// New sessions of which no token was used yet, because they are not on the disk.
        var arriving: [String: Session] = [:]
        /// Whether the disk has older sessions than the memory.
        var isUnsaved = false

        /// What belongs on the disk.
        var stored: Accounts {
            var stored = accounts
            for (user, session) in arriving { stored.renew(session, of: user) }
            return stored
        }
    }

    let app: String
    let folder: AppFolder
    let service: AccountService
    let receipts: ReceiptBook
    private let baseURL: String
    private let vault: any AccountVault
    let syncsRealms: Bool
    let logger: @Sendable (SyncLogLevel, String) -> Void
    private let state: Mutex<State>
    let signIns = SignInWatchers()

    /// Reads the stored accounts; when that fails it is logged, and nobody is logged in.
    init(
        app: String,
        baseURL: String,
        folder: AppFolder,
        vault: any AccountVault,
        service: AccountService,
        receipts: ReceiptBook,
        syncsRealms: Bool = false,
        logger: @escaping @Sendable (SyncLogLevel, String) -> Void
    ) {
        self.app = app
        self.baseURL = baseURL
        self.folder = folder
        self.service = service
        self.receipts = receipts
        self.syncsRealms = syncsRealms
        self.logger = logger
        self.vault = vault
        do {
            state = Mutex(State(accounts: try vault.load() ?? Accounts()))
        } catch {
            state = Mutex(State(accounts: Accounts()))
            logger(.error, "\(error)")
        }
    }

    var accounts: Accounts { state.withLock(\.accounts) }

    func address() throws(SyncTransportError) -> ServerAddress { try ServerAddress(baseURL) }

    // MARK: - Log in and out

    /// Logs in and saves the account.
    ///
    /// - Returns: The id of the user.
    func logIn(_ credentials: Credentials) async throws(SyncTransportError) -> String {
        if credentials == .anonymous, let current = accounts.current, current.provider == credentials.provider,
            current.session != nil
        {
            return current.userID
        }
        let address = try address()
        let answer: SessionAnswer
        do {
            let former = accounts.session(replacedBy: credentials)
            answer = try await service.login(app: app, at: address, credentials, replacing: former?.refreshToken)
        } catch {
            throw .loginFailed(error)
        }
        state.withLock { $0.accounts.logIn(answer, provider: credentials.provider) }
        // Before the accounts are saved: the user is signed in, whether or not that outlives the process.
        signIns.notify(answer.userID, isSignedIn: true)
        try save()
        return answer.userID
    }

    /// Makes a user who is logged in the current one.
    func makeCurrent(_ user: String) throws(SyncTransportError) {
        let isLoggedIn = state.withLock { state in
            guard state.accounts.accounts[user]?.session != nil else { return false }
            state.accounts.currentUserID = user
            return true
        }
        guard isLoggedIn else { throw .notLoggedIn(user: user) }
        try save()
    }

    /// Renews the session, even if the present token is still good.
    func refresh(_ user: String) async throws(SyncTransportError) {
        let present = state.withLock { $0.accounts.accounts[user]?.session?.accessToken }
        guard let present else { throw .notLoggedIn(user: user) }
        do {
            _ = try await accessToken(of: user, refused: present)
        } catch {
            throw .refreshFailed(error)
        }
    }

    /// Forgets a user's tokens here, and then ends the session on the server, if that can be asked.
    func logOut(_ user: String) async throws(SyncTransportError) {
        try await leave(user) { $0.logOut(user) }
    }

    /// Registers a user, who is not logged in by that.
    func register(email: String, password: String) async throws(SyncTransportError) {
        let address = try address()
        do {
            try await service.register(app: app, at: address, email: email, password: password)
        } catch {
            throw .registrationFailed(error)
        }
    }

    /// Forgets a user on this device, and ends the session as ``logOut(_:)`` does; the user may log in again.
    func remove(_ user: String) async throws(SyncTransportError) {
        try await leave(user) { $0.remove(user) }
    }

    private func leave(_ user: String, _ change: (inout Accounts) -> Void) async throws(SyncTransportError) {
        let session = state.withLock { state in
            let session = state.accounts.accounts[user]?.session
            change(&state.accounts)
            return session
        }
        signIns.notify(user, isSignedIn: false)
        let saving = Result { () throws(SyncTransportError) in try save() }
        if let session { await end(session) }
        try saving.get()
    }

    private func end(_ session: Session) async {
        do throws(TransportError) {
            try await service.end(at: checkedAddress(), session.refreshToken)
        } catch {
            logger(.warn, "A session could not be ended on the server, and ends there by itself later: \(error)")
        }
    }

    /// Removes a user on the server, and then on this device.
    func delete(_ user: String) async throws(SyncTransportError) {
        let address = try address()
        do {
            let token = try await accessToken(of: user, refused: nil)
            do throws(TransportError) {
                try await service.remove(at: address, token)
            } catch  where error.code == .unauthorized {
                try await service.remove(at: address, accessToken(of: user, refused: token))
            }
        } catch {
            throw .deletionFailed(error)
        }
        // Its sessions ended with the user.
        state.withLock { $0.accounts.remove(user) }
        signIns.notify(user, isSignedIn: false)
        try save()
    }

    // MARK: - The disk

    private func save() throws(SyncTransportError) {
        do {
            try vault.save { state.withLock(\.stored) }
            state.withLock { $0.isUnsaved = false }
        } catch {
            state.withLock { $0.isUnsaved = true }
            throw error
        }
    }

    /// Tries again to save what could not be saved before; uploads may have made room.
    private func saveAgain() {
        guard state.withLock(\.isUnsaved) else { return }
        // What is wrong was logged the first time.
        try? save()
    }

    // MARK: - Tokens

    /// Gives a token to send, after renewing the session when the server refused the one that is known.
    ///
    /// However many tasks ask at once, one refresh request is under way for a user. A task that waits for another's
    /// request goes on waiting when it is cancelled; the client's timeout bounds that.
    ///
    /// - Parameters:
    ///   - user: The id of the user.
    ///   - refused: The token that the server refused, or nil.
    /// - Returns: The token.
    /// - Throws: `unauthorized` when the user is logged out or the refresh was refused, else what the request met.
    func accessToken(of user: String, refused: Secret?) async throws(TransportError) -> Secret {
        saveAgain()
        while true {
            switch claim(user, refused: refused) {
            case .known(let token):
                return token
            case .loggedOut:
                throw TransportError(.unauthorized, message: "The user is not logged in.")
            case .busy:
                switch await waitForRenewal(of: user) {
                case .done(let token): return token
                case .failed(let error): throw error
                case .abandoned: continue
                }
            case .claimed(let refreshToken):
                return try await renew(user, refreshToken)
            }
        }
    }

    private enum Claim {
        case known(Secret)
        case loggedOut
        case busy
        case claimed(Secret)
    }

    private func claim(_ user: String, refused: Secret?) -> Claim {
        state.withLock { state in
            guard let session = state.accounts.accounts[user]?.session else { return .loggedOut }
            guard session.accessToken == refused else { return .known(session.accessToken) }
            guard state.renewing[user] == nil else { return .busy }
            state.renewing[user] = []
            return .claimed(session.refreshToken)
        }
    }

    private func waitForRenewal(of user: String) async -> Renewal {
        await withCheckedContinuation { continuation in
            let isOver = state.withLock { state in
                guard state.renewing[user] != nil else { return true }
                state.renewing[user]?.append(continuation)
                return false
            }
            if isOver { continuation.resume(returning: .abandoned) }
        }
    }

    /// Has the server renew a session, and keeps the new one before any of its tokens is used.
    ///
    /// Once one was, the server takes whoever brings the refresh token before it for a thief: it must not be the one that is
    /// on the disk when the process dies.
    private func renew(_ user: String, _ refreshToken: Secret) async throws(TransportError) -> Secret {
        let answer: SessionAnswer
        do throws(TransportError) {
            answer = try await service.refresh(at: checkedAddress(), newest(refreshToken, of: user))
            guard answer.userID == user else {
                throw TransportError(.malformedAnswer, message: "The server's answer is for another user.")
            }
        } catch {
            // A 403 for the refresh token says the same as a 401: this session is over.
            let failure =
                error.code == .forbidden ? TransportError(.unauthorized, message: error.message) : error
            finishRenewal(of: user, session: nil, Task.isCancelled ? .abandoned : .failed(failure))
            throw failure
        }
        state.withLock { $0.arriving[user] = answer.session }
        do {
            try save()
        } catch {
            logger(.error, "\(error)")
        }
        finishRenewal(of: user, session: answer.session, .done(answer.accessToken))
        return answer.accessToken
    }

    /// The refresh token to use: another program of this device may have renewed the session since it was read here.
    private func newest(_ known: Secret, of user: String) -> Secret {
        // What could not be saved is newer than the disk.
        guard !state.withLock(\.isUnsaved) else { return known }
        do {
            return try vault.load()?.accounts[user]?.session?.refreshToken ?? known
        } catch {
            logger(.warn, "\(error)")
            return known
        }
    }

    private func checkedAddress() throws(TransportError) -> ServerAddress {
        do {
            return try address()
        } catch {
            throw TransportError(.unreachable, message: "\(error)")
        }
    }

    private func finishRenewal(of user: String, session: Session?, _ renewal: Renewal) {
        let waiting = state.withLock { state in
            // A user who logged out meanwhile stays logged out.
            state.arriving[user] = nil
            if let session { state.accounts.renew(session, of: user) }
            return state.renewing.removeValue(forKey: user) ?? []
        }
        for continuation in waiting { continuation.resume(returning: renewal) }
    }
}
