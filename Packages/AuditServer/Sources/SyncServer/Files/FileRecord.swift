package import ChangeModel
package import EventModel

/// What a store keeps of one file of a realm.
package struct FileRecord: Sendable, Equatable {
    /// The user that it belongs to.
    package let user: ExactText
    /// The number of that user in the realm, from 1.
    package let userNumber: UInt32
    /// The key that signs its batches.
    package let deviceKey: [UInt8]
    /// The SHA-256 of its salt.
    package let saltHash: Digest
    /// What was taken of it.
    package var progress: FileProgress
    /// The hash of its chain behind the last change that was taken.
    package var chain: Digest

    /// Creates a record.
    package init(
        user: ExactText,
        userNumber: UInt32,
        deviceKey: [UInt8],
        saltHash: Digest,
        progress: FileProgress = FileProgress(),
        chain: Digest = .zeros
    ) {
        self.user = user
        self.userNumber = userNumber
        self.deviceKey = deviceKey
        self.saltHash = saltHash
        self.progress = progress
        self.chain = chain
    }
}

extension Digest {
    /// 32 zeros, from which the chain of a file begins.
    package static let zeros = [UInt8](repeating: 0, count: Digest.byteCount)
        .withUnsafeBytes { bytes in
            guard let address = bytes.baseAddress else { preconditionFailure("An array of 32 bytes has an address.") }
            return Digest(loadedFrom: address)
        }
}
