public import EventModel

/// An app on a server: where users log in.
///
/// Who is logged in is kept in memory and in `<root>/mongodb-realm/<app id>/accounts.json`, which its owner alone can
/// read, or in the key chain, so the same user is back after a restart. Safe to use from any thread.
///
/// ```swift
/// let app = App(id: "ward", configuration: AppConfiguration(baseURL: "https://audit.example.org"))
/// let user = try await app.login(credentials: .anonymous)
/// ```
public final class App: Sendable {
    /// The id of the app on its server.
    public let id: String
    /// Where its server and its files are.
    public let configuration: AppConfiguration
    let book: AccountBook

    /// Creates an app and reads who is logged in; a file that cannot be read is logged and set aside.
    public init(id: String, configuration: AppConfiguration) {
        self.id = id
        self.configuration = configuration
        let folder = AppFolder(root: configuration.rootDirectory, app: id)
        book = AccountBook(
            app: id,
            baseURL: configuration.baseURL,
            folder: folder,
            vault: configuration.credentialStorage.vault(of: id, in: folder),
            service: AccountService(client: configuration.client, clock: configuration.clock),
            receipts: ReceiptBook(
                app: id,
                folder: folder,
                configured: configuration.serverKey,
                logPolicy: configuration.logPolicy,
                logger: configuration.logger
            ),
            syncsRealms: configuration.syncsRealms,
            logger: configuration.logger
        )
    }

    /// Logs a user in, who is the current user from then on.
    ///
    /// An anonymous log-in returns the current user when that user is anonymous and still logged in, without asking the
    /// server. Cancelling the task cancels the request.
    ///
    /// - Throws: ``SyncTransportError``: `invalidBaseURL`; `loginFailed` when the server refuses or cannot be asked;
    ///   `accountsNotSaved` when the user is logged in but will not be after a restart.
    public func login(credentials: Credentials) async throws -> User {
        User(id: try await OffActor.result { try await book.logIn(credentials) }.get(), book: book)
    }

    /// Makes a user who is logged in the current one.
    ///
    /// - Returns: The user.
    /// - Throws: ``SyncTransportError``: `notLoggedIn` when the user is not, or belongs to another app; `accountsNotSaved` when
    ///   another user is current after a restart.
    @discardableResult
    public func `switch`(to user: User) throws -> User {
        guard user.book.folder.path == book.folder.path else { throw SyncTransportError.notLoggedIn(user: user.id) }
        try book.makeCurrent(user.id)
        return User(id: user.id, book: book)
    }

    /// The folder of the app's files.
    package var directory: String { book.folder.path }

    /// Where users with e-mail addresses and passwords register.
    public var emailPasswordAuth: EmailPasswordAuth { EmailPasswordAuth(book: book) }

    /// The user who logged in last and is still logged in, or nil.
    public var currentUser: User? {
        book.accounts.currentUserID.map { User(id: $0, book: book) }
    }

    /// The users whom this device knows, by id, also those who logged out.
    public var allUsers: [String: User] {
        book.accounts.accounts.mapValues { User(id: $0.userID, book: book) }
    }

    /// What the server signed for each partition that it took as a whole, the oldest first: proof for whoever doubts it.
    ///
    /// Kept in `receipts.jsonl` beside the accounts, also after the partition was deleted here. Bounded: beyond 4 MiB, some
    /// 8,000 receipts, the file becomes `receipts.jsonl.earlier` and replaces the one before it.
    ///
    /// - Throws: ``SyncTransportError/receiptsUnreadable(reason:)``.
    /// - Complexity: O(*n*) in their number; reads the file.
    public func receipts() throws(SyncTransportError) -> [StorageReceipt] { try book.receipts.receipts() }
}
