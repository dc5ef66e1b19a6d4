/// Gives partitions to the upload, and forgets them when they are proven to be stored.
///
/// Safe to call from any thread. Nothing here deletes an event that the server has not proven to hold:
/// ``acknowledge(_:)`` compares roots itself, and ``delete(_:)`` refuses anything less than a sealed, wholly
/// acknowledged partition.
public protocol PartitionSource: Sendable {
    /// Lists the partitions, each once, oldest first, the one that is still written to last.
    func partitions() throws -> [PartitionSummary]

    /// Reads events from a sequence on.
    ///
    /// - Parameters:
    ///   - partition: One of ``partitions()``.
    ///   - sequence: The first sequence to read; one past the end gives an empty stretch.
    ///   - maximumBytes: A bound for the encoded bytes; the first event is returned even if it is larger.
    /// - Returns: The events, the running root at the last of them, and the seal when it was reached.
    /// - Throws: When the partition is gone or damaged there.
    func read(_ partition: PartitionID, from sequence: UInt64, maximumBytes: Int) throws -> PartitionStretch

    /// Notes how far the server holds a partition.
    ///
    /// Idempotent; a lower position than before is accepted as "resume there".
    ///
    /// - Throws: When the proof's root differs from our own at that position: nothing is noted, the partition stays.
    func acknowledge(_ proof: DurabilityProof) throws

    /// Deletes a partition.
    ///
    /// - Throws: When it is not sealed, or not wholly acknowledged with its seal; nothing is deleted then.
    func delete(_ partition: PartitionID) throws

    /// Keeps a partition aside: it is no longer offered for upload, and never deleted.
    ///
    /// A source may offer it again later, listed without a reason; it is then uploaded as if nothing of it had been sent.
    func quarantine(_ partition: PartitionID, reason: String) throws
}
