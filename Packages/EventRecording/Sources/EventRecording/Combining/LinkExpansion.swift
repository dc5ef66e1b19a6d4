import EventModel

/// Gives an object that was read the full targets of the links that were followed from it, and theirs in turn.
///
/// An object that would contain itself is cut: the repeated one is shown by its primary key. A tree of many objects
/// that link to each other has more paths than memory, and a long chain more levels than a stack; ``maximumDepth`` and
/// ``maximumNestedObjects`` bound both.
struct LinkExpansion {
    /// How many levels of targets are shown in full at most.
    static let maximumDepth = 32
    /// How many objects on the second and deeper levels one event shows in full at most.
    static let maximumNestedObjects = 10_000

    private let links: FollowedLinks
    private var nestedObjectsLeft = Self.maximumNestedObjects

    /// Starts the expansion of one event.
    init(_ links: FollowedLinks) {
        self.links = links
    }

    /// Returns the object with the links that were followed after its read.
    mutating func expand(_ snapshot: ObjectSnapshot, readAt position: Int) -> ReadObject {
        guard !links.isEmpty else { return ReadObject(snapshot: snapshot) }
        return expand(snapshot, readAt: position, above: [])
    }

    private mutating func expand(
        _ snapshot: ObjectSnapshot,
        readAt position: Int,
        above: Set<ObjectIdentity>
    ) -> ReadObject {
        let steps = above.count < Self.maximumDepth ? links.steps(from: snapshot.identity, after: position) : []
        guard !steps.isEmpty else { return ReadObject(snapshot: snapshot) }
        let path = above.union(CollectionOfOne(snapshot.identity))
        let followed = steps.map { step in
            var targets: [Int64: ReadObject] = [:]
            for target in step.targets where !path.contains(target.identity) && takesSpace(at: path.count) {
                targets[target.key] = expand(target, readAt: position, above: path)
            }
            return FollowedProperty(slot: step.slot, targets: targets)
        }
        return ReadObject(snapshot: snapshot, followed: followed)
    }

    /// Takes the space of one object at a level, the first being 1; the first level is bounded by what was captured.
    private mutating func takesSpace(at level: Int) -> Bool {
        guard level > 1 else { return true }
        guard nestedObjectsLeft > 0 else { return false }
        nestedObjectsLeft -= 1
        return true
    }
}
