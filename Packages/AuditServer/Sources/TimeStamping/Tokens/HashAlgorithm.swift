import Crypto
import SwiftASN1

/// The hashes that authorities use.
enum HashAlgorithm: Sendable {
    case sha256, sha384, sha512

    /// Reads an algorithm, whose parameters are none.
    init(_ algorithm: ASN1ObjectIdentifier) throws(TimeStampError) {
        switch algorithm {
        case ObjectID.sha256: self = .sha256
        case ObjectID.sha384: self = .sha384
        case ObjectID.sha512: self = .sha512
        default: throw .unknownAlgorithm("the hash \(algorithm)")
        }
    }

    func hash(_ bytes: some Sequence<UInt8>) -> [UInt8] {
        let bytes = Array(bytes)
        return switch self {
        case .sha256: Array(SHA256.hash(data: bytes))
        case .sha384: Array(SHA384.hash(data: bytes))
        case .sha512: Array(SHA512.hash(data: bytes))
        }
    }
}
