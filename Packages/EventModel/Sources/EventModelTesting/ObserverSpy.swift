public import EventModel
import Synchronization

/// An observer that keeps what a store reports, and an attachment that brings itself.
///
/// The gate is closed until a test opens it with ``record(_:)`` or by hand.
public final class ObserverSpy: RealmObserver, RealmAttachment {
    /// One call, reduced to what can be compared.
    @nonexhaustive
    public enum Call: Sendable, Hashable {
        /// An object was read.
        case read(ObjectSnapshot)
        /// A query was evaluated.
        case query(className: String, version: UInt64, matches: [ObjectSnapshot])
        /// A link was followed; `all` is what the property links to.
        case follow(parent: ObjectReference, slot: Int, target: ObjectSnapshot, all: [ObjectSnapshot])

        /// The object, if it was a read.
        public var read: ObjectSnapshot? {
            if case .read(let snapshot) = self { snapshot } else { nil }
        }

        /// The matches, if it was a query.
        public var matches: [ObjectSnapshot]? {
            if case .query(_, _, let matches) = self { matches } else { nil }
        }

        /// The step, if it was one.
        public var followed: (parent: ObjectReference, slot: Int, target: ObjectSnapshot, all: [ObjectSnapshot])? {
            if case .follow(let parent, let slot, let target, let all) = self {
                (parent, slot, target, all)
            } else {
                nil
            }
        }
    }

    private struct State {
        var calls: [Call] = []
        var searches: [SearchTerms] = []
        var commits: [CommitChanges] = []
        var realms: [RealmIdentity] = []
        var notes: [any CommitNote] = []
        var committedNotes: [CommittedNote] = []
        var storedNotes: (any CommitNotes)?
        var places: [(version: UInt64, place: SyncReference)] = []
    }

    /// Open while a test records.
    public let gate: ObservationGate
    private let state = Mutex(State())

    /// Creates a spy with a closed gate.
    ///
    /// - Parameter seesShownObjects: Whether it is notified of objects that are shown, however they were got.
    public init(seesShownObjects: Bool = false) {
        gate = ObservationGate(seesShownObjects: seesShownObjects)
    }

    /// What was read, in order.
    public var calls: [Call] { state.withLock { $0.calls } }
    /// The commits, in order.
    public var commits: [CommitChanges] { state.withLock { $0.commits } }
    /// The realms that asked for an observer, in order.
    public var realms: [RealmIdentity] { state.withLock { $0.realms } }

    /// What was said of versions of a realm that syncs, in order.
    public var places: [(version: UInt64, place: SyncReference)] { state.withLock { $0.places } }
    /// What the queries asked for, in order.
    public var searches: [SearchTerms] { state.withLock { $0.searches } }
    /// The notes that came back with commits, in order.
    public var committedNotes: [CommittedNote] { state.withLock { $0.committedNotes } }
    /// What the last realm that asked for an observer keeps notes in.
    public var storedNotes: (any CommitNotes)? { state.withLock { $0.storedNotes } }

    /// Wants notes kept with the next transactions, one each.
    public func keep(_ notes: [any CommitNote]) {
        state.withLock { $0.notes += notes }
    }

    /// Runs a closure with an open gate and returns what was read meanwhile.
    public func record(_ body: () throws -> Void) rethrows -> [Call] {
        let before = calls.count
        gate.open()
        defer { gate.close() }
        try body()
        return Array(calls[before...])
    }

    // MARK: RealmObserver

    /// Keeps the place.
    public func willReport(version: UInt64, at place: SyncReference) {
        state.withLock { $0.places.append((version, place)) }
    }

    /// Keeps the read.
    public func didRead(_ object: ObjectSnapshot) {
        state.withLock { $0.calls.append(.read(object)) }
    }

    /// Keeps the query.
    public func didEvaluateQuery(
        on shape: ClassShape,
        version: UInt64,
        matches: [ObjectSnapshot],
        terms: () -> SearchTerms
    ) {
        let asked = terms()
        state.withLock { state in
            state.calls.append(.query(className: shape.name, version: version, matches: matches))
            state.searches.append(asked)
        }
    }

    /// Keeps the step with all targets.
    public func didFollow(_ link: FollowedLink) {
        let call = Call.follow(
            parent: ObjectReference(className: link.parentShape.name, key: link.parentKey),
            slot: link.slot,
            target: link.target,
            all: link.allTargets()
        )
        state.withLock { $0.calls.append(call) }
    }

    /// Returns the next note that the test wants kept.
    public func note(for changes: CommitChanges) -> (any CommitNote)? {
        state.withLock { $0.notes.isEmpty ? nil : $0.notes.removeFirst() }
    }

    /// Keeps the commit.
    public func didCommit(_ changes: CommitChanges, note: CommittedNote?) {
        state.withLock { state in
            state.commits.append(changes)
            if let note { state.committedNotes.append(note) }
        }
    }

    // MARK: RealmAttachment

    /// Returns the spy.
    public func observer(
        for realm: RealmIdentity,
        notes: (any CommitNotes)?,
        existing: (any RealmObserver)?
    ) -> (any RealmObserver)? {
        state.withLock { state in
            state.realms.append(realm)
            state.storedNotes = notes
        }
        return self
    }
}
