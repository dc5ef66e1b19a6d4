import EventModel
import Synchronization

/// Who does too much too quickly: requests, sign-ins and wrong passwords.
final class RequestLimits: Sendable {
    /// An account that somebody tries passwords of; nobody is locked out by what others do elsewhere.
    private struct Account: Hashable {
        let app: String
        let name: String
        let address: String
    }

    private struct State {
        var requests: TokenBuckets<String>
        var signIns: TokenBuckets<String>
        var wrongPasswords: TokenBuckets<Account>
        var unmaskings: TokenBuckets<String>
    }

    private let clock: any EventClock
    private let state: Mutex<State>

    /// Creates the counters.
    init(_ limits: ServerLimits, clock: any EventClock) {
        self.clock = clock
        state = Mutex(
            State(
                requests: TokenBuckets(limits.requests),
                signIns: TokenBuckets(limits.signIns),
                wrongPasswords: TokenBuckets(limits.wrongPasswords),
                unmaskings: TokenBuckets(limits.unmaskings)
            )
        )
    }

    /// Counts a request of a user, or of an address.
    ///
    /// - Throws: ``AuditServerError/tooManyRequests(retryAfterSeconds:)``.
    func countRequest(of client: String) throws(AuditServerError) {
        try check { state, now in state.requests.take(client, now: now) }
    }

    /// Counts a sign-in or a registration from an address.
    ///
    /// - Throws: ``AuditServerError/tooManyRequests(retryAfterSeconds:)``.
    func countSignIn(from address: String) throws(AuditServerError) {
        try check { state, now in state.signIns.take(address, now: now) }
    }

    /// Counts that masked values are shown to a reviewer.
    ///
    /// - Throws: ``AuditServerError/tooManyRequests(retryAfterSeconds:)``.
    func countUnmasking(of reviewer: String) throws(AuditServerError) {
        try check { state, now in state.unmaskings.take(reviewer, now: now) }
    }

    /// Refuses to look at a password of an account that too many wrong ones were tried of.
    ///
    /// - Throws: ``AuditServerError/tooManyRequests(retryAfterSeconds:)``.
    func checkPasswords(of name: String, app: String, from address: String) throws(AuditServerError) {
        let account = Account(app: app, name: name, address: address)
        try check { state, now in state.wrongPasswords.wait(account, now: now) }
    }

    /// Counts a wrong password.
    func countWrongPassword(of name: String, app: String, from address: String) {
        let now = clock.now().monotonicNanoseconds
        let account = Account(app: app, name: name, address: address)
        state.withLock { _ = $0.wrongPasswords.take(account, now: now) }
    }

    private func check(_ wait: (inout State, UInt64) -> Int?) throws(AuditServerError) {
        let now = clock.now().monotonicNanoseconds
        if let seconds = state.withLock({ wait(&$0, now) }) { throw .tooManyRequests(retryAfterSeconds: seconds) }
    }
}
