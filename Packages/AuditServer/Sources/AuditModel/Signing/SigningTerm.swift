public import EventModel
import Synchronization

/// For how long a server may sign with a key that others share and may replace: a while behind each look that found it to be present.
///
/// A key that takes the place of another one signs later than any term of that one ends, so no two of them ever sign at once, and a server
/// that cannot look any more stops by itself.
public final class SigningTerm: Sendable {
    /// How long the key signs behind a look.
    public static let length: Duration = .seconds(25)
    /// How old a key is at least that took the place of another one and signs: more than ``length``.
    public static let handover: Duration = .seconds(30)
    /// How long a server waits between two looks.
    public static let pause: Duration = .seconds(5)

    private struct State {
        /// When the last good look began, by the monotonic clock; nil before the first.
        var looked: UInt64?
        var isOver = false
    }

    private let publicKey: [UInt8]
    private let clock: any EventClock
    private let present: @Sendable () async throws -> [UInt8]
    private let state = Mutex(State())

    /// Names the key; it signs nothing before the first look.
    ///
    /// - Parameters:
    ///   - publicKey: The public half of the key.
    ///   - clock: The server's clock.
    ///   - present: Asks for the public half of the key that is present.
    public init(
        of publicKey: [UInt8],
        clock: any EventClock,
        present: @escaping @Sendable () async throws -> [UInt8]
    ) {
        self.publicKey = publicKey
        self.clock = clock
        self.present = present
    }

    /// Looks whether the key is present still, and lets it sign for another while.
    ///
    /// - Throws: `AuditServerError.unavailable(reason:)` when another one has taken its place, from then on and for good; what asking throws,
    ///   and the term is as long as it was.
    public func look() async throws {
        // The answer may be old when it arrives.
        let began = clock.now().monotonicNanoseconds
        let found = try await present()
        try state.withLock { state throws(AuditServerError) in
            guard found == publicKey, !state.isOver else {
                state.isOver = true
                throw Self.over
            }
            state.looked = max(state.looked ?? 0, began)
        }
    }

    /// Checks that the key may sign now.
    ///
    /// - Throws: `AuditServerError.unavailable(reason:)` with what to do, when it may not.
    public func check() throws(AuditServerError) {
        let now = clock.now().monotonicNanoseconds
        try state.withLock { state throws(AuditServerError) in
            if state.isOver { throw Self.over }
            guard let looked = state.looked,
                now < looked || Duration.nanoseconds(now - looked) < Self.length
            else {
                throw .unavailable(
                    reason: "the database does not say whether the key that servers share is present still"
                )
            }
        }
    }

    /// What an operator should do; nil as long as the key may sign.
    public var concern: String? {
        do throws(AuditServerError) {
            try check()
            return nil
        } catch {
            return "This server signs nothing: \(error)"
        }
    }

    private static let over = AuditServerError.unavailable(
        reason: "another server on the same database took other keys; restart this one, which then takes them as well"
    )
}
