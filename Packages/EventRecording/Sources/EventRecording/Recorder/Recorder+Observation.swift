public import EventModel
import Synchronization

extension Recorder: RealmObserver {
    /// Captures the read of one object.
    public func didRead(_ object: ObjectSnapshot) {
        // The clock is read outside of the lock: it is a seam.
        let reading = instantOfRead()
        let isDue = state.withLock { $0.append(object, at: reading) }
        if isDue { continueJournal() }
    }

    /// Makes a ring with the recorder's clock.
    public func makeReadRing() -> ReadRing? { ReadRing(clock: clock) }

    /// Captures the read of one object that a ring did not take, and opens the ring if no other instance reads in between.
    public func didRead(_ object: ObjectSnapshot, through ring: ReadRing) {
        let reading = instantOfRead()
        let isDue = state.withLock { $0.append(object, from: ring, at: reading) }
        if isDue { continueJournal() }
    }

    /// Notes where the realm was in sync at a version, for what will be read at it.
    public func willReport(version: UInt64, at place: SyncReference) {
        let reading = instantOfRead()
        state.withLock { $0.note(PlacedVersion(version: version, place: place), at: reading) }
    }

    /// Captures a query with its matches; one that found nothing only if the configuration says so, with what it asked for.
    public func didEvaluateQuery(
        on shape: ClassShape,
        version: UInt64,
        matches: [ObjectSnapshot],
        terms: () -> SearchTerms
    ) {
        guard recordsEmptyQueries || !matches.isEmpty else { return }
        let asked = matches.isEmpty ? terms() : nil
        let query = CapturedQuery(shape: shape, version: version, matches: matches, terms: asked)
        append(.query(query), byteCount: matches.rowByteCount + (asked?.predicate?.utf8.count ?? 0))
    }

    /// Captures a step along a link, and all targets of a collection at the first step into it.
    public func didFollow(_ link: FollowedLink) {
        let reading = instant()
        let origin = LinkOrigin(
            object: ObjectIdentity(shape: link.parentShape, key: link.parentKey, version: link.version),
            slot: link.slot
        )
        let targets = knownTargets(of: link, origin: origin) ?? readTargets(of: link, origin: origin)
        let follow = CapturedFollow(origin: origin, target: link.target, targets: targets)
        let byteCount = link.target.byteCount + targets.rowByteCount
        let isDue = state.withLock { $0.append(.follow(follow), byteCount: byteCount, at: reading) }
        if isDue { continueJournal() }
    }

    /// Captures a write transaction; of those without changes only one that made no version, because reads end with it.
    public func didCommit(_ changes: CommitChanges, note: CommittedNote?) {
        if let note, let made = note.note as? WriteNote, didKeep(changes, made, note.key) { return }
        guard !changes.classes.isEmpty || changes.versionBefore == changes.versionAfter else { return }
        append(.commit(CapturedWrite(changes: changes)), byteCount: changes.rowByteCount)
    }

    private func append(_ content: Capture.Content, byteCount: Int) {
        let reading = instant()
        let isDue = state.withLock { $0.append(content, byteCount: byteCount, at: reading) }
        if isDue { continueJournal() }
    }

    private func knownTargets(of link: FollowedLink, origin: LinkOrigin) -> [ObjectSnapshot]? {
        let property = link.parentShape.properties[link.slot]
        if property.kind == .link, property.collection == .none { return [] }
        return state.withLock { $0.targets(of: origin) }
    }

    private func readTargets(of link: FollowedLink, origin: LinkOrigin) -> [ObjectSnapshot] {
        let targets = link.allTargets()
        state.withLock { $0.keepTargets(targets, of: origin) }
        return targets
    }
}

extension [ObjectSnapshot] {
    /// How many bytes the rows have, judged by the first one: to look at each would take as long as to capture it.
    fileprivate var rowByteCount: Int { (first?.byteCount ?? 0) * count }
}

extension CommitChanges {
    /// How many bytes the rows have, about.
    var rowByteCount: Int {
        classes.reduce(0) { sum, change in
            sum + change.insertions.rowByteCount + change.deletions.rowByteCount
                + (change.modifications.first?.after.byteCount ?? 0) * 2 * change.modifications.count
        }
    }
}
