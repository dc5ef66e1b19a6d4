import EventModel

/// When closed partitions are looked at, and which of them are to go.
struct RetentionSchedule: Sendable {
    /// What the decision needs to know of a closed partition.
    struct Candidate: Sendable {
        let partition: PartitionID
        let byteCount: UInt64
        let count: UInt64
        /// When its last event happened.
        let last: EventInstant?
    }

    /// Partitions are looked at once in this time at least, in nanoseconds: one hour.
    static let longestPause: UInt64 = 3_600_000_000_000

    private let retention: EventRetention
    private var due: UInt64?

    /// Creates a schedule; the first look is due at once.
    init(_ retention: EventRetention) {
        self.retention = retention
        due = retention == .everything ? nil : 0
    }

    /// Whether it is time to look.
    func isDue(now: UInt64) -> Bool { due.map { $0 <= now } ?? false }

    /// Notes that a partition was closed, which may be one too many.
    mutating func didSeal() {
        if due != nil { due = 0 }
    }

    /// Notes that partitions were looked at.
    mutating func didLook(now: UInt64) {
        guard due != nil else { return }
        let eighth = retention.maximumAge.map { $0.nanoseconds / 8 }
        due = now + min(Self.longestPause, eighth ?? Self.longestPause)
    }

    /// Whether a partition that is written to should be closed, because its first event is old enough.
    func shouldClose(first: EventInstant, now: EventInstant) -> Bool {
        guard let maximumAge = retention.maximumAge else { return false }
        return now.microseconds - first.microseconds > maximumAge.microseconds / 4
    }

    /// Chooses what is to go.
    ///
    /// A partition that holds nothing but losses goes with a later one only: its ledger has to be kept somewhere anyway.
    ///
    /// - Parameters:
    ///   - closed: The closed partitions, oldest first.
    ///   - now: The wall clock.
    /// - Returns: The partitions to delete, oldest first.
    func victims(of closed: [Candidate], now: EventInstant) -> [PartitionID] {
        var bytes = closed.reduce(0) { $0 + $1.byteCount }
        var victims: [PartitionID] = []
        var withoutEvents: [PartitionID] = []
        for candidate in closed {
            guard candidate.count > 0 else {
                withoutEvents.append(candidate.partition)
                continue
            }
            guard isTooOld(candidate, now: now) || isTooMuch(bytes) else { continue }
            victims += withoutEvents + [candidate.partition]
            withoutEvents = []
            bytes -= candidate.byteCount
        }
        return victims
    }

    private func isTooOld(_ candidate: Candidate, now: EventInstant) -> Bool {
        guard let maximumAge = retention.maximumAge, let last = candidate.last else { return false }
        return now.microseconds - last.microseconds > maximumAge.microseconds
    }

    private func isTooMuch(_ bytes: UInt64) -> Bool {
        retention.maximumBytes.map { bytes > $0 } ?? false
    }
}

extension Duration {
    /// Whole microseconds; the largest number when there are more.
    var microseconds: Int64 {
        let (seconds, attoseconds) = components
        let (product, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000)
        let (sum, isTooLarge) = product.addingReportingOverflow(attoseconds / 1_000_000_000_000)
        return overflow || isTooLarge ? .max : sum
    }

    /// Whole nanoseconds, from 0 on; the largest number when there are more.
    var nanoseconds: UInt64 {
        let (product, overflow) = UInt64(clamping: microseconds).multipliedReportingOverflow(by: 1000)
        return overflow ? .max : product
    }
}
