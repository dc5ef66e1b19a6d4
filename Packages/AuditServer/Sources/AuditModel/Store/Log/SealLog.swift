public import EventModel
public import EventProofs

/// The log of sealed partitions, which only grows.
///
/// A partition is entered in the transaction that stores its seal, so that the log and the partitions never differ.
/// Entries are never changed or removed, and have no gaps, however many servers append. `SealLogConformance` in AuditServerTesting checks
/// a store against this contract.
public protocol SealLog: Sendable {
    /// Calls the closure with the tree over the log of sealed partitions, at one moment.
    ///
    /// - Parameters:
    ///   - durably: Whether to wait until the whole log is as durable as what devices are told, for a bounded time; a signed
    ///     head needs it.
    ///   - body: Reads the tree, which is good for no longer.
    /// - Returns: What the closure returned.
    /// - Throws: `unavailable` when the storage fails, and what the closure throws.
    func withLog<T: Sendable>(
        durably: Bool,
        _ body: @escaping @Sendable (StoredMerkleTree<any Error>) throws -> T
    ) async throws -> T

    /// Lists the entries of the log from a place on.
    ///
    /// - Parameters:
    ///   - index: The place of the first.
    ///   - limit: The largest number to return.
    ///   - maximumBytes: A bound for the seals of a page; the first entry is returned even if its seal is larger.
    /// - Returns: The entries; none when there are no more.
    /// - Throws: `unavailable` when the storage fails.
    func logEntries(from index: UInt64, limit: Int, maximumBytes: Int) async throws -> [PartitionLogEntry]

    /// Returns the entry of a partition, or nil while it is not sealed.
    func logEntry(of partition: PartitionID) async throws -> PartitionLogEntry?

    /// Lists the keys that have signed seals, in the order in which they were first seen.
    ///
    /// - Parameters:
    ///   - index: The smallest ``DeviceKeyRecord/firstEntry`` to return.
    ///   - limit: The largest number to return.
    /// - Returns: The keys, each once for a user.
    /// - Throws: `unavailable` when the storage fails.
    /// - Complexity: O(*n*) in the entries of the log.
    func deviceKeys(from index: UInt64, limit: Int) async throws -> [DeviceKeyRecord]
}

extension SealLog {
    /// Lists the entries of the log from a place on, with at most ``SealPage/maximumBytes`` of seals.
    ///
    /// - Throws: `unavailable` when the storage fails.
    public func logEntries(from index: UInt64, limit: Int) async throws -> [PartitionLogEntry] {
        try await logEntries(from: index, limit: limit, maximumBytes: SealPage.maximumBytes)
    }
}
