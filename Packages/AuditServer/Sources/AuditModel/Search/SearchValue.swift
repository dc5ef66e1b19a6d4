/// A value that events can be found by.
public struct SearchValue: Sendable, Hashable, Codable {
    /// What values are listed of.
    public enum Kind: String, Sendable, CaseIterable {
        case app, person, activity, event
        case objectClass = "class"
        case metadata, boot, device
    }

    /// The value as text.
    public let value: String
    /// How many events have it.
    public let events: Int64

    /// Names a value.
    public init(value: String, events: Int64) {
        self.value = value
        self.events = events
    }
}
