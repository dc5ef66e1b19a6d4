package import EventPartitions

/// A damaged place of an event file, and the events that are gone with it.
package struct FileDamage: Encodable, Equatable {
    /// The file.
    package let path: String
    /// The first damaged byte, from 0.
    package let from: UInt64
    /// How many bytes are damaged; 0 for a place where events are missing.
    package let length: UInt64
    /// What is wrong.
    package let reason: String
    /// The first event that cannot be read; nil when none is known to be missing.
    package let firstEvent: UInt64?
    /// The last event that cannot be read.
    package let lastEvent: UInt64?
    /// The last event in front of it, when nothing tells whether there were others behind it.
    package let openBehind: UInt64?

    /// Describes a damage of a file.
    package init(_ damage: PartitionDamage, in path: String) {
        self.path = path
        from = damage.bytes.lowerBound
        length = damage.bytes.upperBound - damage.bytes.lowerBound
        reason = damage.reason
        firstEvent = damage.events?.lowerBound
        lastEvent = damage.events?.upperBound
        openBehind = damage.isOpen ? damage.lastEvent : nil
    }

    /// The damage as sentences: where it is, and what is gone.
    package var sentence: String {
        let place = length == 0 ? "at byte \(from)" : "in bytes \(from) to \(from + length - 1)"
        let damage = "\(path): \(place), \(reason)."
        if let openBehind { return damage + " Whether there were events behind event \(openBehind) is not known." }
        guard let firstEvent, let lastEvent else { return damage + " No event is missing." }
        return firstEvent == lastEvent
            ? damage + " Event \(firstEvent) cannot be read."
            : damage + " Events \(firstEvent) to \(lastEvent) cannot be read."
    }
}
