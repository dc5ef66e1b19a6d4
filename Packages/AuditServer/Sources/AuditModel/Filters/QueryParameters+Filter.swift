import EventModel
import EventProofs

/// A filter as it stands in the query of an address, which ``EventFilter/query`` writes.
extension QueryParameters {
    /// The names that a filter has in a query; those of metadata begin with ``metadataPrefix``.
    private static let filterNames: Set<Substring> = [
        "partition", "app", "person", "class", "key", "activity", "event", "outcome", "boot", "device", "since",
        "until",
        "receivedSince", "receivedUntil", "text",
    ]
    /// What stands before the key of a metadata column in the name of a parameter.
    private static let metadataPrefix = "metadata."
    /// The most bytes that a text of a filter may have.
    private static let maximumBytes = 1024

    /// Reads a filter of the query.
    ///
    /// A parameter that is not known is refused: a misspelt one would show more than was asked for.
    ///
    /// - Parameter others: The names of the route's other parameters.
    /// - Returns: The filter.
    /// - Throws: `AuditServerError.rejected(reason:)` when a parameter is unknown, given twice or malformed.
    package func filter(besides others: Set<Substring>) throws(AuditServerError) -> EventFilter {
        var seen: Set<Substring> = []
        var metadata: [ExactText: String] = [:]
        for (name, value) in all {
            guard seen.insert(name).inserted else { throw .rejected(reason: "a parameter is given twice") }
            guard value.utf8.count <= Self.maximumBytes else {
                throw .rejected(reason: "a parameter has more than \(Self.maximumBytes) bytes")
            }
            if name.hasPrefix(Self.metadataPrefix) {
                // Values arrive decoded, names do not.
                guard let key = Self.decoded(name.dropFirst(Self.metadataPrefix.count)) else {
                    throw .rejected(reason: "the name of a parameter is not percent-encoded as it should be")
                }
                guard metadata.updateValue(value, forKey: ExactText(key)) == nil else {
                    throw .rejected(reason: "a parameter is given twice")
                }
            } else if !Self.filterNames.contains(name), !others.contains(name) {
                let known = Self.filterNames.union(others).sorted().joined(separator: ", ")
                throw .rejected(reason: "a parameter is unknown; there are \(known) and metadata.KEY")
            }
        }
        // TEXT: two keys that are one to Unicode would be one in the manifest of an export; and no event has both.
        guard Set(metadata.keys.map(\.string)).count == metadata.count else {
            throw .rejected(reason: "two metadata columns are the same text")
        }
        let filter = EventFilter(
            partition: try self["partition"].map(PartitionID.reading),
            app: self["app"],
            person: self["person"],
            objectClass: self["class"],
            objectKey: self["key"],
            activity: self["activity"],
            event: self["event"],
            outcome: try outcome(),
            metadata: metadata,
            boot: try boot(),
            device: try device(),
            since: try instant("since"),
            until: try instant("until"),
            receivedSince: try instant("receivedSince"),
            receivedUntil: try instant("receivedUntil"),
            text: self["text"].flatMap { $0.isEmpty ? nil : $0 }
        )
        try Self.check(filter.since, filter.until, "since", "until")
        try Self.check(filter.receivedSince, filter.receivedUntil, "receivedSince", "receivedUntil")
        return filter
    }

    private static func check(
        _ since: EventInstant?,
        _ until: EventInstant?,
        _ sinceName: String,
        _ untilName: String
    ) throws(AuditServerError) {
        guard let since, let until, since > until else { return }
        throw .rejected(reason: "'\(sinceName)' is after '\(untilName)'")
    }

    private func outcome() throws(AuditServerError) -> EventOutcome? {
        guard let text = self["outcome"] else { return nil }
        guard let outcome = EventOutcome(rawValue: text) else {
            let names = EventOutcome.allCases.map(\.rawValue).joined(separator: ", ")
            throw .rejected(reason: "'outcome' is one of \(names)")
        }
        return outcome
    }

    private func boot() throws(AuditServerError) -> String? {
        guard let text = self["boot"] else { return nil }
        guard text.utf8.count == 32, let bytes = Hexadecimal.bytes(text) else {
            throw .rejected(reason: "'boot' is 32 hexadecimal digits")
        }
        return Hexadecimal.text(bytes)
    }

    private func device() throws(AuditServerError) -> [UInt8]? {
        guard let text = self["device"] else { return nil }
        guard let bytes = Hexadecimal.bytes(text), DeviceKeyAlgorithm(publicKey: bytes) != nil else {
            throw .rejected(reason: "'device' is the public key of a device, 64 or 66 hexadecimal digits")
        }
        return bytes
    }
}
