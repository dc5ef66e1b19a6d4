import ArgumentParser
import AuditServer
import EventModel

/// Which events: every option that is given must fit.
struct FilterOptions: ParsableArguments {
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

    @Option(help: "Only events of this type: read, write, or one that the app chose.")
    var event: String?

    @Option(
        help: "Only events whose recording ended so: complete, interrupted, incomplete or damaged.",
        transform: Self.readOutcome
    )
    var outcome: EventOutcome?

    @Option(
        help: ArgumentHelp(
            "Only events with this value in a metadata column; may be given several times.",
            valueName: "key=value"
        )
    )
    var metadata: [String] = []

    @Option(help: "Only events with this text in them; the case of A to Z does not matter.")
    var text: String?

    @Option(help: ArgumentHelp("Only events at this time or later, such as 2026-01-31T08:30:00Z.", valueName: "time"))
    var since: String?

    @Option(help: ArgumentHelp("Only events before this time.", valueName: "time"))
    var until: String?

    @Option(help: ArgumentHelp("Only events that the server received at this time or later.", valueName: "time"))
    var receivedSince: String?

    @Option(help: ArgumentHelp("Only events that the server received before this time.", valueName: "time"))
    var receivedUntil: String?

    func validate() throws {
        guard metadata.allSatisfy({ $0.contains("=") }) else {
            throw ValidationError("A metadata column is given as KEY=VALUE.")
        }
    }

    /// Reads the options.
    ///
    /// - Throws: ``CommandError`` for a time, and `EventModelError` for a partition, that is malformed.
    func filter() throws -> EventFilter {
        EventFilter(
            partition: try partition.map { try PartitionID($0) },
            app: app,
            person: person,
            objectClass: objectClass,
            objectKey: key,
            activity: activity,
            event: event,
            outcome: outcome,
            metadata: metadata.reduce(into: [:]) { columns, text in
                let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
                columns[String(parts[0])] = String(parts[1])
            },
            since: try since.map(Self.instant),
            until: try until.map(Self.instant),
            receivedSince: try receivedSince.map(Self.instant),
            receivedUntil: try receivedUntil.map(Self.instant),
            text: text
        )
    }

    private static func readOutcome(_ text: String) throws -> EventOutcome {
        guard let outcome = EventOutcome(rawValue: text) else {
            throw ValidationError("An outcome is complete, interrupted, incomplete or damaged.")
        }
        return outcome
    }

    private static func instant(_ text: String) throws -> EventInstant {
        guard let instant = EventInstant(text) else { throw CommandError.malformedTime(text) }
        return instant
    }
}

extension EventFilter {
    /// The filter as the query of a request.
    var query: [String: String] {
        var query: [String: String] = [:]
        query["partition"] = partition?.value
        query["app"] = app
        query["person"] = person
        query["class"] = objectClass
        query["key"] = objectKey
        query["activity"] = activity
        query["event"] = event
        query["outcome"] = outcome?.rawValue
        query["text"] = text
        query["since"] = since?.description
        query["until"] = until?.description
        query["receivedSince"] = receivedSince?.description
        query["receivedUntil"] = receivedUntil?.description
        for (key, value) in metadata { query["metadata.\(key)"] = value }
        return query
    }
}
