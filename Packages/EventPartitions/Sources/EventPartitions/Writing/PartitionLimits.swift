public import EventModel

/// How large partitions and events may become.
public struct PartitionLimits: Sendable, Hashable {
    /// The size in bytes that a file does not grow beyond, except by one event, the losses and the seal; 256 MiB by default.
    ///
    /// A partition is deleted from the device only as a whole, so this is also how much stays behind at least. With a quota
    /// that drops old partitions, a quarter of the quota is the most.
    public var partitionBytes: UInt64

    /// The largest encoding of an event in bytes that is accepted; 15,777,217 by default, what one upload may carry.
    public var eventBytes: Int

    /// Creates limits.
    public init(partitionBytes: UInt64 = 256 << 20, eventBytes: Int = 15_777_217) {
        self.partitionBytes = partitionBytes
        self.eventBytes = eventBytes
    }

    /// Checks the limits.
    ///
    /// - Throws: `EventModelError.invalidParameter` when a partition or an event may not have a single byte, or an event
    ///   more than a frame can hold.
    public func validate() throws(EventModelError) {
        guard partitionBytes > 0, partitionBytes <= 1 << 62 else {
            throw .invalidParameter("partitionBytes", reason: "\(partitionBytes) is not from 1 byte to 4 EiB")
        }
        let largest = FrameHeader.maximumPayload - 16
        guard eventBytes > 0, eventBytes <= largest else {
            throw .invalidParameter("eventBytes", reason: "\(eventBytes) is not from 1 byte to \(largest)")
        }
    }

    /// Lets a quota drop a quarter of itself at a time, and not all that it has.
    func fitting(_ quota: EventQuota) -> PartitionLimits {
        guard quota.policy == .dropOldest else { return self }
        return PartitionLimits(partitionBytes: min(partitionBytes, max(1, quota.bytes / 4)), eventBytes: eventBytes)
    }
}
