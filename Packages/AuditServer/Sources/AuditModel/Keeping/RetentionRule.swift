public import EventModel

/// How long the events of an app are kept, by the time of their receipt.
public struct RetentionRule: Sendable, Hashable {
    /// What a number of days may be; fewer than one is a mistake in typing.
    public static let allowedDays = 1...36_500

    /// After how many days events expire; nil keeps those of types that are not named for ever.
    public let days: Int?
    /// After how many days events of a type expire, by the type.
    public let events: [ExactText: Int]

    /// Describes a rule.
    ///
    /// - Throws: ``AuditServerError/rejected(reason:)`` when a number of days is not one of ``allowedDays``, or there is none.
    public init(days: Int?, events: [ExactText: Int] = [:]) throws(AuditServerError) {
        let all = events.values + [days].compactMap(\.self)
        guard !all.isEmpty, all.allSatisfy(Self.allowedDays.contains) else {
            throw .rejected(
                reason: "events are kept for \(Self.allowedDays.lowerBound) to \(Self.allowedDays.upperBound) days"
            )
        }
        self.days = days
        self.events = events
    }

    /// After how many days the first events expire.
    package var shortestDays: Int { (events.values + [days].compactMap(\.self)).min() ?? Self.allowedDays.upperBound }

    /// Returns after how many days events of a type expire; nil for never.
    package func days(of event: String?) -> Int? { event.flatMap { events[ExactText($0)] } ?? days }
}
