import EventModel
import HTTPTypes
import Hummingbird
import Logging

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

    @concurrent
    func handle(
        _ request: Request,
        context: AuditRequestContext,
        next: @concurrent (Request, AuditRequestContext) async throws -> Response
    ) async throws -> Response {
        let start = clock.now().monotonicNanoseconds
        let response: Response
        do {
            response = try await next(request, context)
        } catch {
            response = try Self.answer(to: Self.named(error, context.logger))
        }
        // The path itself names partitions, so only the route's pattern is noted.
        context.logger.info(
            "answered",
            metadata: [
                "method": "\(request.method)",
                "route": "\(context.endpointPath ?? "none")",
                "status": "\(response.status.code)",
                "microseconds": "\((clock.now().monotonicNanoseconds - start) / 1000)",
            ]
        )
        return response
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
        case is CancellationError:
            return .unavailable(reason: "the request was cancelled")
        default:
            logger.error("a request failed", metadata: ["error.type": "\(type(of: error))"])
            return .unavailable(reason: "an unexpected error was logged")
        }
    }

    private struct Body: Encodable {
        let code: String
        let message: String
    }

    private static func answer(to error: AuditServerError) throws -> Response {
        let body = Body(code: error.code.description, message: error.description)
        var headers: HTTPFields = [.contentType: "application/json; charset=utf-8"]
        if error.status == .serviceUnavailable { headers[.retryAfter] = "\(retryAfterSeconds)" }
        if error.status == .unauthorized { headers[.wwwAuthenticate] = "Bearer" }
        return Response(
            status: error.status,
            headers: headers,
            body: ResponseBody(byteBuffer: ByteBuffer(bytes: try JSONEncoder().encode(body)))
        )
    }
}

extension AuditServerError {
    /// The status that the answer carries.
    var status: HTTPResponse.Status {
        switch self {
        case .unauthorized: .unauthorized
        case .forbidden: .forbidden
        case .conflict: .conflict
        case .invalidSchemaChange: .unprocessableContent
        case .tooLarge: .contentTooLarge
        case .rejected: .badRequest
        case .notFound: .notFound
        case .unavailable, .inaccessible, .cannotListen: .serviceUnavailable
        }
    }
}
