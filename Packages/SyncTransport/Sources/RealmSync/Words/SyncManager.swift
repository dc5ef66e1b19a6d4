import EventModel
public import SyncTransport
import Synchronization

/// The sync of an app: who is told of its errors.
public final class SyncManager: Sendable {
    /// Is told of an error and the session that met it, on any thread.
    public typealias ErrorHandler = @Sendable (any Error, SyncSession?) -> Void

    private struct State {
        var handler: ErrorHandler?
        var timeouts = SyncTimeoutOptions()
        var headers: [String: String] = [:]
    }

    private let state = Mutex(State())
    private static let all = Mutex<[String: SyncManager]>([:])

    private init() {}

    /// Who is told of errors; nobody by default, and then they are logged by the app's logger.
    public var errorHandler: ErrorHandler? {
        get { state.withLock(\.handler) }
        set { state.withLock { $0.handler = newValue } }
    }

    /// How long sync waits; counts for the realms that are opened afterwards.
    public var timeoutOptions: SyncTimeoutOptions {
        get { state.withLock(\.timeouts) }
        set { state.withLock { $0.timeouts = newValue } }
    }

    /// Headers that each request of sync has besides its own, for a proxy; none by default.
    ///
    /// They count from the next request on. A header that the protocol has itself stays as the protocol has it.
    public var customRequestHeaders: [String: String] {
        get { state.withLock(\.headers) }
        set { state.withLock { $0.headers = newValue } }
    }

    /// Tells the app's handler of an error, or the app's logger where it has none.
    func tell(_ error: SyncError, of session: SyncSession, _ user: User) {
        guard let handler = errorHandler else {
            return user.log(error.code == .writeRejected ? .warn : .error, "Sync of a realm: \(error.message)")
        }
        handler(error, session)
    }

    /// The manager of an app, by the folder of its files; there is one for each in a process.
    static func of(folder: String) -> SyncManager {
        all.withLock { all in
            if let known = all[folder] { return known }
            let made = SyncManager()
            all[folder] = made
            return made
        }
    }
}

extension App {
    /// The sync of the app's realms.
    public var syncManager: SyncManager { SyncManager.of(folder: directory) }
}

extension User {
    /// The sync of the realms of the user's app.
    public var syncManager: SyncManager { SyncManager.of(folder: appDirectory) }
}
