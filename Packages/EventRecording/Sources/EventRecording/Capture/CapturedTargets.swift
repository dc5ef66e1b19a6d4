import EventModel

/// The targets of followed collections, so that each collection is read once and not at each of its elements.
///
/// Holds at most ``capacity`` collections and forgets them all when it is full: asking the store again is correct, only
/// slower.
struct CapturedTargets: Sendable {
    /// How many collections are held at most.
    static let capacity = 128

    private var targets: [LinkOrigin: [ObjectSnapshot]] = [:]

    /// The targets of a property, or nil when they are not known.
    subscript(origin: LinkOrigin) -> [ObjectSnapshot]? { targets[origin] }

    /// Keeps the targets of a property.
    mutating func insert(_ snapshots: [ObjectSnapshot], for origin: LinkOrigin) {
        if targets.count == Self.capacity { targets.removeAll(keepingCapacity: true) }
        targets[origin] = snapshots
    }

    /// Forgets everything.
    mutating func removeAll() {
        if !targets.isEmpty { targets = [:] }
    }
}
