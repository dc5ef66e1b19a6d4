import EventModel

/// Turns the captures of one scope into events: merges queries and reads, drops repeats, keeps writes.
///
/// The rules are in <doc:Combining>. One capture at a time, O(1) each plus the matches of a query.
struct ScopeCombiner {
    /// The event that the next read may be folded into.
    private enum Open {
        case nothing
        case query(Int)
        case object(ObjectSnapshot)
    }

    /// The events, in order of their first capture.
    private(set) var events: [CombinedEvent] = []
    /// The queries among the events.
    private(set) var queries: [CombinedQuery] = []
    /// The links that were followed.
    private(set) var links = FollowedLinks()
    private var open = Open.nothing

    /// Combines the captures of a scope.
    init(_ captures: CaptureStretch) {
        captures.visit { capture, position in add(capture, at: position) }
    }

    private mutating func add(_ capture: Capture, at position: Int) {
        switch capture.content {
        case .read(let snapshot):
            addRead(snapshot, of: capture, at: position)
        case .follow(let follow):
            // The link counts even when the read of its target is folded or dropped below.
            links.insert(follow, at: position)
            addRead(follow.target, of: capture, at: position)
        case .query(let query):
            addQuery(query, of: capture, at: position)
        case .commit(let changes):
            if changes.classes.isEmpty {
                // An empty transaction makes no event; it made no version either, so that reads must be told apart here.
                open = .nothing
            } else {
                // A write neither merges nor ends the merging of reads: another instance may still read the old version.
                events.append(CombinedEvent(.write(changes), from: capture))
            }
        }
    }

    private mutating func addRead(_ snapshot: ObjectSnapshot, of capture: Capture, at position: Int) {
        switch open {
        case .query(let index)
        where queries[index].accepts(snapshot.shape, version: snapshot.version, isEmpty: false):
            queries[index].append(snapshot, position: position)
        case .object(let last) where last == snapshot:
            break
        case .query, .object, .nothing:
            events.append(CombinedEvent(.object(snapshot, position: position), from: capture))
            open = .object(snapshot)
        }
    }

    private mutating func addQuery(_ query: CapturedQuery, of capture: Capture, at position: Int) {
        if case .query(let index) = open,
            queries[index].accepts(query.shape, version: query.version, isEmpty: query.matches.isEmpty)
        {
            queries[index].append(query.matches, position: position)
        } else {
            open = .query(queries.count)
            events.append(CombinedEvent(.query(queries.count), from: capture))
            queries.append(CombinedQuery(query, position: position))
        }
    }
}
