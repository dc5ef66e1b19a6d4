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
    /// The time before which they existed; nil when there is none.
    package let newest: String?
    /// Who says so, each once.
    package let authorities: [String]

    init(_ audit: LogAudit) {
        count = audit.timeStamps.count
        entries = audit.timeStamps.last?.checkpoint.size ?? 0
        newest = audit.timeStamps.last.map { "\($0.stamp.latest)" }
        authorities = Set(audit.timeStamps.map(\.stamp.authority)).sorted()
    }

    var sentences: [String] {
        guard let newest else {
            return ["no time-stamp: when the entries were made is known by the server's clock alone"]
        }
        let names = authorities.map { PlainText.cut($0, 300) }.joined(separator: ", ")
        return [
            "\(entries) of them existed before \(newest), by \(count) time-stamp\(count == 1 ? "" : "s") of \(names)"
        ]
    }
}
