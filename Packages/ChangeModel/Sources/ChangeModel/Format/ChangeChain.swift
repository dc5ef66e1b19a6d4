public import EventModel

/// The running hash over the changes of a file: SHA-256 of the hash before and the bytes of the change.
///
/// One signature over it binds all changes of the file in their order, so that nobody can leave one out, exchange two
/// or forge one.
///
/// The hash function is given by whoever has one; this module has none of its own.
public struct ChangeChain: Sendable {
    /// Computes a SHA-256.
    public typealias Hash = @Sendable ([UInt8]) -> Digest

    /// The hash after the last change.
    public let head: Digest
    private let hash: Hash

    /// Continues the chain of a file; `head` is 32 zeros before the first change.
    public init(head: Digest, hash: @escaping Hash) {
        self.head = head
        self.hash = hash
    }

    /// Returns the chain with one more change.
    ///
    /// - Parameter change: The bytes of the change, without their length.
    /// - Returns: The chain, whose head is behind the change.
    public func appending(_ change: some Sequence<UInt8>) -> ChangeChain {
        ChangeChain(head: hash(head.bytes + change), hash: hash)
    }

    /// Returns the chain with all changes of a batch.
    public func appending(_ batch: SignedBatch) -> ChangeChain {
        batch.changes.reduce(self) { $0.appending(batch.bytes[$1]) }
    }
}
