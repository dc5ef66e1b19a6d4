public import ChangeModel
import EventModel

import struct Crypto.SHA256

extension ChangeChain {
    /// Hashes as servers do.
    public static let sha256: Hash = { bytes in
        SHA256.hash(data: bytes)
            .withUnsafeBytes { hash in
                guard let address = hash.baseAddress, hash.count == Digest.byteCount else {
                    preconditionFailure("A SHA-256 has \(Digest.byteCount) bytes.")
                }
                return Digest(loadedFrom: address)
            }
    }
}
