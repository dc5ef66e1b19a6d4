import AuditModel
import EventModel
import HTTPTypes
import Hummingbird

/// Bounds what a request may cost before any route looks at it: its head, and the time that its body takes.
///
/// A connection that says nothing is closed elsewhere; here it is one that goes on talking, slowly.
struct RequestBoundsMiddleware: RouterMiddleware {
    /// How many headers a request may have.
    static let maximumHeaders = 100
    /// How many bytes path, query and headers may have together.
    static let maximumHeadBytes = 32_768

    let bodySeconds: Int
    let clock: any EventClock
    let slow: SlowBodies

    @concurrent
    func handle(
        _ request: Request,
        context: AuditRequestContext,
        next: @concurrent (Request, AuditRequestContext) async throws -> Response
    ) async throws -> Response {
        let bytes = request.headers.reduce(request.uri.string.utf8.count) {
            $0 + $1.name.rawName.utf8.count + $1.value.utf8.count
        }
        guard request.headers.count <= Self.maximumHeaders, bytes <= Self.maximumHeadBytes else {
            throw AuditServerError.headTooLarge
        }
        var request = request
        request.body = RequestBody(
            asyncSequence: TimedBody(body: request.body, seconds: bodySeconds, clock: clock) { [slow] in
                slow.contains(context.channel)
            }
        )
        return try await next(request, context)
    }
}

/// A body whose reading fails once it takes too long as a whole.
///
/// The time is looked at with each part that arrives, so a body costs no timer; how slowly it may come is bounded by
/// ``BodyPacer``, which ends it.
struct TimedBody: AsyncSequence, Sendable {
    typealias Element = ByteBuffer

    let body: RequestBody
    let seconds: Int
    let clock: any EventClock
    /// Whether the body ended because it came too slowly.
    var isTooSlow: @Sendable () -> Bool = { false }

    struct AsyncIterator: AsyncIteratorProtocol {
        var parts: RequestBody.AsyncIterator
        let seconds: Int
        let clock: any EventClock
        let isTooSlow: @Sendable () -> Bool
        /// When the body has to be there: so long after its first part was asked for.
        var deadline: UInt64?

        @concurrent
        mutating func next() async throws -> ByteBuffer? {
            let now = clock.now().monotonicNanoseconds
            let deadline = deadline ?? now + UInt64(seconds) * 1_000_000_000
            self.deadline = deadline
            let part = try await parts.next()
            if part == nil, isTooSlow() { throw AuditServerError.refused(.slowBody) }
            guard part == nil || clock.now().monotonicNanoseconds <= deadline else {
                throw AuditServerError.slowBody(seconds: seconds)
            }
            return part
        }
    }

    func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(parts: body.makeAsyncIterator(), seconds: seconds, clock: clock, isTooSlow: isTooSlow)
    }
}
