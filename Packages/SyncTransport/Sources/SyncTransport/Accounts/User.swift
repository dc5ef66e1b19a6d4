public import EventModel

/// Whether a user can be acted for.
public enum UserState: Sendable, Hashable {
    /// The device holds tokens of the user.
    case loggedIn
    /// The user logged out and may log in again.
    case loggedOut
    /// The user is not known any more; an anonymous user who logs out is gone.
    case removed
}

/// A user of an app: a handle that is cheap to copy and always shows the current state.
///
/// Logging out does not strand events: their files stay and are uploaded when the same user logs in again.
public struct User: EventUser {
    /// The id that the server gave.
    public let id: String
    let book: AccountBook

    init(id: String, book: AccountBook) {
        self.id = id
        self.book = book
    }

    /// The id of the app that the user belongs to.
    public var appID: String { book.app }

    /// Whether the user can be acted for, now.
    public var state: UserState {
        guard let account = book.accounts.accounts[id] else { return .removed }
        return account.session == nil ? .loggedOut : .loggedIn
    }

    /// Whether the user is logged in, now.
    public var isLoggedIn: Bool { state == .loggedIn }

    /// Forgets the tokens, in memory and on the disk, and ends the session on the server; files of the user stay.
    ///
    /// The user is logged out here when the server is asked. It is given 5 seconds; one that cannot be reached is logged as
    /// a warning, and the session ends there 60 days after its last renewal, or when an administrator ends it.
    ///
    /// - Throws: ``SyncTransportError/accountsNotSaved(reason:)`` when the tokens could not be removed from the disk.
    public func logOut() async throws {
        try await OffActor.result { try await book.logOut(id) }.get()
    }
}

// MARK: - Session

extension User {
    /// Renews the user's tokens now; uploads do it by themselves when the server refuses one.
    ///
    /// Useful to find out, before it is needed, whether the user still has access.
    ///
    /// - Throws: ``SyncTransportError``: `notLoggedIn`; `refreshFailed` when the server refuses, which means that the user has
    ///   to log in again, or cannot be asked.
    public func refreshSession() async throws {
        try await OffActor.result { try await book.refresh(id) }.get()
    }
}

// MARK: - Removal

extension User {
    /// Forgets the user on this device, with the tokens; files of the user stay and wait for the same user.
    ///
    /// The session ends on the server as with ``logOut()``.
    ///
    /// - Throws: ``SyncTransportError/accountsNotSaved(reason:)`` when the tokens could not be removed from the disk.
    public func remove() async throws {
        try await OffActor.result { try await book.remove(id) }.get()
    }

    /// Removes the user on the server for good, and forgets the user on this device.
    ///
    /// The server refuses it for a user who is everybody with an API key; log out instead.
    ///
    /// Events that the server holds stay there. Events that still wait on this device stay here and are not uploaded any
    /// more, so wait for the uploads before.
    ///
    /// - Throws: ``SyncTransportError``: `deletionFailed` when the server refuses or cannot be asked, and nothing has changed
    ///   then; `accountsNotSaved` when the user is gone but the tokens could not be removed from the disk.
    public func delete() async throws {
        try await OffActor.result { try await book.delete(id) }.get()
    }
}

// MARK: - Files

extension User {
    /// The folder of this app's files of all its users: `<root>/mongodb-realm/<app id>`.
    public var appDirectory: String { book.folder.path }

    /// The folder of this user's realms: `<root>/mongodb-realm/<app id>/<user id>`.
    ///
    /// Ids may hold anything: bytes other than lower-case letters, digits, `-` and `_` appear as `%xx`.
    public var directory: String { book.folder.user(id) }

    /// Returns the path of the realm of a partition value: `<root>/mongodb-realm/<app id>/<user id>/<value>.realm`.
    ///
    /// Different values get different paths, also where file names ignore case, and no value leaves the folder. A long
    /// value becomes nested folders. Nothing is created.
    public func realmPath(partitionValue: some PartitionValue) -> String {
        book.folder.realm(user: id, partitionValue)
    }
}

// MARK: - Identity

extension User: Hashable {
    /// Users are equal when their ids and their apps' folders are.
    public static func == (left: User, right: User) -> Bool {
        left.id == right.id && left.book.folder.path == right.book.folder.path
    }

    /// Feeds the id to the hasher.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(id)
    }
}

extension User: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The app and the id.
    public var description: String { "User(\(id) of \(appID))" }

    /// The same as the description.
    public var debugDescription: String { description }

    /// A mirror without children, so that a dump shows no secret.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
