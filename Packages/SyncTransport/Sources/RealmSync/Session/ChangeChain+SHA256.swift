public import ChangeModel
import EventModel

import struct Crypto.SHA256

extension ChangeChain {
    /// Hashes as servers do.
    public static let sha256: Hash = { bytes in
        guard let digest = Digest(SHA256.hash(data: bytes)) else {
            preconditionFailure("A SHA-256 has \(Digest.byteCount) bytes.")
        }
        return digest
    }
}
