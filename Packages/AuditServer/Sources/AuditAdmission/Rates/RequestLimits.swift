package import AuditModel
package import EventModel
import Synchronization

/// Who does too much too quickly: requests, sign-ins and wrong passwords.
///
/// Addresses count by their network, see ``NetworkName``.
package final class RequestLimits: Sendable {
    /// An account that somebody tries passwords of; nobody is locked out by what others do elsewhere.
    private struct Account: Hashable {
        let app: String
        let name: String
        let address: String
    }

    private struct State {
        var requests: TokenBuckets<String>
        var signIns: TokenBuckets<String>
        var renewals: TokenBuckets<String>
        var passwords: TokenBuckets<Account>
        var unmaskings: TokenBuckets<String>
    }

    private let clock: any EventClock
    private let state: Mutex<State>

    /// Creates the counters.
    package init(_ limits: ServerLimits, clock: any EventClock) {
        self.clock = clock
        state = Mutex(
            State(
                requests: TokenBuckets(limits.requests),
                signIns: TokenBuckets(limits.signIns),
                renewals: TokenBuckets(limits.signIns),
                passwords: TokenBuckets(limits.wrongPasswords),
                unmaskings: TokenBuckets(limits.unmaskings)
            )
        )
    }

    /// Counts a request of a user, or of an address.
    ///
    /// - Throws: `AuditServerError.tooManyRequests(retryAfterSeconds:)`.
    package func countRequest(of client: String) throws(AuditServerError) {
        try check { state, now in state.requests.take(client, now: now) }
    }

    /// Counts a sign-in or a registration from an address.
    ///
    /// - Throws: `AuditServerError.tooManyRequests(retryAfterSeconds:)`.
    package func countSignIn(from address: String) throws(AuditServerError) {
        try check { state, now in state.signIns.take(NetworkName.of(address), now: now) }
    }

    /// Counts a use of the refresh token of a session.
    ///
    /// - Throws: `AuditServerError.tooManyRequests(retryAfterSeconds:)`.
    package func countRenewal(of session: String) throws(AuditServerError) {
        try check { state, now in state.renewals.take(session, now: now) }
    }

    /// Counts that masked values are shown to a reviewer.
    ///
    /// - Throws: `AuditServerError.tooManyRequests(retryAfterSeconds:)`.
    package func countUnmasking(of reviewer: String) throws(AuditServerError) {
        try check { state, now in state.unmaskings.take(reviewer, now: now) }
    }

    /// Reserves one of the attempts that an account has from an address, before the password is looked at.
    ///
    /// Counted only afterwards, all attempts that are made at once would be looked at.
    ///
    /// - Throws: `AuditServerError.tooManyRequests(retryAfterSeconds:)` when there is none.
    package func reservePassword(of name: String, app: String, from address: String) throws(AuditServerError) {
        let account = Account(app: app, name: name, address: NetworkName.of(address))
        try check { state, now in state.passwords.take(account, now: now) }
    }

    /// Gives an attempt back whose password was the right one, or was not looked at.
    package func returnPassword(of name: String, app: String, from address: String) {
        let now = clock.now().monotonicNanoseconds
        let account = Account(app: app, name: name, address: NetworkName.of(address))
        state.withLock { $0.passwords.giveBack(account, now: now) }
    }

    private func check(_ wait: (inout State, UInt64) -> Int?) throws(AuditServerError) {
        let now = clock.now().monotonicNanoseconds
        if let seconds = state.withLock({ wait(&$0, now) }) { throw .tooManyRequests(retryAfterSeconds: seconds) }
    }
}
