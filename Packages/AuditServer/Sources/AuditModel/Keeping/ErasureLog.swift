/// Which events were erased, by whom and why.
public protocol ErasureLog: Sendable {
    /// Lists erasures behind a number, the oldest first.
    ///
    /// - Throws: `unavailable` when the storage fails.
    func erasures(after number: Int64, limit: Int) async throws -> [ErasureRecord]

    /// Lists which events an erasure took.
    ///
    /// - Throws: `unavailable` when the storage fails.
    /// - Complexity: O(*n*) in the ranges.
    func ranges(of erasure: Int64) async throws -> ErasedRanges
}
