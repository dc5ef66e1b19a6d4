import AuditVerifying
import EventModel
import EventProofs
import TimeStamping

/// Which time-stamps of a log hold, in `daybook verify`.
package struct VerifiedTimeStamps: Encodable, Equatable {
    /// How many there are.
    package let count: Int
    /// How many entries existed before the newest one.
    package let entries: UInt64
    /// How many entries there are behind it, whose time nobody else has seen.
    package let later: UInt64
    /// The time before which the entries existed; nil when there is none.
    package let newest: String?
    /// The longest time between two that follow each other, in seconds: by less, a time of receipt can be wrong and nobody sees it.
    package let longestGap: Int64
    /// Who says so, each once.
    package let authorities: [String]

    init(_ audit: LogAudit) {
        let stamps = audit.timeStamps
        count = stamps.count
        entries = stamps.last?.checkpoint.size ?? 0
        later = audit.head.size - min(entries, audit.head.size)
        newest = stamps.last.map { "\($0.stamp.latest)" }
        let times = stamps.map(\.stamp.time.microseconds)
        longestGap = zip(times, times.dropFirst()).map { ($1 &- $0) / 1_000_000 }.max() ?? 0
        authorities = Set(stamps.map(\.stamp.authority)).sorted()
    }

    var sentences: [String] {
        guard let newest else { return [] }
        let names = authorities.map { PlainText.cut($0, 300) }.joined(separator: ", ")
        let gap = count > 1 ? ", at most \((longestGap + 59) / 60) minutes apart" : ""
        let stamps = count == 1 ? "1 time-stamp" : "\(count) time-stamps"
        return ["\(entries) of them existed before \(newest), by \(stamps) of \(names)\(gap); \(later) came later"]
    }
}
