public import EventModel

/// How the seal of a partition names the one before it: by whose it is, and by the root over its events.
public struct ChainName: Sendable, Hashable {
    /// Whose partition it is.
    public let owner: EventOwner
    /// The root over its events.
    public let root: Digest

    /// Names a partition.
    public init(owner: EventOwner, root: Digest) {
        self.owner = owner
        self.root = root
    }
}

extension PartitionSeal {
    /// Returns the name by which the next seal of the owner says that it follows this partition.
    ///
    /// - Parameter owner: Whose partition it is, as whoever stored it says: seals of earlier versions do not.
    /// - Returns: nil for a partition without events: all of those have the same root, so it names none.
    public func chainName(of owner: EventOwner) -> ChainName? {
        count > 0 ? ChainName(owner: owner, root: root) : nil
    }

    /// Returns the name of the partition that this one follows.
    ///
    /// - Parameter owner: Whose partition it is.
    /// - Returns: nil for the first partition of a device, and for one that follows a partition without events.
    public func previousName(of owner: EventOwner) -> ChainName? {
        guard let previousRoot, previousRoot != MerkleHash.empty else { return nil }
        return ChainName(owner: owner, root: previousRoot)
    }
}
