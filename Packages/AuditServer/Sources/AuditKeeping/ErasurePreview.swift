package import AuditModel
import EventModel

/// What an erasure would take, before anything goes.
public struct ErasurePreview: Sendable, Hashable, Codable {
    /// The place of an event.
    public struct Place: Sendable, Hashable, Codable {
        /// The partition.
        public let partition: String
        /// The place in the partition, from 1.
        public let sequence: UInt64
        /// When the server received the event, ISO 8601.
        public let received: String?
    }

    /// How many places are listed.
    private static let maximumPlaces = 100

    /// How many events would go.
    public private(set) var events = 0
    /// How many of them show several objects: such an event goes as a whole, with what it says of the others.
    public private(set) var withOtherObjects = 0
    /// How many would go, by their apps.
    public private(set) var apps: [String: Int] = [:]  // TEXT: apps, which are ASCII.
    /// How many fit and are kept, by the names of the holds that keep them.
    public private(set) var held: [String: Int] = [:]  // TEXT: holds that Unicode takes for one are told as one.
    /// How many are not what was received, and therefore stay as they are.
    public private(set) var damaged = 0
    /// The first places, in the order of their partitions.
    public private(set) var places: [Place] = []

    package init() {}

    /// Counts an event.
    package mutating func add(_ stored: StoredEvent, _ verdict: ErasureJudge.Verdict) {
        switch verdict {
        case .erase:
            events += 1
            apps[stored.owner?.app ?? "", default: 0] += 1
            if let event = stored.event, Set(EventObject.all(in: event).map { ExactText($0.key) }).count > 1 {
                withOtherObjects += 1
            }
            guard places.count < Self.maximumPlaces else { return }
            places.append(
                Place(
                    partition: stored.partition.value,
                    sequence: stored.sequence,
                    received: stored.received?.description
                )
            )
        case .held(let name): held[name, default: 0] += 1
        case .damaged: damaged += 1
        case .erased, .ours: return
        }
    }
}
