/// One entry of the loss ledger: what was recorded and is gone, and why.
///
/// The seal of the partition that an entry lies in signs it. An entry that names a partition is written before that
/// partition goes; if the process ends in between, the partition is still there, and nothing of it is missing.
public struct LossEntry: Sendable, Hashable, Codable {
    /// Why something was lost.
    public enum Reason: String, Sendable, Hashable, Codable, CaseIterable {
        /// More would have waited than the quota allows; the policy says whether new events or old ones had to go.
        case quota
        /// The event was larger than can ever be stored or sent.
        case tooLarge
        /// A file or a journal did not hold any more what was written to it.
        case damaged
        /// The disk did not take the events, or nobody knows whether it did.
        case writeFailed
        /// The payload could not be made; the event itself is stored, with a mark.
        case encodingFailed
        /// The events of the local destination were older, or more, than the app wants to keep.
        case retention
        /// The process ended within a scope, and the app wants such scopes to be discarded.
        case interrupted
        /// A file was not there any more, or was not the one that was sealed, and not by this library.
        case missing
        /// The device's index of sealed partitions had to be begun anew: what is missing from before is not known.
        case indexLost

        /// Whether whole events are missing, and not only their payloads.
        public var losesEvents: Bool { self != .encodingFailed }
    }

    /// Why.
    public let reason: Reason
    /// How many events.
    public let count: UInt64
    /// When the loss was noticed.
    public let noticed: EventInstant
    /// When the first of the events happened; nil when nobody knows.
    public let first: EventInstant?
    /// When the last of the events happened; nil when nobody knows.
    public let last: EventInstant?
    /// The partition that the events were stored in; nil when they never were.
    public let partition: PartitionID?
    /// The sequences that the events had there; nil when they never had any, or nobody knows.
    public let sequences: ClosedRange<UInt64>?
    /// The root of that partition's seal, so that a copy which turns up somewhere can be recognised.
    public let root: Digest?

    /// Creates an entry; what is nil is not known.
    public init(
        reason: Reason,
        count: UInt64,
        noticed: EventInstant,
        first: EventInstant? = nil,
        last: EventInstant? = nil,
        partition: PartitionID? = nil,
        sequences: ClosedRange<UInt64>? = nil,
        root: Digest? = nil
    ) {
        self.reason = reason
        self.count = count
        self.noticed = noticed
        self.first = first
        self.last = last
        self.partition = partition
        self.sequences = sequences
        self.root = root
    }

    /// Returns one entry for this and another one of the same reason, which keeps counts and times alone.
    ///
    /// - Precondition: The reasons are the same.
    public func merged(with other: LossEntry) -> LossEntry {
        precondition(reason == other.reason, "Only losses for the same reason can be entered as one.")
        let (sum, isOverflow) = count.addingReportingOverflow(other.count)
        return LossEntry(
            reason: reason,
            count: isOverflow ? .max : sum,
            noticed: max(noticed, other.noticed),
            first: [first, other.first].compactMap(\.self).min(),
            last: [last, other.last].compactMap(\.self).max()
        )
    }
}

extension LossEntry: CustomStringConvertible {
    /// A sentence that says how many events are missing, why, and of when and where.
    public var description: String {
        var text = "\(count) \(count == 1 ? "event" : "events") lost"
        if !reason.losesEvents { text = "\(count) \(count == 1 ? "payload" : "payloads") lost" }
        text += " (\(reason.rawValue)), noticed \(noticed)"
        if let partition { text += ", of \(partition)" }
        if let sequences { text += ", sequences \(sequences.lowerBound) to \(sequences.upperBound)" }
        if let first, let last { text += ", of the time from \(first) to \(last)" }
        return text
    }
}

extension Sequence<LossEntry> {
    /// How many events are missing in all; the greatest number when the entries claim more than that.
    ///
    /// Payloads that could not be made do not count: their events are there.
    ///
    /// - Complexity: O(*n*) in the number of entries.
    public var eventCount: UInt64 {
        reduce(0) { sum, entry in
            guard entry.reason.losesEvents else { return sum }
            let (next, isOverflow) = sum.addingReportingOverflow(entry.count)
            return isOverflow ? .max : next
        }
    }
}
