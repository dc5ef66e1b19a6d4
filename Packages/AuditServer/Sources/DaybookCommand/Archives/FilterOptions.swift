import ArgumentParser
import AuditModel
import EventModel

/// Which events: every option that is given must fit.
struct FilterOptions: ParsableArguments {
    @OptionGroup var selection: SelectionOptions

    @Option(
        help:
            "Only events that ended so: complete, nothingFound (a search), interrupted, incomplete, damaged or erased.",
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

    @Option(help: ArgumentHelp("Only events from partitions that the device with this key sealed.", valueName: "hex"))
    var device: String?

    @Option(help: ArgumentHelp("Only events of this run of a device's system.", valueName: "hex"))
    var boot: String?

    @Option(help: "Only events with this text in them; the case of A to Z does not matter.")
    var text: String?

    func validate() throws {
        guard metadata.allSatisfy({ $0.contains("=") }) else {
            throw ValidationError("A metadata column is given as KEY=VALUE.")
        }
        // TEXT: no event has two keys that Unicode takes for one, see EventUpload.
        guard Set(metadata.map { String($0.prefix { $0 != "=" }) }).count == metadata.count else {
            throw ValidationError("A metadata column is given once: no event has two values in it.")
        }
        _ = try Self.digits(device, 64, "device")
        _ = try Self.digits(boot, 32, "boot")
    }

    /// Checks that the source knows what is asked for.
    ///
    /// - Throws: `ValidationError` for files, which do not say by whom and when they were received.
    func checkSource(isServer: Bool) throws {
        if !isServer, selection.namesServer {
            throw ValidationError(
                "Only a server knows apps and when it received an event: these filters need --server."
            )
        }
    }

    private static func digits(_ text: String?, _ count: Int, _ name: String) throws -> [UInt8]? {
        guard let text else { return nil }
        guard text.utf8.count == count, let bytes = Hexadecimal.bytes(text) else {
            throw ValidationError("--\(name) is \(count) hexadecimal digits.")
        }
        return bytes
    }

    /// Reads the options.
    ///
    /// - Parameter now: The time that it is, for times so long ago; nil takes the system's.
    /// - Returns: What events are looked for.
    /// - Throws: `CommandError` for a time, and `EventModelError` for a partition, that is malformed.
    func filter(now: EventInstant? = nil) throws -> EventFilter {
        let times = try selection.times(now: now)
        return EventFilter(
            partition: try selection.partitionID,
            app: selection.app,
            person: selection.person,
            objectClass: selection.objectClass,
            objectKey: selection.key,
            activity: selection.activity,
            event: selection.event,
            outcome: outcome,
            metadata: metadata.reduce(into: [:]) { columns, text in
                let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
                columns[ExactText(parts[0])] = String(parts[1])
            },
            boot: try Self.digits(boot, 32, "boot").map { Hexadecimal.text($0) },
            device: try Self.digits(device, 64, "device"),
            since: times.since,
            until: times.until,
            receivedSince: times.receivedSince,
            receivedUntil: times.receivedUntil,
            text: text
        )
    }

    private static func readOutcome(_ text: String) throws -> EventOutcome {
        guard let outcome = EventOutcome(rawValue: text) else {
            throw ValidationError("An outcome is complete, nothingFound, interrupted, incomplete, damaged or erased.")
        }
        return outcome
    }
}
