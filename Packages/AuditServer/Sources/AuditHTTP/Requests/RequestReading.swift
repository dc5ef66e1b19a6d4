import AuditModel
import EventModel
import Foundation
import HummingbirdCore
import NIOCore

extension Request {
    /// Reads a body of JSON.
    ///
    /// - Parameters:
    ///   - type: What it is.
    ///   - limit: The largest size in bytes.
    ///   - form: An example for the answer to any other body.
    /// - Returns: The content.
    /// - Throws: `AuditServerError.rejected(reason:)` when it is something else.
    func json<Content: Decodable>(_ type: Content.Type, upTo limit: Int, form: String) async throws -> Content {
        try Self.decoded(type, from: try await body.collect(upTo: limit), form: form)
    }

    /// Reads JSON.
    ///
    /// - Throws: `AuditServerError.rejected(reason:)` when it is something else.
    static func decoded<Content: Decodable>(
        _ type: Content.Type,
        from body: ByteBuffer,
        form: String
    ) throws(AuditServerError) -> Content {
        do {
            return try JSONDecoder().decode(type, from: Data(body.readableBytesView))
        } catch {
            throw .rejected(reason: "the body is not JSON of the form \(form)")
        }
    }

    /// Reads a number of the query.
    ///
    /// - Throws: `AuditServerError.rejected(reason:)` when it is no number of the range.
    func number<Number: FixedWidthInteger>(
        _ name: String,
        in range: ClosedRange<Number>,
        default standard: Number
    ) throws(AuditServerError) -> Number {
        guard let text = query(name) else { return standard }
        guard let number = Number(text), range.contains(number) else {
            throw .rejected(reason: "'\(name)' is a number from \(range.lowerBound) to \(range.upperBound)")
        }
        return number
    }

    /// Reads an instant of the query.
    ///
    /// - Throws: `AuditServerError.rejected(reason:)` when it is not in ISO 8601, in UTC.
    func instant(_ name: String) throws(AuditServerError) -> EventInstant? { try parameters.instant(name) }

    /// Reads a text of the query; nil when it is missing.
    func query(_ name: String) -> String? {
        uri.queryParameters[Substring(name)].map(String.init)
    }

    /// Reads a word of the query, the first of the words by default.
    ///
    /// - Throws: `AuditServerError.rejected(reason:)` for another word.
    func choice(_ name: String, of words: [String]) throws(AuditServerError) -> String {
        let word = query(name) ?? words[0]
        guard words.contains(word) else {
            throw .rejected(reason: "'\(name)' is one of \(words.joined(separator: ", "))")
        }
        return word
    }
}
