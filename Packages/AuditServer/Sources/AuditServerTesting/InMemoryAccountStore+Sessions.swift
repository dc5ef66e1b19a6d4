public import AuditModel
public import EventModel
import Synchronization

extension InMemoryAccountStore {
    /// Keeps a session that begins.
    public func begin(
        _ session: UserSession,
        provenBy password: PasswordHash?,
        maximum: Int
    ) async throws -> [String]? {
        state.withLock { state in
            guard !state.removed.contains(session.owner) else { return nil }
            if let password {
                guard state.accounts.values.contains(where: { $0.user == session.owner && $0.hash == password }) else {
                    return nil
                }
            }
            guard state.sessions[session.id] == nil else { return [] }
            let others = state.sessions.values.filter { $0.owner == session.owner }
            var ended: [String] = []
            if others.count >= maximum {
                let places = Dictionary(grouping: others, by: \.address)
                let most = places.values.map(\.count).max()
                let fullest = places.filter { $0.value.count == most }.min { $0.key < $1.key }?.value
                ended = fullest?.min { ($0.renewed, $0.id) < ($1.renewed, $1.id) }.map { [$0.id] } ?? []
            }
            for id in ended { state.sessions[id] = nil }
            state.sessions[session.id] = session
            return ended
        }
    }

    /// Returns a session that has not ended, or nil.
    public func session(_ id: String) async throws -> UserSession? {
        state.withLock { $0.sessions[id] }
    }

    /// Takes a refresh token.
    public func renew(
        _ stamp: SessionStamp,
        at now: EventInstant,
        from address: String
    ) async throws -> (UserSession, UserSession.Renewal)? {
        state.withLock { state in
            guard var session = state.sessions[stamp.session], session.expires > now else { return nil }
            let renewal = session.renew(stamp.generation, at: now, from: address)
            state.sessions[session.id] = renewal == .reused ? nil : session
            return (session, renewal)
        }
    }

    /// Learns that a token was used.
    public func confirm(_ stamp: SessionStamp) async throws {
        state.withLock { _ = $0.sessions[stamp.session]?.confirm(stamp.generation) }
    }

    /// Lists the sessions of a user by their ids.
    public func sessions(of user: EventOwner, after: String?, limit: Int) async throws -> [UserSession] {
        let all = state.withLock { $0.sessions.values.filter { $0.owner == user } }
        return Array(
            all.sorted { $0.id < $1.id }.drop { session in after.map { session.id <= $0 } ?? false }.prefix(limit)
        )
    }

    /// Ends a session of a user.
    public func endSession(_ id: String, of user: EventOwner) async throws -> Bool {
        state.withLock { state in
            guard state.sessions[id]?.owner == user else { return false }
            state.sessions[id] = nil
            return true
        }
    }

    /// Ends all sessions of a user.
    public func endSessions(of user: EventOwner) async throws -> Int {
        state.withLock { state in
            let before = state.sessions.count
            state.sessions = state.sessions.filter { $0.value.owner != user }
            return before - state.sessions.count
        }
    }

    /// Forgets the sessions whose time was over at a moment.
    public func removeSessions(expiredBy moment: EventInstant) async throws -> Int {
        state.withLock { state in
            let before = state.sessions.count
            state.sessions = state.sessions.filter { $0.value.expires > moment }
            return before - state.sessions.count
        }
    }
}
