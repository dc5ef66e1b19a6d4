import ArgumentParser
import AuditServer
import EventModel

/// Which events a hold keeps, or an erasure takes; all options that are given must fit.
struct KeepingOptions: ParsableArguments {
    @Option(help: "Events of this app.")
    var app: String?

    @Option(help: "Events of this person: an account, or a value of any metadata column.")
    var person: String?

    @Option(name: .customLong("class"), help: "Events that show or change objects of this class.")
    var objectClass: String?

    @Option(help: "Events that show or change the object with this primary key.")
    var key: String?

    @Option(help: "Events in partitions whose prefix begins so.")
    var prefix: String?

    @Option(help: "Events of this partition.")
    var partition: String?

    @Option(help: "Events of this activity.")
    var activity: String?

    @Option(help: "Events of this type.")
    var event: String?

    @Option(help: ArgumentHelp("Events at this time or later, such as 2026-01-31T08:30:00Z.", valueName: "time"))
    var since: String?

    @Option(help: ArgumentHelp("Events before this time.", valueName: "time"))
    var until: String?

    @Option(help: ArgumentHelp("Events that the server received at this time or later.", valueName: "time"))
    var receivedSince: String?

    @Option(help: ArgumentHelp("Events that the server received before this time.", valueName: "time"))
    var receivedUntil: String?

    /// Reads the options.
    ///
    /// - Throws: ``CommandError`` for a time, and `EventModelError` for a partition, that is malformed.
    func filter() throws -> KeepingFilter {
        // LIVE: the outermost layer, where the user says "an hour ago".
        let now = SystemClock().now().wall
        func instant(_ text: String?) throws(CommandError) -> EventInstant? {
            guard let text else { return nil }
            return try TimeOption.instant(text, now: now)
        }
        return KeepingFilter(
            app: app,
            person: person,
            objectClass: objectClass,
            objectKey: key,
            prefix: prefix,
            partition: try partition.map { try PartitionID($0) },
            activity: activity,
            event: event,
            since: try instant(since),
            until: try instant(until),
            receivedSince: try instant(receivedSince),
            receivedUntil: try instant(receivedUntil)
        )
    }
}
