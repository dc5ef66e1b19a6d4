/// The net changes of one write transaction, class by class.
public struct CommitChanges: Sendable {
    /// The version that the transaction started from.
    public let versionBefore: UInt64
    /// The version that the transaction made.
    public let versionAfter: UInt64
    /// The changed classes, sorted by name; a class without changes is absent.
    public let classes: [ClassChanges]
    /// The changes that a server will hear of, and where the realm was when they were made; nil in a realm that does not sync.
    public let sync: SyncReference?

    /// Creates the changes of a transaction.
    public init(versionBefore: UInt64, versionAfter: UInt64, classes: [ClassChanges], sync: SyncReference? = nil) {
        self.versionBefore = versionBefore
        self.versionAfter = versionAfter
        self.classes = classes
        self.sync = sync
    }
}

/// The net changes of one class, objects in order of their row keys, all snapshots whole.
public struct ClassChanges: Sendable {
    /// The class whose rows were changed, as it was when the transaction was committed.
    public let shape: ClassShape
    /// The objects that exist now and did not before, as they are now.
    public var insertions: [ObjectSnapshot]
    /// The objects that existed before and do not now, as they were.
    public var deletions: [ObjectSnapshot]
    /// The objects that were assigned to and exist before and after, even if every value is equal.
    public var modifications: [Modification]

    /// Creates the changes of a class.
    public init(
        shape: ClassShape,
        insertions: [ObjectSnapshot] = [],
        deletions: [ObjectSnapshot] = [],
        modifications: [Modification] = []
    ) {
        self.shape = shape
        self.insertions = insertions
        self.deletions = deletions
        self.modifications = modifications
    }
}

/// One object before and after a transaction.
public struct Modification: Sendable {
    /// The object as it was.
    public let before: ObjectSnapshot
    /// The object as it is.
    public let after: ObjectSnapshot
    /// The parent, when the object is embedded.
    public let parent: ObjectReference?

    /// Creates a modification of one row, whose snapshots have the same key.
    public init(before: ObjectSnapshot, after: ObjectSnapshot, parent: ObjectReference? = nil) {
        self.before = before
        self.after = after
        self.parent = parent
    }
}
