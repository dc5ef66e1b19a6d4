import Observation

/// The properties of objects that Swift's Observation tracks in one instance, and the way to those who track them.
///
/// It belongs to the executor of its instance. A property is forgotten when its trackers are told, because then Observation forgets it,
/// too. Nobody tells when a tracker goes away: before the properties of more than ``maximumCount`` objects were kept in mind, all
/// trackers are told, and those who are still there read again.
final class PropertyTracking: Observable {
    /// Of how many objects the properties are kept in mind.
    static let maximumCount = 65_536

    private let registrar = ObservationRegistrar()
    private let probe = TrackingProbe()
    private var rows: [ObjectIdentifier: [Int64: SlotSet]] = [:]
    private var count = 0
    /// The version that the trackers know; meaningless while there are none.
    private(set) var version: UInt64 = 0

    /// Whether anything is tracked.
    var isActive: Bool { count > 0 }

    /// Whether somebody tracks what is read now.
    var isTracked: Bool { probe.isTracked }

    private subscript(place: TrackedPlace) -> Void { () }

    /// Notes that somebody tracks a property that was read.
    ///
    /// - Parameters:
    ///   - place: The property.
    ///   - version: The version that was read.
    func track(_ place: TrackedPlace, at version: UInt64) {
        let known = rows[place.schema]?[place.key]
        if known == nil {
            if count >= Self.maximumCount { tell { $1 } }
            if count == 0 { self.version = version }
            count += 1
        }
        if known?.contains(place.slot) != true {
            rows[place.schema, default: [:]][place.key, default: SlotSet()].insert(place.slot)
        }
        registrar.access(self, keyPath: \.[place])
    }

    /// Tells the trackers of what changed since they read it, and forgets them.
    ///
    /// - Parameters:
    ///   - changes: What changed since ``version``.
    ///   - newest: The version that is read now.
    func tell(_ changes: TrackedChanges, upTo newest: UInt64) {
        version = newest
        tell(changes.changed)
    }

    private func tell(_ changed: (_ schema: ObjectIdentifier, _ rows: [Int64: SlotSet]) -> [Int64: SlotSet]) {
        var told: [TrackedPlace] = []
        for (schema, tracked) in rows {
            for (key, slots) in changed(schema, tracked) {
                told += slots.slots.map { TrackedPlace(schema, key, slot: $0) }
                forget(slots, of: key, schema)
            }
        }
        // Only now, because those who are told may read, and so track, again.
        for place in told {
            registrar.willSet(self, keyPath: \.[place])
            registrar.didSet(self, keyPath: \.[place])
        }
    }

    private func forget(_ slots: SlotSet, of key: Int64, _ schema: ObjectIdentifier) {
        guard let tracked = rows[schema]?[key] else { return }
        let rest = tracked.subtracting(slots)
        rows[schema]?[key] = rest.isEmpty ? nil : rest
        if rest.isEmpty { count -= 1 }
    }
}
