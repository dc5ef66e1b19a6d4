public import ChangeModel
public import EventModel

/// A batch on its way into a store: who sends it, the digest of each change, and what its sender may not do.
///
/// Hashed when it is made, where uploads do not wait for each other.
public struct ChangeUpload: Sendable {
    /// Says why an operation of a change, given with its index, may not be done; nil if it may.
    public typealias Judge = @Sendable (Change, Int, ChangeOperation) -> OperationRefusal?

    /// The batch.
    public let batch: SignedBatch
    /// Its changes.
    public let changes: [Change]
    /// The user of the token that it came with.
    public let user: ExactText
    /// The SHA-256 of each change as it was uploaded, in their order.
    public let digests: [Digest]
    /// What the rights and limits of the user say of each operation.
    let judge: Judge?

    /// Creates an upload.
    ///
    /// - Parameters:
    ///   - batch: The batch.
    ///   - user: The user who sends it.
    ///   - judge: Says which operations are refused; nil for none.
    /// - Throws: A `ChangeModelError` when the bytes of a change are none.
    /// - Complexity: O(*n*) in the bytes.
    public init(_ batch: SignedBatch, user: ExactText, judge: Judge? = nil) throws(ChangeModelError) {
        self.batch = batch
        changes = try batch.batch.changes
        self.user = user
        self.judge = judge
        digests = batch.changes.map { FileLedger.hash(batch.bytes[$0]) }
    }

    /// The file that it is of.
    public var file: UInt32 { batch.file }

    /// Returns the bytes of a change, as they were signed.
    ///
    /// - Precondition: The batch has a change of that index.
    public func bytes(of index: Int) -> ArraySlice<UInt8> { batch.bytes[batch.changes[index]] }

    /// Returns why an operation is refused; nil if it is not.
    package func refusal(of operation: ChangeOperation, _ index: Int, in change: Change) -> OperationRefusal? {
        judge?(change, index, operation)
    }
}
