/// Is notified by the store of what a program reads, follows and commits, on the thread where it happens.
///
/// The store asks ``gate`` first and calls nothing while it is closed. Snapshots are whole. Inside a write transaction
/// they show the state before it, and objects that did not exist before it are left out: a recorder never has to
/// filter. Calls come from any thread, several at once; they must return quickly and never call back into the store,
/// except through the closures they are given. They cannot throw: an observer keeps what it failed to do and reports
/// it through its own completions.
public protocol RealmObserver: AnyObject, Sendable {
    /// Open while anybody wants to know.
    var gate: ObservationGate { get }

    /// Called before anything is reported that was read at a version of a realm that syncs: says what the realm knew then.
    ///
    /// Each instance calls it once for each of its versions, and again after the gate was opened; several may say the same
    /// version, not in order, and with another position where later entries changed nothing.
    func willReport(version: UInt64, at place: SyncReference)

    /// Called when an object was handed to the program: by primary key, by index, by iteration of a whole class.
    ///
    /// With a gate that ``ObservationGate/seesShownObjects`` it is called, too, when a property is read of an object that was got
    /// before the gate was opened, or that somebody else changed since it was reported.
    func didRead(_ object: ObjectSnapshot)

    /// Returns a ring that one instance may add its reads to while the gate is open; nil for one that reports each of them.
    ///
    /// What the ring does not take is reported by ``didRead(_:through:)``. Only reads of an instance that one thread at a time works
    /// with may go through a ring.
    func makeReadRing() -> ReadRing?

    /// Called in place of ``didRead(_:)`` when a ring did not take the read, on the thread that works with the instance.
    ///
    /// - Parameters:
    ///   - object: What ``ReadRing/append(_:)`` was given.
    ///   - ring: The ring, which the observer made.
    func didRead(_ object: ObjectSnapshot, through ring: ReadRing)

    /// Called when a query's result was produced, with every match in the query's own order; also when none matched.
    ///
    /// - Parameters:
    ///   - shape: The class of the objects.
    ///   - version: The version that was read.
    ///   - matches: The objects.
    ///   - terms: Says what was asked for; takes time in proportion to the condition, and may be called during the call alone.
    func didEvaluateQuery(
        on shape: ClassShape,
        version: UInt64,
        matches: [ObjectSnapshot],
        terms: () -> SearchTerms
    )

    /// Called when the program reached an object through a link or a collection of links.
    func didFollow(_ link: FollowedLink)

    /// Returns what is to be kept with a write transaction; nil for nothing.
    ///
    /// Called before a transaction with changes is committed, on the writing thread, while it has the file locked for others.
    /// The transaction may still fail, and then leaves nothing.
    func note(for changes: CommitChanges) -> (any CommitNote)?

    /// Called after a write transaction became durable, on the writing thread, once for each transaction.
    ///
    /// A transaction without net changes has no classes; one in which nothing was done has the same version twice, too. One
    /// for which there is a note is reported even if the gate was closed since.
    func didCommit(_ changes: CommitChanges, note: CommittedNote?)
}

extension RealmObserver {
    /// Does nothing: the observer does not want to know what the realm knew.
    public func willReport(version: UInt64, at place: SyncReference) {}

    /// Returns nil: each read is reported.
    public func makeReadRing() -> ReadRing? { nil }

    /// Reports the read as one of an instance without a ring.
    public func didRead(_ object: ObjectSnapshot, through ring: ReadRing) { didRead(object) }
}

/// One step from a parent to an object that it links to.
public struct FollowedLink {
    /// The class of the parent.
    public let parentShape: ClassShape
    /// The row of the parent.
    public let parentKey: Int64
    /// The version that parent and target were read at.
    public let version: UInt64
    /// The slot of the link property in the parent's shape.
    public let slot: Int
    /// The object that was reached.
    public let target: ObjectSnapshot
    /// Reads every object that the property links to at ``version``, in order; may be called once, during the call.
    public let allTargets: () -> [ObjectSnapshot]

    /// Creates a step from one object to the targets that a program got through one of its properties.
    public init(
        parentShape: ClassShape,
        parentKey: Int64,
        version: UInt64,
        slot: Int,
        target: ObjectSnapshot,
        allTargets: @escaping () -> [ObjectSnapshot]
    ) {
        self.parentShape = parentShape
        self.parentKey = parentKey
        self.version = version
        self.slot = slot
        self.target = target
        self.allTargets = allTargets
    }
}
