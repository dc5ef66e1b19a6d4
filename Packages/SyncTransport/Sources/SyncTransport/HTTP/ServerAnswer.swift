import EventModel

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Turns answers of the server into values or transport errors.
enum ServerAnswer {
    private struct Problem: Decodable {
        let message: String
    }

    /// Decodes the JSON of a 200, and maps every other answer.
    ///
    /// - Throws: The error that the status stands for; `malformedAnswer` for a 200 with other contents.
    static func decode<Answer: Decodable>(
        _ type: Answer.Type,
        from response: HTTPResponse,
        now: EventInstant
    ) throws(TransportError) -> Answer {
        guard response.status == 200 else { throw error(response, now: now) }
        do {
            return try JSONDecoder().decode(type, from: Data(response.body))
        } catch {
            // The decoder's own error quotes the body.
            throw TransportError(.malformedAnswer, message: "The server's answer is not the expected JSON.")
        }
    }

    /// The error for a request that got no answer.
    static func unreachable(_ error: any Error) -> TransportError {
        if error is CancellationError {
            return TransportError(.unreachable, message: "The request was cancelled.")
        }
        return TransportError(.unreachable, message: "The server cannot be reached: \(error)")
    }

    /// The error for an answer that is not a 200.
    static func error(_ response: HTTPResponse, now: EventInstant) -> TransportError {
        let (code, sentence) = meaning(response.status)
        return TransportError(
            code,
            message: message(response) ?? sentence,
            retryAfter: response.headers["retry-after"].flatMap { RetryAfter.duration($0, now: now) }
        )
    }

    private static func meaning(_ status: Int) -> (TransportError.Code, String) {
        switch status {
        case 400: (.rejected, "The server refuses the request.")
        case 401: (.unauthorized, "The server does not accept the token.")
        case 403: (.forbidden, "The user may not do this.")
        case 408, 429, 500...599: (.unavailable, "The server cannot serve now, status \(status).")
        case 409: (.conflict, "The server holds other events at these sequences.")
        case 413: (.tooLarge, "The body is larger than the server takes.")
        case 422: (.invalidSchemaChange, "The server's collection does not take these events: invalid schema change.")
        default: (.malformedAnswer, "The server answered with status \(status), which the protocol does not know.")
        }
    }

    private static func message(_ response: HTTPResponse) -> String? {
        // A proxy's page is no problem description; the status then speaks for itself.
        guard let problem = try? JSONDecoder().decode(Problem.self, from: Data(response.body)),
            !problem.message.isEmpty
        else { return nil }
        return String(problem.message.prefix(300))
    }
}
