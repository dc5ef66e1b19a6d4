import ArgumentParser
import AuditModel
import EventModel

/// Which events a hold keeps, or an erasure takes; all options that are given must fit.
struct KeepingOptions: ParsableArguments {
    @OptionGroup(title: "Which events") var selection: SelectionOptions

    @Option(help: "Only events in partitions whose prefix begins so.")
    var prefix: String?

    /// Reads the options.
    ///
    /// - Throws: `CommandError` for a time, and `EventModelError` for a partition, that is malformed.
    func filter() throws -> KeepingFilter {
        let times = try selection.times()
        return KeepingFilter(
            app: selection.app,
            person: selection.person,
            objectClass: selection.objectClass,
            objectKey: selection.key,
            prefix: prefix,
            partition: try selection.partitionID,
            activity: selection.activity,
            event: selection.event,
            since: times.since,
            until: times.until,
            receivedSince: times.receivedSince,
            receivedUntil: times.receivedUntil
        )
    }
}
