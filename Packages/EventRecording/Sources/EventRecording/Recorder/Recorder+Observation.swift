public import EventModel
import Synchronization

extension Recorder: RealmObserver {
    /// Captures the read of one object.
    public func didRead(_ object: ObjectSnapshot) {
        // The clock is read outside of the lock: it is a seam, and the longest part of a capture.
        let reading = instant()
        state.withLock { $0.append(object, at: reading) }
    }

    /// Captures a query with its matches; a query that found nothing only if the configuration says so.
    public func didEvaluateQuery(on shape: ClassShape, version: UInt64, matches: [ObjectSnapshot]) {
        guard recordsEmptyQueries || !matches.isEmpty else { return }
        append(.query(CapturedQuery(shape: shape, version: version, matches: matches)))
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
        state.withLock { $0.append(.follow(follow), at: reading) }
    }

    /// Captures a write transaction; of those without changes only one that made no version, because reads end with it.
    public func didCommit(_ changes: CommitChanges) {
        guard !changes.classes.isEmpty || changes.versionBefore == changes.versionAfter else { return }
        append(.commit(changes))
    }

    private func append(_ content: Capture.Content) {
        let reading = instant()
        state.withLock { $0.append(content, at: reading) }
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
