public import EventModel

/// Proof that a partition only grew: that what it held earlier is the beginning of what it holds now.
///
/// Checked by RFC 9162, section 2.1.4.2. Whoever kept a root from earlier needs nothing else to know that no event in
/// front of it was changed, removed or put in between.
public struct GrowthProof: Sendable, Hashable, Codable {
    /// The partition whose earlier state is compared with a later one.
    public let partition: PartitionID
    /// The root when it held as many events as the proof's `first`.
    public let firstRoot: Digest
    /// The root when it held as many events as the proof's `second`.
    public let secondRoot: Digest
    /// The hashes that lead from one to the other.
    public let consistency: ConsistencyProof

    /// Creates a proof that somebody else made, or from parts.
    public init(partition: PartitionID, firstRoot: Digest, secondRoot: Digest, consistency: ConsistencyProof) {
        self.partition = partition
        self.firstRoot = firstRoot
        self.secondRoot = secondRoot
        self.consistency = consistency
    }

    /// Checks the proof.
    ///
    /// - Parameters:
    ///   - earlier: The root that the verifier kept; nil takes the one of the proof.
    ///   - later: The root that the verifier knows otherwise, as from a seal; nil takes the one of the proof.
    /// - Throws: ``ProofError/inconsistent(partition:first:second:)`` when the one tree is not the beginning of the other, or
    ///   a root is not the verifier's.
    /// - Complexity: O(log *n*) hashes, where *n* is the number of events.
    public func verify(earlier: Digest? = nil, later: Digest? = nil) throws(ProofError) {
        guard earlier == nil || earlier == firstRoot, later == nil || later == secondRoot,
            consistency.verify(firstRoot: firstRoot, secondRoot: secondRoot)
        else {
            throw .inconsistent(partition: partition, first: consistency.first, second: consistency.second)
        }
    }
}
