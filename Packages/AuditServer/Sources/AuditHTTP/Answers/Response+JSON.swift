import HTTPTypes
package import Hummingbird

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension Response {
    /// Answers with a value as JSON, its keys in order.
    ///
    /// - Parameter value: The value.
    /// - Returns: The answer, which nobody keeps.
    /// - Throws: What encoding it throws.
    package static func json(_ value: some Encodable) throws -> Response {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return Response(
            status: .ok,
            headers: [.contentType: "application/json; charset=utf-8", .cacheControl: "no-store"],
            body: ResponseBody(byteBuffer: ByteBuffer(bytes: try encoder.encode(value)))
        )
    }

    /// Answers with lines of JSON, and says where the next page starts.
    static func lines(_ lines: [UInt8], next: String?) -> Response {
        var headers: HTTPFields = [.contentType: "application/x-ndjson", .cacheControl: "no-store"]
        headers[.nextCursor] = next
        return Response(status: .ok, headers: headers, body: ResponseBody(byteBuffer: ByteBuffer(bytes: lines)))
    }
}

extension HTTPField.Name {
    /// Where the next page of a listing starts; absent on the last page.
    static var nextCursor: HTTPField.Name { ours(AuditService.nextCursorHeader) }

    /// Whether there is more behind an answer of what arrived.
    static var isMore: HTTPField.Name { ours(AuditService.isMoreHeader) }

    /// How many witnesses cosigned the checkpoint of a proof, and how many are wanted: `1 of 2`.
    static var cosignatures: HTTPField.Name { ours("Daybook-Cosignatures") }

    /// Where the time-stamp of a proof's checkpoint is.
    static var timeStamp: HTTPField.Name { ours("Daybook-Time-Stamp") }

    /// Whether a server did not know the place that somebody followed from.
    static var beginsAnew: HTTPField.Name { ours(AuditService.beginsAnewHeader) }

    private static func ours(_ text: String) -> HTTPField.Name {
        guard let name = HTTPField.Name(text) else {
            preconditionFailure("The names of our headers are valid ones.")
        }
        return name
    }
}
