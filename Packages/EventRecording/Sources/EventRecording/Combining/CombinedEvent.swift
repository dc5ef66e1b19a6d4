import EventModel

/// One event of a scope after combining, before its payload is made.
struct CombinedEvent {
    enum Content {
        /// The read of one object, and where in the log it is.
        case object(ObjectSnapshot, position: Int)
        /// A query with the reads that were folded into it.
        case query(CombinedQuery)
        /// A write transaction.
        case write(CapturedWrite)
    }

    /// The wall clock at the first capture.
    let wall: EventInstant
    /// The monotonic clock at the first capture.
    let monotonicNanoseconds: UInt64
    let content: Content
    /// Where the realm was in sync, and which changes a write became; nil when nobody said.
    let place: SyncReference?

    /// Creates an event that begins with a capture.
    init(_ content: Content, from capture: Capture, at place: SyncReference?) {
        wall = capture.wall
        monotonicNanoseconds = capture.monotonicNanoseconds
        self.content = content
        self.place = place
    }
}

extension CombinedEvent {
    /// What becomes of the event in a scope, and which id it has.
    func fate(in scope: Int) -> CapturedWrite.Fate {
        if case .write(let write) = content { write.fate(in: scope) } else { .numbered }
    }
}

/// The objects of a query event: the query's own order, then what was folded in, each object once.
struct CombinedQuery {
    /// An object, and where in the log it was first read.
    struct Member {
        let snapshot: ObjectSnapshot
        let position: Int
    }

    let shape: ClassShape
    let version: UInt64
    /// What was asked for by searches that found nothing.
    let terms: SearchTerms?
    private(set) var members: [Member] = []
    /// The keys of the members; nil while they are the matches of one query in the order of their keys, of which none comes twice.
    private var keys: Set<Int64>?
    private var lastMatches: [ObjectSnapshot] = []

    init(_ query: CapturedQuery, position: Int) {
        shape = query.shape
        version = query.version
        terms = query.terms
        lastMatches = query.matches
        if query.matches.areAscending {
            members = query.matches.map { Member(snapshot: $0, position: position) }
        } else {
            append(all: query.matches, position: position)
        }
    }

    /// Whether a capture of the same class at the same version belongs in this event.
    ///
    /// A search that found nothing stays alone, but for another one that asked for the same: folded into one of other terms
    /// it would not be seen any more.
    func accepts(_ shape: ClassShape, version: UInt64, isEmpty: Bool, terms: SearchTerms? = nil) -> Bool {
        self.shape === shape && self.version == version && members.isEmpty == isEmpty && self.terms == terms
    }

    /// Adds the objects that are not here yet.
    mutating func append(_ matches: [ObjectSnapshot], position: Int) {
        // A result that the program looks at again arrives as the same array; it holds nothing new.
        guard !matches.isIdentical(to: lastMatches) else { return }
        lastMatches = matches
        append(all: matches, position: position)
    }

    private mutating func append(all matches: [ObjectSnapshot], position: Int) {
        members.reserveCapacity(members.count + matches.count)
        for snapshot in matches { append(snapshot, position: position) }
    }

    /// Adds an object that is not here yet.
    mutating func append(_ snapshot: ObjectSnapshot, position: Int) {
        var known = keys.take() ?? Set(members.lazy.map(\.snapshot.key))
        let isNew = known.insert(snapshot.key).inserted
        keys = consume known
        guard isNew else { return }
        members.append(Member(snapshot: snapshot, position: position))
    }
}

extension [ObjectSnapshot] {
    /// Whether each key is greater than the one before.
    fileprivate var areAscending: Bool {
        var last = Int64.min
        for (index, snapshot) in enumerated() {
            let key = snapshot.key
            guard index == 0 || key > last else { return false }
            last = key
        }
        return true
    }

    /// Whether both arrays share their memory, so that they are equal without a look at the elements.
    fileprivate func isIdentical(to other: [ObjectSnapshot]) -> Bool {
        count == other.count
            && withUnsafeBufferPointer { own in
                other.withUnsafeBufferPointer { own.baseAddress == $0.baseAddress }
            }
    }
}
