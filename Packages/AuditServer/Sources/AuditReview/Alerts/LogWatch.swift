package import AuditModel
package import EventModel
package import EventProofs

/// Looks for partitions that are missing between others, and for losses, along the log of sealed partitions.
///
/// Its memory is bounded by the number of devices: of each chain of partitions it knows the end alone.
package struct LogWatch: Sendable {
    /// What is kept of a partition: not its ledger, which may be long.
    package struct Follower: Sendable, Hashable {
        package let index: UInt64
        package let partition: PartitionID
        package let owner: EventOwner
        package let first: EventInstant?
        package let received: EventInstant

        package init(_ entry: PartitionLogEntry) {
            index = entry.index
            partition = entry.partition
            owner = entry.owner
            first = entry.seal.first
            received = entry.received
        }
    }

    /// How many partitions wait for the one before them at most; of more, the oldest are looked at no more.
    package static let maximumWaiting = 10_000

    /// The place of the entry that comes next.
    package private(set) var next: UInt64 = 0
    /// The ends of the chains, and the partitions whose one before did not come yet.
    private var chains = PartitionChains<Follower>(remembering: .ends, maximumGaps: LogWatch.maximumWaiting)
    /// How much had been said of keys when the whole log was looked through for it.
    private var looked: (count: Int, through: EntryPlace?) = (0, nil)
    /// The conflict that was seen last, see `EventConflict`.
    package private(set) var lastConflict: Int64 = 0

    /// Looks at the next entry of the log, and returns the alert of what its device lost.
    package mutating func see(_ entry: PartitionLogEntry) -> Alert? {
        next = entry.index + 1
        _ = chains.add(entry.seal, of: entry.owner, as: Follower(entry))
        return loss(entry)
    }

    /// Looks at the next event that has the id of another one, and returns its alert.
    package mutating func see(_ conflict: EventConflict) -> Alert {
        lastConflict = conflict.number
        var alert = Alert(
            rule: "conflicts",
            .conflict,
            of: conflict.owner,
            subject: [conflict.address.partition.value, "\(conflict.address.sequence)"],
            from: conflict.received,
            through: conflict.received
        )
        alert.partition = conflict.address.partition
        alert.sequence = conflict.address.sequence
        alert.detail = "another event of this user has the same id; both are stored"
        return alert
    }

    /// Returns whether more was said of the keys of devices since the log was looked through.
    ///
    /// - Parameters:
    ///   - count: Of how many keys something was said.
    ///   - place: Where it was said last.
    /// - Returns: Whether it was, or something was taken back.
    package func needsLook(for count: Int, through place: EntryPlace?) -> Bool {
        count != looked.count || place != looked.through
    }

    /// Notes that the log was looked through.
    package mutating func didLook(for count: Int, through place: EntryPlace?) { looked = (count, place) }

    private func loss(_ entry: PartitionLogEntry) -> Alert? {
        let losses = entry.seal.losses.filter(\.reason.losesEvents)
        guard let from = losses.map(\.noticed).min() else { return nil }
        var alert = Alert(
            rule: "losses",
            .loss,
            of: entry.owner,
            subject: [entry.partition.value],
            from: from,
            through: entry.received
        )
        alert.partition = entry.partition
        // Sums of what devices say must not trap.
        alert.count = losses.reduce(0) { sum, loss in
            let (total, isOverflow) = sum.addingReportingOverflow(loss.count)
            return isOverflow ? .max : total
        }
        // TEXT: names of reasons, which are ours.
        let reasons = Set(losses.map(\.reason.rawValue)).sorted()
        alert.detail = "the device's ledger says why: \(reasons.joined(separator: ", "))"
        return alert
    }

    /// Returns the partitions whose one before did not come within a time.
    package func overdue(at now: EventInstant, after microseconds: Int64) -> [PartitionChains<Follower>.Gap] {
        chains.gaps.filter { $0.follower.received.microseconds + microseconds <= now.microseconds }
    }

    /// Ends the waiting for a partition, because it is told of, or is there after all.
    package mutating func settle(_ name: ChainName) {
        chains.settle(name)
    }

    /// Makes the alert that the partition before one is missing.
    package static func gap(_ follower: Follower) -> Alert {
        var alert = Alert(
            rule: "gaps",
            .gap,
            of: follower.owner,
            subject: [follower.partition.value],
            from: follower.first ?? follower.received,
            through: follower.received
        )
        alert.partition = follower.partition
        alert.detail = "the partition before this one is missing"
        return alert
    }
}
