public import AuditModel
import EventModel

/// The contract of a store of sessions, checked against any implementation.
///
/// ```swift
/// let broken = try await SessionConformance { InMemoryAccountStore() }.violations()
/// #expect(broken == [])
/// ```
public struct SessionConformance: Sendable {
    private static let nurse = EventOwner(app: "ward", user: "nurse")
    private static let other = EventOwner(app: "lab", user: "nurse")

    private let make: @Sendable () async throws -> any AccountStore

    /// Creates a check.
    ///
    /// - Parameter make: Makes an empty store.
    public init(make: @escaping @Sendable () async throws -> any AccountStore) {
        self.make = make
    }

    /// Returns a sentence for each rule that the store breaks.
    ///
    /// - Throws: What the store throws where the contract says that it does not.
    public func violations() async throws -> [String] {
        try await keeping() + renewing() + ending() + bounding()
    }

    private static func instant(_ seconds: Int64) -> EventInstant {
        EventInstant(microseconds: 1_700_000_000_000_000 + seconds * 1_000_000)
    }

    private static func session(
        _ number: Int,
        of owner: EventOwner = Self.nurse,
        at seconds: Int64 = 0,
        lasting: Int64 = 1000,
        from address: String = "a"
    ) -> UserSession {
        UserSession(
            id: "0000000000000000000000\(number < 10 ? "0" : "")\(number)",
            owner: owner,
            provider: "api-key",
            at: instant(seconds),
            lasting: lasting,
            from: address
        )
    }

    private func keeping() async throws -> [String] {
        let rules = Rules()
        let store = try await make()
        let (first, second, foreign) = (Self.session(1), Self.session(2), Self.session(3, of: Self.other))
        rules.expect(try await store.session(first.id) == nil, "an empty store has no session")
        for session in [second, foreign, first] {
            rules.expect(try await store.begin(session, provenBy: nil, maximum: 9) == [], "a session begins")
        }
        rules.expect(try await store.session(first.id) == first, "a session comes back as it was")
        rules.expect(try await store.begin(Self.session(1, at: 9), provenBy: nil, maximum: 9) == [], "one begins once")
        rules.expect(try await store.session(first.id) == first, "a session that is known stays as it is")
        rules.expect(
            try await store.sessions(of: Self.nurse, after: nil, limit: 9) == [first, second],
            "the sessions of a user are listed by id, without those of others"
        )
        rules.expect(
            try await store.sessions(of: Self.nurse, after: first.id, limit: 1) == [second],
            "sessions are listed in pages"
        )
        rules.expect(try await store.removeSessions(expiredBy: Self.instant(999)) == 0, "none goes before its time")
        rules.expect(try await store.removeSessions(expiredBy: Self.instant(1000)) == 3, "those whose time is over go")
        rules.expect(try await store.session(first.id) == nil, "what has gone is not there")
        return rules.broken
    }

    private func renewing() async throws -> [String] {
        let rules = Rules()
        let store = try await make()
        let session = Self.session(1)
        func renew(_ generation: Int64, at seconds: Int64 = 1) async throws -> (UserSession, UserSession.Renewal)? {
            let stamp = SessionStamp(session: session.id, generation: generation)
            return try await store.renew(stamp, at: Self.instant(seconds), from: "b")
        }
        rules.expect(try await renew(1) == nil, "a session that never began is not renewed")
        _ = try await store.begin(session, provenBy: nil, maximum: 9)
        rules.expect(try await renew(1, at: 1000) == nil, "a session whose time is over is not renewed")
        let second = try await renew(1)
        rules.expect(second?.1 == .renewed && second?.0.generation == 2, "a refresh token gives the next generation")
        rules.expect(second?.0.address == "b" && second?.0.renewed == Self.instant(1), "place and time are kept")
        rules.expect(try await store.session(session.id) == second?.0, "a renewed session is kept as it was answered")
        let lost = try await renew(1)
        rules.expect(lost?.1 == .repeated && lost?.0.generation == 2, "a lost answer is given once more")
        try await store.confirm(SessionStamp(session: session.id, generation: 1))
        rules.expect(try await store.session(session.id)?.isConfirmed == false, "an older token confirms nothing")
        try await store.confirm(SessionStamp(session: session.id, generation: 2))
        rules.expect(try await store.session(session.id)?.isConfirmed == true, "the newest token is confirmed by use")
        let twin = try await renew(1, at: 61)
        rules.expect(
            twin?.1 == .repeated && twin?.0.generation == 2,
            "two programs of a device may renew in one minute"
        )
        rules.expect(twin?.0.renewed == Self.instant(1), "the minute is counted from the first answer")
        let copied = try await renew(1, at: 62)
        rules.expect(copied?.1 == .reused, "a token whose successor was used is known as a copy")
        rules.expect(try await store.session(session.id) == nil, "the session of a copied token ends")
        rules.expect(try await renew(2) == nil, "no token of a session that ended is renewed")
        return rules.broken
    }

    private func ending() async throws -> [String] {
        let rules = Rules()
        let store = try await make()
        let (old, new) = (try PasswordHash(of: "old password"), try PasswordHash(of: "new password"))
        let email = try EmailAddress("nurse@ward.example")
        _ = try await store.add(PasswordAccount(user: Self.nurse, email: email, hash: old))
        let foreign = Self.session(9, of: Self.other)
        _ = try await store.begin(foreign, provenBy: nil, maximum: 9)

        rules.expect(
            try await store.begin(Self.session(1), provenBy: new, maximum: 9) == nil,
            "a wrong password proves nothing"
        )
        for number in 1...3 { _ = try await store.begin(Self.session(number), provenBy: old, maximum: 9) }
        let first = Self.session(1).id
        rules.expect(try await !store.endSession(first, of: Self.other), "nobody ends a session of another user")
        rules.expect(try await store.endSession(first, of: Self.nurse), "a session is ended")
        rules.expect(try await !store.endSession(first, of: Self.nurse), "a session ends once")
        rules.expect(try await store.sessions(of: Self.nurse, after: nil, limit: 9).count == 2, "the others go on")
        rules.expect(try await store.setPassword(new, of: email, app: "ward") == Self.nurse, "a password is replaced")
        rules.expect(try await store.sessions(of: Self.nurse, after: nil, limit: 9) == [], "a new password ends all")
        rules.expect(
            try await store.begin(Self.session(4), provenBy: old, maximum: 9) == nil,
            "an old password proves nothing"
        )
        _ = try await store.begin(Self.session(4), provenBy: new, maximum: 9)
        rules.expect(try await store.endSessions(of: Self.nurse) == 1, "all sessions of a user are ended")
        rules.expect(try await store.endSessions(of: Self.nurse) == 0, "they are ended once")
        _ = try await store.begin(Self.session(5), provenBy: new, maximum: 9)
        try await store.remove(Self.nurse)
        rules.expect(try await store.session(Self.session(5).id) == nil, "the sessions of a removed user end")
        rules.expect(
            try await store.begin(Self.session(6), provenBy: nil, maximum: 9) == nil,
            "a removed user begins none"
        )
        rules.expect(try await store.session(foreign.id) == foreign, "the sessions of others go on")
        return rules.broken
    }

    private func bounding() async throws -> [String] {
        let rules = Rules()
        let store = try await make()
        let quiet = Self.session(1, from: "quiet")
        _ = try await store.begin(quiet, provenBy: nil, maximum: 3)
        for number in 2...3 {
            let session = Self.session(number, at: Int64(number), from: "busy")
            _ = try await store.begin(session, provenBy: nil, maximum: 3)
        }
        _ = try await store.renew(Self.session(2).stamp, at: Self.instant(9), from: "busy")
        let ended = try await store.begin(Self.session(4, at: 10, from: "busy"), provenBy: nil, maximum: 3)
        rules.expect(ended == [Self.session(3).id], "one too many ends the one that was not renewed for longest")
        let next = try await store.begin(Self.session(5, at: 11, from: "new"), provenBy: nil, maximum: 3)
        rules.expect(next == [Self.session(2).id], "it ends one of the address that has the most")
        let left = try await store.sessions(of: Self.nurse, after: nil, limit: 9).map(\.id)
        rules.expect(left == [1, 4, 5].map { Self.session($0).id }, "a session of a quiet place goes on")
        rules.expect(
            try await store.begin(Self.session(6, of: Self.other), provenBy: nil, maximum: 3) == [],
            "users do not count for each other"
        )
        return rules.broken
    }
}
