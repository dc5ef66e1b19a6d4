/// How much of a user's events may wait on the device, and what happens to more.
///
/// Every file below `<directory>/realm-audit/<app id>/<user id>/` counts, whatever its prefix and whichever process writes
/// it: events, partitions that are kept aside, journals of open scopes.
public struct EventQuota: Sendable, Hashable {
    /// What happens when the limit is reached.
    public enum Policy: Sendable, Hashable, CaseIterable {
        /// Refuses new events until there is room again: completions get an error that says so.
        ///
        /// What is on the device stays. A number for the refused events is in the loss ledger.
        case refuseNew
        /// Drops the oldest closed partition of the same prefix that this process holds, until the new events fit.
        ///
        /// Partitions that the server has proven to hold go first. What goes otherwise is in the loss ledger, with its
        /// sequences and its root. Where nothing can be dropped, because other prefixes or processes fill the room, new
        /// events are refused. A partition then rolls over at a quarter of the limit at the latest, so that no more goes at
        /// once.
        case dropOldest
    }

    /// No limit: what waits may fill the disk.
    public static let unlimited = EventQuota(bytes: .max)

    /// The smallest limit that a configuration may set: 256 KiB.
    public static let minimumBytes: UInt64 = 256 << 10

    /// The limit in bytes; 512 MiB by default.
    ///
    /// Seals and entries of the ledger, some hundred bytes for each partition, are written beyond it. Several processes may
    /// together exceed it by 64 KiB each.
    public var bytes: UInt64

    /// What happens when the limit is reached; ``Policy/refuseNew`` by default.
    public var policy: Policy

    /// Creates a quota, which is not checked before ``validate()``.
    public init(bytes: UInt64 = 512 << 20, policy: Policy = .refuseNew) {
        self.bytes = bytes
        self.policy = policy
    }
}

extension EventQuota {
    /// Checks the limit.
    ///
    /// - Throws: ``EventModelError/invalidParameter(_:reason:)`` when it is below ``minimumBytes``.
    public func validate() throws(EventModelError) {
        guard bytes >= Self.minimumBytes else {
            let reason = "\(bytes) bytes are too few to work with, the least is \(Self.minimumBytes)"
            throw .invalidParameter("quota.bytes", reason: reason)
        }
    }
}
