package import AuditModel

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
package import Foundation
#endif

/// What the header of a JSON Web Token must not say.
package enum TokenHeader {
    private struct Header: Decodable {
        private enum CodingKeys: String, CodingKey { case crit }

        let isCritical: Bool

        init(from decoder: any Decoder) throws {
            isCritical = try decoder.container(keyedBy: CodingKeys.self).contains(.crit)
        }
    }

    /// Refuses a token whose header names extensions that must be understood (RFC 7515, section 4.1.11): none is.
    ///
    /// - Throws: `AuditServerError.unauthorized(reason:)`, also for a header that cannot be read.
    package static func check(_ token: String) throws(AuditServerError) {
        var text = token.prefix { $0 != "." }.replacing("-", with: "+").replacing("_", with: "/")
        text += String(repeating: "=", count: (4 - text.utf8.count % 4) % 4)
        let header: Header
        do {
            guard let data = Data(base64Encoded: String(text)) else { throw AuditServerError.notFound }
            header = try JSONDecoder().decode(Header.self, from: data)
        } catch {
            throw .unauthorized(reason: "its header cannot be read")
        }
        guard !header.isCritical else {
            throw .unauthorized(reason: "its header has critical extensions, and none is understood")
        }
    }
}
