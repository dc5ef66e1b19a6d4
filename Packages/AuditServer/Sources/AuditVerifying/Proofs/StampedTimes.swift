import AuditModel
import EventModel
import EventProofs
import TimeStamping

/// Holds a log, and the times of receipt in it, against checkpoints that an authority of time has seen.
///
/// What was in one existed before, and what was not came later.
///
/// ```
///   entry 0 … 41 │ 42 … 96 │ 97 …
///         stamp at 10:00  stamp at 11:00
///   entry 50 was received between 10:00 and 11:00, or the server's clock, or the server, is wrong
/// ```
struct StampedTimes: Sendable {
    /// How far a time of receipt may be beyond a time-stamp without a word, in microseconds: clocks differ, and uploads wait for disks.
    static let tolerance: Int64 = 600_000_000

    /// What does not fit, told once for all entries that have it.
    private struct Misfit {
        let entry: PartitionLogEntry
        let time: EventInstant
        var others: UInt64 = 0
    }

    private var waiting: ArraySlice<StampedCheckpoint>
    private var last: StampedCheckpoint?
    private var early: Misfit?
    private var late: Misfit?
    /// The time-stamps that are of this log.
    private(set) var proven: [StampedCheckpoint] = []
    /// A sentence for each that is not.
    private(set) var problems: [String] = []

    init(_ stamped: [StampedCheckpoint] = []) {
        waiting = stamped.sorted { $0.checkpoint.size < $1.checkpoint.size }[...]
    }

    /// Compares the root over the first entries with the time-stamps of as many.
    mutating func compare(_ frontier: MerkleFrontier) {
        while let next = waiting.first, next.checkpoint.size <= frontier.count {
            waiting.removeFirst()
            guard next.checkpoint.size == frontier.count, next.checkpoint.root == frontier.root else {
                problems.append(
                    "The first \(next.checkpoint.size) entries of the log are not those that were time-stamped at \(next.stamp.time)."
                )
                continue
            }
            proven.append(next)
            last = next
        }
    }

    /// Compares the time of receipt of the next entry with the time-stamps around it.
    mutating func add(_ entry: PartitionLogEntry) {
        if let last, entry.received.microseconds < last.stamp.time.microseconds &- Self.tolerance {
            if early == nil { early = Misfit(entry: entry, time: last.stamp.time) } else { early?.others += 1 }
        }
        if let next = waiting.first, entry.received.microseconds &- Self.tolerance > next.stamp.latest.microseconds {
            if late == nil { late = Misfit(entry: entry, time: next.stamp.latest) } else { late?.others += 1 }
        }
    }

    /// What somebody should look at, once all entries were added.
    var remarks: [String] {
        var sentences: [String] = []
        if let early {
            sentences.append(
                Self.entry(early)
                    + ", and was not in the log that was time-stamped at \(early.time): it was entered later than it says."
            )
        }
        if let late {
            sentences.append(
                Self.entry(late) + ", and was in the log before \(late.time): the server's clock was ahead."
            )
        }
        return sentences
    }

    /// Notes time-stamps of more entries than there are.
    mutating func finish(count: UInt64) {
        for stamped in waiting {
            problems.append(
                "The checkpoint that was time-stamped at \(stamped.stamp.time) has \(stamped.checkpoint.size) entries, and the log shows \(count)."
            )
        }
        waiting = []
    }

    private static func entry(_ misfit: Misfit) -> String {
        let others = misfit.others == 0 ? "" : ", and \(misfit.others) more like it,"
        return
            "Entry \(misfit.entry.index) of the log\(others) was received at \(misfit.entry.received), by the server's clock"
    }
}
