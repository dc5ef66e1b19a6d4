import EventPartitions

/// A damaged place of an event file, and the events that are gone with it.
struct FileDamage: Encodable, Equatable {
    /// The file.
    let path: String
    /// The first damaged byte, from 0.
    let from: UInt64
    /// How many bytes are damaged; 0 for a place where events are missing.
    let length: UInt64
    /// What is wrong.
    let reason: String
    /// The first event that cannot be read; nil when none is known to be missing.
    let firstEvent: UInt64?
    /// The last event that cannot be read.
    let lastEvent: UInt64?
    /// The last event in front of it, when nothing tells whether there were others behind it.
    let openBehind: UInt64?

    /// Describes a damage of a file.
    init(_ damage: PartitionDamage, in path: String) {
        self.path = path
        from = damage.bytes.lowerBound
        length = damage.bytes.upperBound - damage.bytes.lowerBound
        reason = damage.reason
        firstEvent = damage.events?.lowerBound
        lastEvent = damage.events?.upperBound
        openBehind = damage.isOpen ? damage.lastEvent : nil
    }

    /// The damage as sentences: where it is, and what is gone.
    var sentence: String {
        let place = length == 0 ? "at byte \(from)" : "in bytes \(from) to \(from + length - 1)"
        let damage = "\(path): \(place), \(reason)."
        if let openBehind { return damage + " Whether there were events behind event \(openBehind) is not known." }
        guard let firstEvent, let lastEvent else { return damage + " No event is missing." }
        return firstEvent == lastEvent
            ? damage + " Event \(firstEvent) cannot be read."
            : damage + " Events \(firstEvent) to \(lastEvent) cannot be read."
    }
}
