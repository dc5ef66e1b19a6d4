import EventModel

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Turns answers of the server into values or transport errors.
enum ServerAnswer {
    /// The body of a refusal, as the protocol has it.
    private struct Problem: Decodable {
        let code: String
        let message: String
    }

    /// The codes of the protocol's refusals by their names.
    private static let codes: [String: TransportError.Code] = Dictionary(
        uniqueKeysWithValues: [
            .rejected, .unauthorized, .forbidden, .conflict, .tooLarge, .invalidSchemaChange, .unavailable,
        ]
        .map { (code: TransportError.Code) in (code.description, code) }
    )

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
    ///
    /// The code of the protocol's own JSON decides, and the status does not: a proxy, a captive portal or a firewall answers
    /// with statuses of its own, and none of them may set evidence aside or end a session.
    static func error(_ response: HTTPResponse, now: EventInstant) -> TransportError {
        let retryAfter = response.headers["retry-after"].flatMap { RetryAfter.duration($0, now: now) }
        // What is no JSON of ours is an answer of somebody else, whatever it is.
        if let problem = try? JSONDecoder().decode(Problem.self, from: Data(response.body)),
            let code = codes[problem.code]
        {
            let message = problem.message.isEmpty ? "The server gives no reason." : problem.message
            return TransportError(code, message: String(message.prefix(300)), retryAfter: retryAfter)
        }
        return TransportError(
            response.status == 413 ? .bodyRefused : .unavailable,
            message: "Something answered with status \(response.status) in the server's place, for example a proxy.",
            retryAfter: retryAfter
        )
    }
}
