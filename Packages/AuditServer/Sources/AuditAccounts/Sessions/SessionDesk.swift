import AuditAdmission
package import AuditModel
package import EventModel

/// Begins, renews and ends the sessions of users, and tells everybody who has to know of it.
package struct SessionDesk: Sendable {
    package let accounts: any AccountStore
    package let checks: SessionChecks
    package let signIn: SignIn
    /// How many sessions one user may have.
    package let maximum: Int
    package let clock: any EventClock
    package let ids: any ObjectIdSource
    package let trail: any TrailRecording
    package let metrics: any ServerCounting

    package init(
        accounts: any AccountStore,
        checks: SessionChecks,
        signIn: SignIn,
        maximum: Int,
        clock: any EventClock,
        ids: any ObjectIdSource,
        trail: any TrailRecording,
        metrics: any ServerCounting
    ) {
        self.accounts = accounts
        self.checks = checks
        self.signIn = signIn
        self.maximum = maximum
        self.clock = clock
        self.ids = ids
        self.trail = trail
        self.metrics = metrics
    }

    /// Begins a session of a user who has just proven to be that user.
    ///
    /// - Throws: `AuditServerError.unauthorized(reason:)` when the password was changed or the user removed meanwhile.
    package func begin(_ proven: SignIn.Proven, from address: String) async throws -> UserSession {
        let session = UserSession(
            id: ids.next().stringValue,
            owner: proven.user,
            provider: proven.provider,
            at: clock.now().wall,
            from: NetworkName.of(address)
        )
        guard let ended = try await accounts.begin(session, provenBy: proven.password, maximum: maximum) else {
            throw AuditServerError.wrongCredentials("The password was changed or the user removed at this moment.")
        }
        checks.forget(ended)
        metrics.didEndSessions(ended.count, .tooMany)
        return session
    }

    /// Gives the holder of a refresh token the next generation of the session.
    ///
    /// - Throws: `AuditServerError.unauthorized(reason:)` when the session has ended, also by this very use of the token.
    package func renew(_ stamp: SessionStamp, of owner: EventOwner, from address: String) async throws -> UserSession {
        guard let kept = try await accounts.session(stamp.session), kept.owner == owner else {
            throw AuditServerError.endedSession
        }
        try signIn.checkKey(of: kept)
        guard
            let (session, renewal) = try await accounts.renew(
                stamp,
                at: clock.now().wall,
                from: NetworkName.of(address)
            )
        else {
            throw AuditServerError.endedSession
        }
        guard renewal != .reused else {
            checks.forget([session.id])
            metrics.didEndSessions(1, .reused)
            try await trail.record(
                "end session",
                about: Self.subject(session.id, owner),
                because: "A refresh token came again after its successor was used: somebody may have a copy of it.",
                by: .server
            )
            throw AuditServerError.unauthorized(
                reason: "it was used before, so that its session has ended; somebody has to sign in"
            )
        }
        return session
    }

    /// Ends one session.
    ///
    /// - Returns: Whether there was one.
    @discardableResult
    package func end(_ id: String, of owner: EventOwner, because end: SessionEnd) async throws -> Bool {
        guard try await accounts.endSession(id, of: owner) else { return false }
        checks.forget([id])
        metrics.didEndSessions(1, end)
        return true
    }

    /// Ends all sessions of a user.
    ///
    /// - Returns: How many there were.
    package func endAll(of owner: EventOwner, because end: SessionEnd) async throws -> Int {
        let count = try await accounts.endSessions(of: owner)
        checks.forgetAll(of: owner)
        metrics.didEndSessions(count, end)
        return count
    }

    /// Removes a user for good, whose sessions end with that.
    package func remove(_ owner: EventOwner) async throws {
        try await accounts.remove(owner)
        checks.forgetAll(of: owner)
    }

    /// Gives a user another password, with which all sessions end.
    ///
    /// - Throws: `AuditServerError.rejected(reason:)` when there is no such user or the password cannot be used.
    package func setPassword(_ password: String, of typed: String, app: String, from address: String) async throws {
        let owner = try await signIn.setPassword(password, of: typed, app: app, from: address)
        checks.forgetAll(of: owner)
    }

    /// What a record of the trail is about.
    package static func subject(_ session: String, _ owner: EventOwner) -> String {
        "\(owner.app) \(owner.user) \(session)"
    }
}

extension AuditServerError {
    /// What somebody gets whose session has ended.
    package static let endedSession = unauthorized(reason: "its session has ended, so that somebody has to sign in")
}
