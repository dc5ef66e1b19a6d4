/// An object that was read, with the links that the program followed from it.
public struct ReadObject: Sendable {
    /// The object, whole.
    public let snapshot: ObjectSnapshot
    /// The followed properties, each at most once.
    public var followed: [FollowedProperty]

    /// Creates a read of an object.
    public init(snapshot: ObjectSnapshot, followed: [FollowedProperty] = []) {
        self.snapshot = snapshot
        self.followed = followed
    }
}

/// A link, or a collection of links, whose targets are shown in full instead of by key.
public struct FollowedProperty: Sendable {
    /// The slot of the property in the parent's shape.
    public let slot: Int
    /// The targets, found by their row key.
    ///
    /// A target that is missing here is shown by its primary key.
    public let targets: [Int64: ReadObject]

    /// Creates a property whose links were followed, by its slot, with the targets by their row keys.
    public init(slot: Int, targets: [Int64: ReadObject]) {
        self.slot = slot
        self.targets = targets
    }
}
