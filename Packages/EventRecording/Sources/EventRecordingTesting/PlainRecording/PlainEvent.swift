public import EventModel

/// An event that ``PlainRecording`` expects.
public struct PlainEvent: Sendable {
    /// An object with those properties shown in full that were followed.
    public struct Shown: Sendable {
        /// The object.
        public let name: PlainCapture.Name
        /// The targets that are shown in full, for each property that was followed.
        public let followed: [String: [Shown]]
    }

    /// What the payload says.
    public enum Payload: Sendable {
        /// A read of objects of one class.
        case read(className: String, objects: [Shown])
        /// A write, or the data of a custom event.
        case text(String?)
    }

    /// The name of the scope or of the custom event.
    public let activity: String
    /// `read`, `write`, or the type of a custom event.
    public let event: String?
    /// What the payload says.
    public let payload: Payload
    /// When it happened first.
    public let timestamp: EventInstant
    /// When its scope was committed; nil for a custom event and for a scope that ended with the process.
    public let scopeCommitted: EventInstant?
    /// The metadata of the scope's beginning or of the call.
    public let metadata: [String: String]
    /// The version that was read, or that a write made; nil for a custom event.
    public let version: Int?
}
