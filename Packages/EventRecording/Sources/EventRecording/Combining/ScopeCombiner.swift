import EventModel

/// Turns the captures of one scope into events: merges queries and reads, drops repeats, keeps writes.
///
/// The rules are in <doc:Combining>. One capture at a time, O(1) each plus the matches of a query. An event is given
/// out as soon as nothing can be folded into it any more, so that a long scope is never in memory as a whole.
struct ScopeCombiner {
    /// How many writes may wait for a query in front of them; with one more, nothing is folded into the query any more.
    static let maximumWritesBehindQuery = 10_000
    /// How many versions are known at a time with their places in sync.
    ///
    /// An instance names its version once in a scope: a frozen one may read it again when others have gone through thousands.
    static let maximumPlaces = 10_000

    /// The query that the next read may be folded into.
    private var query: CombinedQuery?
    /// The capture that the query's event begins with.
    private var queryStart: Capture?
    /// Where the realm was in sync when the query was evaluated.
    private var queryPlace: SyncReference?
    private var places = KnownPlaces(capacity: maximumPlaces)
    /// The events that come after the query.
    private var behindQuery: [CombinedEvent] = []
    /// The object that the next read is dropped for.
    private var lastObject: ObjectSnapshot?

    /// Combines one more capture.
    ///
    /// - Parameters:
    ///   - capture: The capture.
    ///   - position: Its position in the log, higher than those before.
    ///   - emit: Called with the events that are complete, in order of their first capture.
    mutating func add(_ capture: Capture, at position: Int, emit: (CombinedEvent) -> Void) {
        switch capture.content {
        case .read(let snapshot):
            addRead(snapshot, of: capture, at: position, emit)
        case .follow(let follow):
            addRead(follow.target, of: capture, at: position, emit)
        case .query(let query):
            addQuery(query, of: capture, at: position, emit)
        case .commit(let write) where write.changes.classes.isEmpty:
            // An empty transaction makes no event; it made no version either, so that reads must be distinguished here.
            finish(emit: emit)
        case .commit(let write):
            addWrite(CombinedEvent(.write(write), from: capture, at: write.changes.sync), emit)
        case .place(let version):
            places.note(version)
        }
    }

    /// Gives out the events that are left; nothing is folded into them any more.
    mutating func finish(emit: (CombinedEvent) -> Void) {
        lastObject = nil
        guard let query, let queryStart else { return }
        emit(CombinedEvent(.query(query), from: queryStart, at: queryPlace))
        for event in behindQuery { emit(event) }
        self.query = nil
        self.queryStart = nil
        behindQuery = []
    }

    private mutating func addRead(
        _ snapshot: ObjectSnapshot,
        of capture: Capture,
        at position: Int,
        _ emit: (CombinedEvent) -> Void
    ) {
        if query?.accepts(snapshot.shape, version: snapshot.version, isEmpty: false) == true {
            query?.append(snapshot, position: position)
        } else if lastObject != snapshot {
            finish(emit: emit)
            emit(CombinedEvent(.object(snapshot, position: position), from: capture, at: places[snapshot.version]))
            lastObject = snapshot
        }
    }

    private mutating func addQuery(
        _ added: CapturedQuery,
        of capture: Capture,
        at position: Int,
        _ emit: (CombinedEvent) -> Void
    ) {
        let isEmpty = added.matches.isEmpty
        if query?.accepts(added.shape, version: added.version, isEmpty: isEmpty, terms: added.terms) == true {
            query?.append(added.matches, position: position)
        } else {
            finish(emit: emit)
            query = CombinedQuery(added, position: position)
            queryStart = capture
            queryPlace = places[added.version]
        }
    }

    /// A write neither merges nor ends the merging of reads: another instance may still read the old version.
    private mutating func addWrite(_ event: CombinedEvent, _ emit: (CombinedEvent) -> Void) {
        guard query != nil else { return emit(event) }
        behindQuery.append(event)
        if behindQuery.count > Self.maximumWritesBehindQuery { finish(emit: emit) }
    }
}
