public import EventModel
import SwiftASN1

import struct Crypto.SHA256

/// What an authority is asked with: the hash of some bytes, and a number that its answer repeats (RFC 3161, 2.4.1).
///
/// The authority learns the hash and nothing of the bytes.
///
/// ```swift
/// let request = TimeStampRequest(over: checkpoint, nonce: .random(in: 0...(.max)))
/// let reply = try await post(request.bytes(), as: TimeStampRequest.contentType)
/// ```
public struct TimeStampRequest: Sendable, Hashable {
    /// The content type of a request over HTTP.
    public static let contentType = "application/timestamp-query"

    /// The SHA-256 of the bytes.
    public let imprint: Digest
    /// What makes the request another one than any before.
    public let nonce: UInt64

    /// Asks for a time-stamp.
    ///
    /// - Parameters:
    ///   - bytes: What is to be shown to have existed.
    ///   - nonce: A random number.
    public init(over bytes: [UInt8], nonce: UInt64) {
        imprint = Self.imprint(of: bytes)
        self.nonce = nonce
    }

    /// Returns the request in DER; the authority is asked for its certificate, too.
    ///
    /// - Throws: What the encoder throws, which is nothing for what can be in a request.
    public func bytes() throws -> [UInt8] {
        var encoder = DER.Serializer()
        try encoder.appendConstructedNode(identifier: .sequence) { encoder in
            try encoder.serialize(1)
            try encoder.appendConstructedNode(identifier: .sequence) { encoder in
                try encoder.appendConstructedNode(identifier: .sequence) { encoder in
                    try encoder.serialize(ObjectID.sha256)
                    try encoder.serialize(ASN1Null())
                }
                try encoder.serialize(ASN1OctetString(contentBytes: ArraySlice(imprint.bytes)))
            }
            try encoder.serialize(nonce)
            try encoder.serialize(true)
        }
        return encoder.serializedBytes
    }

    static func imprint(of bytes: [UInt8]) -> Digest {
        guard let digest = Digest(SHA256.hash(data: bytes)) else { preconditionFailure("A SHA-256 hash has 32 bytes.") }
        return digest
    }
}
