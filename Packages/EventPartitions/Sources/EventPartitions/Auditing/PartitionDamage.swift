/// A place of a file that is not what was written, and the events that this takes away.
public struct PartitionDamage: Sendable, Hashable {
    /// Which bytes of the file are not what was written.
    public let bytes: Range<UInt64>
    /// What is wrong there, the middle of a sentence.
    public let reason: String
    /// The sequences of the events that cannot be read because of it; nil when none is known to be missing.
    ///
    /// Of several damaged places between two events that can be read, each has all that are missing there.
    public internal(set) var events: ClosedRange<UInt64>?
    /// The last event that could be read in front of it; 0 for none.
    public let lastEvent: UInt64
    /// Whether neither a later event nor a seal shows what is missing.
    public internal(set) var isOpen = true
}

/// Finds out which events a damage takes away, while a file is read from its front.
struct DamageNotes {
    private(set) var damages: [PartitionDamage] = []
    /// The first damage behind the last event that could be read.
    private var firstOpen = 0
    private var lastSequence: UInt64 = 0

    mutating func note(_ error: PartitionError) {
        guard case .damaged(_, let bytes, let reason) = error else { return }
        damages.append(PartitionDamage(bytes: bytes, reason: reason, events: nil, lastEvent: lastSequence))
    }

    /// Notes an event that could be read.
    mutating func note(event sequence: UInt64) {
        close(before: sequence)
        lastSequence = max(lastSequence, sequence)
    }

    /// Notes the end of the file, where a seal says how many events there were.
    mutating func finish(sealed count: UInt64?) {
        if let count, count < .max { close(before: count + 1) }
    }

    private mutating func close(before sequence: UInt64) {
        for index in firstOpen..<damages.count {
            damages[index].isOpen = false
            if sequence > lastSequence + 1 { damages[index].events = (lastSequence + 1)...(sequence - 1) }
        }
        firstOpen = damages.count
    }
}
