package import AuditModel
package import EventModel

/// What expired in the last 24 hours, of each app: events, or entries of the logs of realms.
///
/// An erasure that is taken back would have to be noticed first. So much goes in a day, and not more, unless an administrator
/// says how many: a rule with a number too few, or a clock that nobody doubts, takes a part and not everything.
package struct RetentionDay: Sendable {
    /// How many events may expire in a day however few an app has.
    package static let least = 1000
    private static let day: Int64 = 86_400_000_000

    private struct Erasure {
        let number: Int64
        let app: String
        let at: EventInstant
        var events: Int?
    }

    private var erasures: [Erasure] = []
    /// The erasure that was looked at last.
    package private(set) var last: Int64 = 0

    /// Learns of an erasure behind the last one.
    package mutating func add(_ record: ErasureRecord) {
        last = max(last, record.number)
        guard record.order.kind == .retention, let app = record.order.filter.app else { return }
        let events = record.result.map { Int(clamping: $0.events) }
        erasures.append(Erasure(number: record.number, app: app, at: record.order.begun.at, events: events))
    }

    /// Learns that so much of an app went, of which the store has no record.
    package mutating func add(_ count: Int, of app: String, at instant: EventInstant) {
        erasures.append(Erasure(number: 0, app: app, at: instant, events: count))
    }

    /// The erasures that have not ended, whose events are to be counted.
    package var unfinished: [Int64] { erasures.filter { $0.events == nil }.map(\.number) }

    /// Learns how many events an erasure took.
    package mutating func count(_ events: Int, of number: Int64) {
        for index in erasures.indices where erasures[index].number == number { erasures[index].events = events }
    }

    /// Forgets what is older than a day.
    package mutating func forget(before now: EventInstant) {
        erasures.removeAll { $0.at.microseconds <= now.microseconds - Self.day }
    }

    /// How many events of an app may still expire.
    ///
    /// - Parameters:
    ///   - app: The app.
    ///   - total: How many events it has, also erased ones.
    ///   - share: The part of them that may expire in a day.
    ///   - days: After how many days its events expire: a rule of few days takes a large part each day.
    /// - Returns: The number.
    package func allowance(of app: String, total: UInt64, share: Double, days: Int) -> Int {
        let most = max(Double(Self.least), Double(total) * min(1, max(share, 2 / Double(days))))
        let gone = erasures.reduce(0) { $0 + ($1.app == app ? $1.events ?? 0 : 0) }
        return max(0, Int(most) - gone)
    }
}
