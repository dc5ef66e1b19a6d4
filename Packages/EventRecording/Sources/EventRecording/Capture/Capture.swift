import EventModel

/// One thing that the store notified the recorder of, with the clocks at that moment.
///
/// The log keeps it packed, see ``CaptureSegment``. The boot that a `ClockReading` names is left out: it is that of the
/// whole process.
struct Capture: Sendable {
    enum Content: Sendable {
        case read(ObjectSnapshot)
        indirect case follow(CapturedFollow)
        indirect case query(CapturedQuery)
        indirect case commit(CapturedWrite)
        /// Where the realm was in sync at a version; makes no event, and comes before what was read at it.
        indirect case place(PlacedVersion)
    }

    let wall: EventInstant
    let monotonicNanoseconds: UInt64
    let content: Content

    init(_ content: Content, wall: EventInstant, monotonicNanoseconds: UInt64) {
        self.wall = wall
        self.monotonicNanoseconds = monotonicNanoseconds
        self.content = content
    }
}

/// A read of an object as it lies in the log, for whoever writes it on without keeping it.
struct CapturedRead {
    /// The packed row, valid during the call that hands it out.
    let row: UnsafeRawBufferPointer
    let shape: ClassShape
    let wall: EventInstant
    let monotonicNanoseconds: UInt64
}

/// The matches of a query, in the query's own order.
struct CapturedQuery: Sendable {
    let shape: ClassShape
    let version: UInt64
    let matches: [ObjectSnapshot]
    /// What was asked for, if nothing matched; of what was found, the objects say enough.
    var terms: SearchTerms?
}

/// A step along a link.
struct CapturedFollow: Sendable {
    let origin: LinkOrigin
    let target: ObjectSnapshot
    /// Every object that the property links to, in order.
    ///
    /// Empty for a to-one link, whose only target is ``target``.
    let targets: [ObjectSnapshot]
}

/// A write transaction.
struct CapturedWrite: Sendable {
    /// The event that it will be in one of the scopes that were active.
    struct Event: Sendable, Hashable {
        let scope: Int
        let id: ObjectId
    }

    let changes: CommitChanges
    /// The events that are named in the realm's file, together with the changes; empty when nothing is kept there.
    var events: [Event] = []

    /// What becomes of the write in a scope.
    func fate(in scope: Int) -> Fate {
        guard !events.isEmpty else { return .numbered }
        return events.first { $0.scope == scope }.map { .named($0.id) } ?? .none
    }

    enum Fate {
        /// An event that gets its id like any other of the scope.
        case numbered
        /// An event with the id that the realm's file names.
        case named(ObjectId)
        /// No event: when it was committed, the scope was not active yet.
        case none
    }
}

/// One property of one object at one version.
struct LinkOrigin: Sendable, Hashable {
    let object: ObjectIdentity
    let slot: Int
}

/// Names one object at one version.
struct ObjectIdentity: Sendable, Hashable {
    let shape: ClassShape
    let key: Int64
    let version: UInt64

    static func == (left: ObjectIdentity, right: ObjectIdentity) -> Bool {
        left.key == right.key && left.version == right.version && left.shape === right.shape
    }

    func hash(into hasher: inout Hasher) {
        hasher.combine(ObjectIdentifier(shape))
        hasher.combine(key)
        hasher.combine(version)
    }
}

extension ObjectSnapshot {
    /// The name of the object at the version of the snapshot.
    var identity: ObjectIdentity { ObjectIdentity(shape: shape, key: key, version: version) }
}
