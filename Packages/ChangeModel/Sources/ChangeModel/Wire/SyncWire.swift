#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// What both ends of the protocol over HTTP agree on, beside the bytes of the messages.
public enum SyncWire {
    /// The type of every body that is no refusal.
    public static let mediaType = "application/vnd.daybook.sync"
    /// The header in which a client says which version it speaks, in lower case.
    public static let versionHeader = "daybook-sync"
    /// The version of the messages in this module.
    public static let version = 1
    /// How long a request for entries may wait at most, in seconds.
    public static let longestWait = 50
}

extension SnapshotCursor {
    /// The cursor as it stands in an address: base64 with `-` and `_`, without `=` (RFC 4648, section 5).
    public var text: String {
        String(
            Data(bytes).base64EncodedString()
                .compactMap { character in
                    switch character {
                    case "+": "-"
                    case "/": "_"
                    case "=": nil
                    default: character
                    }
                }
        )
    }

    /// Reads a cursor from an address.
    ///
    /// - Returns: nil for other characters, or for more than ``maximumBytes``.
    public init?(text: String) {
        guard text.utf8.count <= (Self.maximumBytes + 2) / 3 * 4, !text.utf8.contains(0x3D) else { return nil }
        var plain = text.replacing("-", with: "+").replacing("_", with: "/")
        plain += String(repeating: "=", count: (4 - plain.utf8.count % 4) % 4)
        guard let data = Data(base64Encoded: plain), data.count <= Self.maximumBytes else { return nil }
        self.init(bytes: Array(data))
    }
}
