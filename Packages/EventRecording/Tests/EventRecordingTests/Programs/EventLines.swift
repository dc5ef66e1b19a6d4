import EventModel
import EventRecordingTesting

// Both sides of the comparison as one line for each event, with everything that an event says.
extension AuditEvent {
    /// The event as one line; the payload is that of a `FixedEncoder`.
    var line: String {
        "\(activity)|\(event ?? "nil")|\(dataText ?? "nil")|\(timestamp.microseconds)"
            + "|\(scopeCommitted.map { "\($0.microseconds)" } ?? "nil")|\(metadata.dictionary.sortedText)"
            + "|\(sync.map { "\($0.bytes)" } ?? "nil")"
    }
}

extension PlainEvent {
    /// The event as one line, with the payload that a `FixedEncoder` makes.
    ///
    /// - Parameter place: Where the realm is in sync at a version; nil for one that does not sync.
    /// - Returns: The line.
    func line(_ place: ((UInt64) -> SyncReference)?) -> String {
        let data =
            switch payload {
            case .text(let text): text ?? "nil"
            case .read(let className, let objects): "\(className):\(objects.map(\.fixedText).joined(separator: ","))"
            }
        return "\(activity)|\(event ?? "nil")|\(data)|\(timestamp.microseconds)"
            + "|\(scopeCommitted.map { "\($0.microseconds)" } ?? "nil")|\(metadata.sortedText)"
            + "|\(version.flatMap { version in place.map { "\($0(UInt64(version)).bytes)" } } ?? "nil")"
    }
}

extension PlainEvent.Shown {
    /// The object as a `FixedEncoder` writes it: the key, then each followed slot with its targets in order of keys.
    fileprivate var fixedText: String {
        let slots = ["link": 1, "list": 2, "set": 3, "map": 4]
        let properties = followed.sorted { slots[$0.key, default: 0] < slots[$1.key, default: 0] }
            .map { property, targets in
                // A property that has an object twice shows it once: targets are found by their keys.
                let unique = Dictionary(
                    targets.map { ($0.name.key, $0.fixedText) },
                    uniquingKeysWith: { first, _ in first }
                )
                let texts = unique.sorted { $0.key < $1.key }.map(\.value)
                return "+\(slots[property, default: 0])(\(texts.joined(separator: ",")))"
            }
        return "\(name.key)\(properties.joined())"
    }
}

extension [String: String] {
    fileprivate var sortedText: String {
        sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }.joined(separator: "&")
    }
}
