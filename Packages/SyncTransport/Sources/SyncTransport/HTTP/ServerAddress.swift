#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Where a server's routes are.
package struct ServerAddress: Sendable {
    private let base: String

    /// Checks a base URL.
    ///
    /// - Throws: ``SyncTransportError/invalidBaseURL`` when it is not an http or https address with a host, or has a
    ///   query or a fragment.
    init(_ baseURL: String) throws(SyncTransportError) {
        guard let url = URL(string: baseURL), let scheme = url.scheme?.lowercased(),
            ["http", "https"].contains(scheme),
            let host = url.host(), !host.isEmpty, url.query() == nil, url.fragment() == nil
        else { throw .invalidBaseURL }
        var base = baseURL
        while base.hasSuffix("/") { base.removeLast() }
        self.base = base
    }

    func login(app: String) -> String { "\(base)/api/v1/apps/\(Self.encoded(app))/login" }

    func register(app: String) -> String { "\(base)/api/v1/apps/\(Self.encoded(app))/register" }

    /// The signed-in user.
    var me: String { "\(base)/api/v1/users/me" }

    var refresh: String { "\(base)/api/v1/token/refresh" }

    /// The session of the signed-in user.
    var session: String { "\(base)/api/v1/users/me/session" }

    /// The address of a path below that of the server.
    func url(_ path: String) -> String { "\(base)/\(path)" }

    /// Percent-encodes every byte that is not unreserved, so that any text is one path segment.
    package static func encoded(_ text: String) -> String {
        var encoded = ""
        for byte in text.utf8 {
            switch byte {
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x5F, 0x7E:
                encoded.unicodeScalars.append(Unicode.Scalar(byte))
            case 0x2E where text != "." && text != "..":
                encoded += "."
            default:
                let hex = String(byte, radix: 16, uppercase: true)
                encoded += byte < 16 ? "%0\(hex)" : "%\(hex)"
            }
        }
        return encoded
    }
}
