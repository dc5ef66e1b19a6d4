import ArgumentParser
import AuditArchives
import AuditHTTP
import EventModel

/// What reading, keeping and erasing have in common of which events; every option that is given must fit.
struct SelectionOptions: ParsableArguments {
    /// The times between which events lie; nil where nothing bounds them.
    struct Times {
        let since: EventInstant?
        let until: EventInstant?
        let receivedSince: EventInstant?
        let receivedUntil: EventInstant?
    }

    @Option(help: "Only events of this partition.")
    var partition: String?

    @Option(help: "Only events of this app.")
    var app: String?

    @Option(help: "Only events of this person: an account, or a value of any metadata column.")
    var person: String?

    @Option(name: .customLong("class"), help: "Only events that show or change objects of this class.")
    var objectClass: String?

    @Option(help: "Only events that show or change the object with this primary key.")
    var key: String?

    @Option(help: "Only events of this activity.")
    var activity: String?

    @Option(
        help: "Only events of this type: read, write, or one that the app chose.",
        completion: .list(["read", "write"])
    )
    var event: String?

    @Option(
        help: ArgumentHelp(
            "Only events at this time or later, such as 2026-01-31T08:30:00Z or 2h ago.",
            valueName: "time"
        )
    )
    var since: String?

    @Option(help: ArgumentHelp("Only events before this time.", valueName: "time"))
    var until: String?

    @Option(help: ArgumentHelp("Only events that the server received at this time or later.", valueName: "time"))
    var receivedSince: String?

    @Option(help: ArgumentHelp("Only events that the server received before this time.", valueName: "time"))
    var receivedUntil: String?

    /// Whether something is asked for that only a server knows.
    var namesServer: Bool { app != nil || receivedSince != nil || receivedUntil != nil }

    /// The partition.
    ///
    /// - Throws: `EventModelError` when it is malformed.
    var partitionID: PartitionID? {
        get throws { try partition.map { try PartitionID($0) } }
    }

    /// Reads the times.
    ///
    /// - Parameter now: The time that it is, for times so long ago; nil takes the system's.
    /// - Returns: The times that were given.
    /// - Throws: `CommandError` for a time that is malformed.
    func times(now: EventInstant? = nil) throws -> Times {
        // LIVE: the outermost layer, where the user says "an hour ago".
        let now = now ?? SystemClock().now().wall
        func instant(_ text: String?) throws(CommandError) -> EventInstant? {
            guard let text else { return nil }
            return try TimeOption.instant(text, now: now)
        }
        return Times(
            since: try instant(since),
            until: try instant(until),
            receivedSince: try instant(receivedSince),
            receivedUntil: try instant(receivedUntil)
        )
    }
}
