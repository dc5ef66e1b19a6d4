public import EventModel
import Synchronization

/// The use of a session by one instance of its file, which ends when it is let go.
public final class SessionUse: Sendable {
    /// The session.
    public let session: SyncSession
    private let leave: @Sendable (SyncSession) -> Void

    init(_ session: SyncSession, leave: @escaping @Sendable (SyncSession) -> Void) {
        self.session = session
        self.leave = leave
    }

    deinit { leave(session) }
}

/// The sessions of a process, one for each file that syncs and is open.
///
/// A session stays after the last use of its file until what was committed is on the server: whoever closes a realm has not thought of
/// the network. Whoever opens the file meanwhile gets the same one.
public final class OpenSessions: Sendable {
    private struct Known {
        let session: SyncSession
        /// How many instances use it.
        var uses: Int
    }

    private let known = Mutex<[ExactText: Known]>([:])

    /// Creates a room without sessions.
    public init() {}

    /// Returns a use of the session of a file.
    ///
    /// A session that nobody uses any more and that is not active gives way to a new one.
    ///
    /// - Parameters:
    ///   - path: The path of the file.
    ///   - make: Makes a session, which is resumed here; called by the first one alone, while others wait.
    /// - Returns: The use.
    /// - Throws: What `make` throws.
    public func session(at path: ExactText, making make: () throws -> SyncSession) throws -> SessionUse {
        // Dropped behind the lock: its file is closed with it.
        let (session, isNew, former) = try known.withLock { known in
            if let open = known[path], open.uses > 0 || open.session.state == .active {
                known[path]?.uses += 1
                return (open.session, false, nil as SyncSession?)
            }
            let former = known[path]?.session
            former?.close()
            let session = try make()
            known[path] = Known(session: session, uses: 1)
            return (session, true, former)
        }
        withExtendedLifetime(former) {}
        if isNew { session.resume() }
        return SessionUse(session) { [weak self] session in self?.leave(session, path) }
    }

    /// Ends a use of a session, and with the last one the session, when what was committed is on the server.
    private func leave(_ session: SyncSession, _ path: ExactText) {
        let isUnused = known.withLock { known in
            guard known[path]?.session === session else { return false }
            known[path]?.uses -= 1
            return known[path]?.uses == 0
        }
        guard isUnused else { return }
        Task { [weak self] in
            // One that was suspended, closed or has failed has said so: what is pending is sent when the file is opened again.
            _ = await session.uploaded()
            self?.end(session, path)
        }
    }

    private func end(_ session: SyncSession, _ path: ExactText) {
        let isOver = known.withLock { known in
            guard let open = known[path], open.session === session, open.uses == 0 else { return false }
            known[path] = nil
            return true
        }
        if isOver { session.close() }
    }

    /// How many sessions there are.
    public var count: Int { known.withLock(\.count) }
}
