#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Base64 as RFC 4648, section 4, has it: padded, in one piece, and with one spelling for the same bytes.
enum Base64Text {
    /// Returns the letters of the bytes.
    static func text(_ bytes: some Sequence<UInt8>) -> String { Data(bytes).base64EncodedString() }

    /// Returns the bytes of the letters; nil when they are not the ones that ``text(_:)`` gives for any bytes.
    static func bytes(_ text: some Collection<UInt8>) -> [UInt8]? {
        let letters = Data(text)
        // A decoder that lets the unused bits of the last letter be anything takes several texts for one signature.
        guard let bytes = Data(base64Encoded: letters), bytes.base64EncodedData() == letters else { return nil }
        return Array(bytes)
    }
}
