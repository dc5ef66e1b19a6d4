package import EventModel

/// One way of the verification through everything that is stored.
package struct CheckPass: Sendable, Hashable, Codable {
    /// When it began.
    package let began: EventInstant
    /// When it was at its end; nil while it is under way.
    package var ended: EventInstant?
    /// How many partitions were verified, event by event.
    package var partitions: UInt64 = 0
    /// How many of these are sealed, and so in the log.
    package var sealedPartitions: UInt64 = 0
    /// How many events these partitions have.
    package var events: UInt64 = 0

    /// Begins a pass.
    package init(began: EventInstant) {
        self.began = began
    }
}
