import AuditModel
import EventModel
import HTTPTypes
import Hummingbird
import Logging
import NIOCore
import NIOHTTP1

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Turns what the routes throw into answers, and notes each request without anybody's data.
struct AnswerMiddleware: RouterMiddleware {
    /// How long a client is asked to wait when the server is unavailable, in seconds.
    static let retryAfterSeconds = 5

    let clock: any EventClock
    let metrics: ServerMetrics

    @concurrent
    func handle(
        _ request: Request,
        context: AuditRequestContext,
        next: @concurrent (Request, AuditRequestContext) async throws -> Response
    ) async throws -> Response {
        let start = clock.now().monotonicNanoseconds
        let outcome = await Self.outcome(of: { try await next(request, context) })
        guard let late = context.late.take(), case .success = outcome else {
            return try finish(outcome, request.method, context, since: start)
        }
        context.late.promise { [method = request.method] in
            try finish(await Self.outcome(of: late), method, context, since: start)
        }
        return try outcome.get()
    }

    private static func outcome(of work: () async throws -> Response) async -> Result<Response, any Error> {
        do {
            return .success(try await work())
        } catch {
            return .failure(error)
        }
    }

    /// Makes the answer of what came of a request, and notes it.
    private func finish(
        _ result: Result<Response, any Error>,
        _ method: HTTPRequest.Method,
        _ context: AuditRequestContext,
        since start: UInt64
    ) throws -> Response {
        var response: Response
        switch result {
        case .success(let answer): response = answer
        case .failure(let error): response = try refuse(error, context)
        }
        Self.guardFromCaches(&response)
        let nanoseconds = clock.now().monotonicNanoseconds - start
        // The path itself names partitions, so only the route's pattern is noted.
        let route = context.endpointPath ?? "none"
        metrics.didAnswer(
            .init(method: Self.known(method), route: route, status: response.status.code),
            seconds: Double(nanoseconds) / 1_000_000_000
        )
        context.logger.info(
            "answered",
            metadata: [
                "method": "\(method)",
                "route": "\(route)",
                "status": "\(response.status.code)",
                "microseconds": "\(nanoseconds / 1000)",
            ]
        )
        return response
    }

    /// Answers to an error, and counts it.
    private func refuse(_ error: any Error, _ context: AuditRequestContext) throws -> Response {
        if let refusal = RealmRefusal(error) {
            metrics.didRefuseRequest(refusal.code)
            return try refusal.response()
        }
        let error = Self.named(error, context.logger)
        let response = try Self.answer(to: error)
        metrics.didRefuseRequest(error.code.description)
        switch error {
        case .slowBody, .refused(.slowBody, _):
            metrics.didRefuse(.slowBody)
            // What is left of a slow body would be waited for, as slowly, before the connection's next request.
            return Self.closing(context.channel, after: response)
        case .refused(let refusal, _): metrics.didRefuse(refusal)
        default: break
        }
        return response
    }

    /// The name of a method of ours; anybody may send any other text.
    private static func known(_ method: HTTPRequest.Method) -> String {
        [.get, .post, .put, .delete].contains(method) ? method.rawValue : "other"
    }

    /// Gives every error a name of ours; what is not expected is logged by its type alone.
    private static func named(_ error: any Error, _ logger: Logger) -> AuditServerError {
        switch error {
        case let error as AuditServerError:
            return error
        case let error as any HTTPResponseError where error.status == .notFound:
            return .notFound
        case let error as any HTTPResponseError where error.status == .contentTooLarge:
            return .tooLarge(limit: EventUpload.maximumBytes)
        case let error as any HTTPResponseError where error.status.code < 500:
            return .rejected(reason: "it answers to \(error.status)")
        case is HTTPParserError, is IOError, is ChannelError:
            // The client went away in the middle of its request, or speaks something else.
            return .rejected(reason: "the request ends before its end")
        case is CancellationError:
            return .unavailable(reason: "the request was cancelled")
        default:
            logger.error("a request failed", metadata: ["error.type": "\(type(of: error))"])
            return .unavailable(reason: "an unexpected error was logged")
        }
    }

    /// Lets nobody keep an answer, or take it for something else than it says, unless its route says otherwise.
    private static func guardFromCaches(_ response: inout Response) {
        if response.headers[.cacheControl] == nil { response.headers[.cacheControl] = "no-store" }
        response.headers[.xContentTypeOptions] = "nosniff"
    }

    /// Closes the connection once an answer is written.
    private static func closing(_ channel: any Channel, after response: Response) -> Response {
        var closing = response
        closing.headers[.connection] = "close"
        let body = response.body
        closing.body = ResponseBody(contentLength: body.contentLength) { writer in
            try await body.write(writer)
            channel.close(promise: nil)
        }
        return closing
    }

    private struct Body: Encodable {
        let code: String
        let message: String
    }

    private static func answer(to error: AuditServerError) throws -> Response {
        let body = Body(code: error.code.description, message: error.description)
        // In one order, so that equal refusals are equal in each byte.
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        var headers: HTTPFields = [.contentType: "application/json; charset=utf-8"]
        switch error {
        case .tooManyRequests(let seconds), .refused(_, let seconds?): headers[.retryAfter] = "\(seconds)"
        case _ where error.status == .serviceUnavailable: headers[.retryAfter] = "\(retryAfterSeconds)"
        default: break
        }
        if error.status == .unauthorized { headers[.wwwAuthenticate] = "Bearer" }
        return Response(
            status: error.status,
            headers: headers,
            body: ResponseBody(byteBuffer: ByteBuffer(bytes: try encoder.encode(body)))
        )
    }
}

extension AuditServerError {
    /// The status that the answer carries.
    var status: HTTPResponse.Status {
        switch self {
        case .unauthorized, .wrongCredentials: .unauthorized
        case .forbidden: .forbidden
        case .conflict: .conflict
        case .invalidSchemaChange: .unprocessableContent
        case .tooLarge: .contentTooLarge
        case .slowBody: .requestTimeout
        case .headTooLarge: .requestHeaderFieldsTooLarge
        case .rejected: .badRequest
        case .refused(.slowBody, _): .requestTimeout
        case .refused(let refusal, let seconds): refusal.code.status(isTooMuch: seconds != nil)
        case .notFound, .missing: .notFound
        case .nameInUse, .kept: .conflict
        case .tooManyRequests: .tooManyRequests
        case .unavailable, .inaccessible, .cannotListen: .serviceUnavailable
        }
    }
}

extension TransportError.Code {
    /// The status of an answer with the code; of one that is unavailable it says whether the same request works later.
    fileprivate func status(isTooMuch: Bool) -> HTTPResponse.Status {
        switch self {
        case .unauthorized: .unauthorized
        case .forbidden: .forbidden
        case .conflict: .conflict
        case .invalidSchemaChange: .unprocessableContent
        case .tooLarge: .contentTooLarge
        case .unavailable: isTooMuch ? .tooManyRequests : .serviceUnavailable
        default: .badRequest
        }
    }
}
