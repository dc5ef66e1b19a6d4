public import EventModel

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// One event as a line of JSON: the shape of `daybook events --json` and of the listing over HTTP.
///
/// ```json
/// {"_id":"…","_partition":"…","activity":"Rounds","daybook":{"sequence":1,…},"data":"…","event":"read",
///  "timestamp":"2026-01-31T08:30:00.000000Z","userId":"nurse1"}
/// ```
///
/// The fields of the Event Library have its names, metadata keys stand beside them, and what is ours is under
/// `daybook`. An event whose columns are damaged has `_id`, `activity` and `timestamp` null and
/// ``Details/damaged`` true.
public struct EventLine: Sendable, Hashable {
    /// What Daybook adds to an event.
    public struct Details: Sendable, Hashable, Codable {
        /// The place in the partition, from 1.
        public let sequence: UInt64
        /// The leaf hash that was stored with the event; nil when it is damaged.
        public let leafHash: Digest?
        /// When the scope was committed, ISO 8601; nil for a custom event.
        public let scopeCommitted: String?
        /// When the server received the event, ISO 8601; nil in files.
        public let received: String?
        /// Whether the scope ended with the process and not by a commit.
        public let interrupted: Bool
        /// Whether the payload could not be made.
        public let incomplete: Bool
        /// Whether the stored columns no longer make up an event.
        public let damaged: Bool
        /// The number of the erasure that took what the event said; nil when nothing did.
        public let erasure: Int64?
        /// Whether values are masked.
        public let masked: Bool
        /// The app; nil in files.
        public let app: String?
        /// The user; nil in files.
        public let user: String?
        /// The run of the device's system that the monotonic time belongs to.
        public let boot: String?
        /// The device's monotonic clock at the event, in nanoseconds.
        public let monotonicNanoseconds: UInt64?
        /// Where the realm was in sync; nil for one that does not sync and for a custom event.
        public let sync: EventPlace?
    }

    /// The id; nil when the event is damaged.
    public let id: String?
    /// The partition.
    public let partition: String
    /// The activity; nil when the event is damaged.
    public let activity: String?
    /// The type of event.
    public let event: String?
    /// The payload.
    public let data: String?
    /// When it happened, ISO 8601 in UTC with microseconds; nil when the event is damaged.
    public let timestamp: String?
    /// The metadata columns.
    public let metadata: [String: String]  // TEXT: no event has two keys that Unicode takes for one, see EventUpload.
    /// What is ours.
    public let details: Details

    /// Describes a stored event.
    public init(_ stored: StoredEvent) {
        let event = stored.event
        id = event?.id.stringValue
        partition = stored.partition.value
        activity = event?.activity
        self.event = event?.event
        data = event?.dataText
        timestamp = event?.timestamp.description
        // Built by hand: two spellings of one text are refused when they arrive, and never a reason to trap.
        metadata = (event?.metadata.entries ?? []).reduce(into: [:]) { $0[$1.key] = $1.value }
        details = Details(
            sequence: stored.sequence,
            leafHash: stored.leaf,
            scopeCommitted: event?.scopeCommitted?.description,
            received: stored.received?.description,
            interrupted: event?.marks.contains(.interrupted) ?? false,
            incomplete: event?.marks.contains(.incomplete) ?? false,
            damaged: event == nil && stored.erasure == nil,
            erasure: stored.erasure,
            masked: stored.isMasked,
            app: stored.owner?.app,
            user: stored.owner?.user,
            boot: event?.clock.boot.hex,
            monotonicNanoseconds: event?.clock.monotonicNanoseconds,
            sync: event?.sync.map { EventPlace($0) }
        )
    }

    /// Encodes values as lines of JSON, the keys of each in order; of a lazy sequence only one is there at a time.
    public static func lines<Value: Encodable>(_ values: some Sequence<Value>) throws -> [UInt8] {
        try lines(values, maximumBytes: .max).bytes
    }

    /// Encodes values as lines of JSON until there are so many bytes; at least one of them.
    ///
    /// - Returns: The lines, and how many they are.
    package static func lines<Value: Encodable>(
        _ values: some Sequence<Value>,
        maximumBytes: Int
    ) throws -> (bytes: [UInt8], count: Int) {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        var bytes: [UInt8] = []
        var count = 0
        for value in values {
            let line = try encoder.encode(value)
            if count > 0, bytes.count + line.count > maximumBytes { break }
            bytes.append(contentsOf: line)
            bytes.append(0x0A)
            count += 1
        }
        return (bytes, count)
    }
}

// MARK: - Codable

extension EventLine: Codable {
    private struct Key: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }

        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }

    /// Encodes the line; `event` and `data` are null when there is none.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(id, forKey: Key(stringValue: "_id"))
        try container.encode(partition, forKey: Key(stringValue: "_partition"))
        try container.encode(activity, forKey: Key(stringValue: "activity"))
        try container.encode(event, forKey: Key(stringValue: "event"))
        try container.encode(data, forKey: Key(stringValue: "data"))
        try container.encode(timestamp, forKey: Key(stringValue: "timestamp"))
        for (key, value) in metadata { try container.encode(value, forKey: Key(stringValue: key)) }
        try container.encode(details, forKey: Key(stringValue: "daybook"))
    }

    /// Decodes a line that ``encode(to:)`` wrote.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Key.self)
        id = try container.decodeIfPresent(String.self, forKey: Key(stringValue: "_id"))
        partition = try container.decode(String.self, forKey: Key(stringValue: "_partition"))
        activity = try container.decodeIfPresent(String.self, forKey: Key(stringValue: "activity"))
        event = try container.decodeIfPresent(String.self, forKey: Key(stringValue: "event"))
        data = try container.decodeIfPresent(String.self, forKey: Key(stringValue: "data"))
        timestamp = try container.decodeIfPresent(String.self, forKey: Key(stringValue: "timestamp"))
        details = try container.decode(Details.self, forKey: Key(stringValue: "daybook"))
        let columns = container.allKeys.filter { !EventMetadata.reservedKeys.contains($0.stringValue) }
        metadata = try columns.reduce(into: [:]) { $0[$1.stringValue] = try container.decode(String.self, forKey: $1) }
    }
}
