public import EventModel
public import EventModelTesting
import Synchronization

/// Plays the store towards an observer: asks the gate, then reports what a test says that a program did.
public struct FakeStore: Sendable {
    private let observer: any RealmObserver
    private let notes: InMemoryCommitNotes?
    private let mayCommit: @Sendable () -> Bool
    /// Takes the reads of an instance; nil while several threads may read.
    private var ring: ReadRing?
    /// Says where the realm was in sync at a version; nil for a realm that does not sync.
    private let place: (@Sendable (UInt64) -> SyncReference)?
    /// What the instance said last; nil while several threads may read, which say each version each time.
    private var said: SaidVersion?

    /// Creates a store with an observer.
    ///
    /// - Parameters:
    ///   - observer: The observer.
    ///   - notes: Keeps what the observer wants kept with transactions; nil for a realm that keeps nothing.
    ///   - mayCommit: Asked before and after each commit whether the process still lives: without a yes to the first the
    ///     transaction is lost, without one to the second the observer does not learn of it.
    ///   - place: Where the realm is in sync at a version; nil for one that does not sync.
    public init(
        observer: any RealmObserver,
        notes: InMemoryCommitNotes? = nil,
        mayCommit: @escaping @Sendable () -> Bool = { true },
        place: (@Sendable (UInt64) -> SyncReference)? = nil
    ) {
        self.observer = observer
        self.notes = notes
        self.mayCommit = mayCommit
        self.place = place
    }

    /// Returns an instance of the store, which one thread at a time works with: its reads go through a ring.
    public func instance() -> FakeStore {
        var instance = self
        instance.ring = observer.makeReadRing()
        instance.said = SaidVersion()
        return instance
    }

    /// Reads one object.
    public func read(_ type: SampleClass, _ key: Int64, version: UInt64 = 1) {
        read(type.snapshot(key, version: version))
    }

    /// Reads one object whose snapshot exists.
    public func read(_ snapshot: ObjectSnapshot) {
        guard observer.gate.isOpen else { return }
        guard let ring else {
            say(snapshot.version)
            return observer.didRead(snapshot)
        }
        // As in the store, a ring is not asked as long as its version was not said, and says nothing of who began to listen.
        if place == nil || said?.version == snapshot.version, ring.append(snapshot) { return }
        say(snapshot.version)
        observer.didRead(snapshot, through: ring)
    }

    /// Says where the realm was in sync at a version, unless the instance has done that since the gate was opened last.
    private func say(_ version: UInt64) {
        guard let place else { return }
        guard let said else { return observer.willReport(version: version, at: place(version)) }
        if said.change(to: version, observer.gate.openingCount) {
            observer.willReport(version: version, at: place(version))
        }
    }

    /// Evaluates a query that matches these objects, in this order.
    public func query(
        _ type: SampleClass,
        _ keys: [Int64],
        version: UInt64 = 1,
        terms: SearchTerms = SearchTerms()
    ) {
        query(type, matches: type.snapshots(keys, version: version), version: version, terms: terms)
    }

    /// Evaluates a query whose matches exist.
    public func query(
        _ type: SampleClass,
        matches: [ObjectSnapshot],
        version: UInt64 = 1,
        terms: SearchTerms = SearchTerms()
    ) {
        guard observer.gate.isOpen else { return }
        say(version)
        observer.didEvaluateQuery(on: type.shape, version: version, matches: matches) { terms }
    }

    /// Follows a link to one object.
    public func follow(
        _ parent: SampleClass,
        _ parentKey: Int64,
        to target: SampleClass,
        _ targetKey: Int64,
        version: UInt64 = 1
    ) {
        follow(parent, parentKey, slot: SampleClass.linkSlot, to: target, [targetKey], at: 0, version: version)
    }

    /// Follows one element of a collection of links.
    ///
    /// - Parameters:
    ///   - parent: The class of the parent.
    ///   - parentKey: The row of the parent.
    ///   - slot: The property.
    ///   - target: The class of the targets.
    ///   - targetKeys: All that the property links to.
    ///   - index: Which of them is reached.
    ///   - version: The version of parent and targets.
    ///   - onReadTargets: Called when the observer asks for all targets.
    public func follow(
        _ parent: SampleClass,
        _ parentKey: Int64,
        slot: Int,
        to target: SampleClass,
        _ targetKeys: [Int64],
        at index: Int,
        version: UInt64 = 1,
        onReadTargets: @escaping () -> Void = {}
    ) {
        guard observer.gate.isOpen else { return }
        let targets = target.snapshots(targetKeys, version: version)
        say(version)
        observer.didFollow(
            FollowedLink(
                parentShape: parent.shape,
                parentKey: parentKey,
                version: version,
                slot: slot,
                target: targets[index],
                allTargets: {
                    onReadTargets()
                    return targets
                }
            )
        )
    }

    /// Commits a transaction that changes one class.
    ///
    /// - Parameters:
    ///   - type: The class.
    ///   - inserting: The rows that are new.
    ///   - deleting: The rows that are gone.
    ///   - modifying: The rows that were assigned to.
    ///   - version: The version that the transaction starts from; it makes the next one.
    /// - Returns: Whether it is durable.
    @discardableResult
    public func write(
        _ type: SampleClass,
        inserting: [Int64] = [],
        deleting: [Int64] = [],
        modifying: [Int64] = [],
        version: UInt64 = 1
    ) -> Bool {
        let changes = ClassChanges(
            shape: type.shape,
            insertions: type.snapshots(inserting, version: version + 1),
            deletions: type.snapshots(deleting, version: version),
            modifications: modifying.map { key in
                Modification(
                    before: type.snapshot(key, version: version),
                    after: type.snapshot(key, version: version + 1)
                )
            }
        )
        let isEmpty = inserting.isEmpty && deleting.isEmpty && modifying.isEmpty
        return commit(
            CommitChanges(
                versionBefore: version,
                versionAfter: version + 1,
                classes: isEmpty ? [] : [changes],
                sync: place?(version + 1)
            )
        )
    }

    /// Commits a transaction.
    ///
    /// - Returns: Whether it is durable.
    @discardableResult
    public func commit(_ changes: CommitChanges) -> Bool {
        let isObserved = observer.gate.isOpen
        let note = isObserved && notes != nil ? observer.note(for: changes) : nil
        guard mayCommit() else { return false }
        let committed = notes?.commit(note)
        if mayCommit(), observer.gate.isOpen || committed != nil { observer.didCommit(changes, note: committed) }
        return true
    }
}

/// The version that an instance said last, and when it did.
private final class SaidVersion: Sendable {
    private let state = Mutex<(version: UInt64, openings: UInt64)?>(nil)

    var version: UInt64? { state.withLock { $0?.version } }

    /// Notes a version.
    ///
    /// - Returns: Whether it has to be said.
    func change(to version: UInt64, _ openings: UInt64) -> Bool {
        state.withLock { state in
            defer { state = (version, openings) }
            return state.map { $0 != (version, openings) } ?? true
        }
    }
}
