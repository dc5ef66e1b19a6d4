import HummingbirdCore
import Synchronization

/// An answer that a route promises for later, when something happens that may be a minute away.
///
/// ```
///  router ▶ middleware ▶ access ▶ route: promises, and returns   the stack of the request goes
///  connection ▶ late answer ▶ waits ▶ answers                    a few kilobytes for each that waits
/// ```
/// What a request needs on its way through router, middleware, access check and route took 21 KiB for as long as the route
/// waited: with ten thousand devices that wait for news some 200 MB.
final class LateAnswer: Sendable {
    /// Waits, and answers.
    typealias Wait = @Sendable () async throws -> Response

    private let promised = Mutex<Wait?>(nil)

    /// Promises an answer in place of the one that the route returns; a middleware may wrap what was promised.
    func promise(_ wait: @escaping Wait) { promised.withLock { $0 = wait } }

    /// Returns what was promised, which nobody else gets any more; nil when nothing was.
    func take() -> Wait? {
        promised.withLock { promised in
            defer { promised = nil }
            return promised
        }
    }
}
