public import EventModel
public import EventProofs

/// The keys that seal the auditors' trail of a server: the one of now, and until when those before it did.
public struct TrailKeys: Sendable, Hashable {
    /// The key of now, 32 bytes.
    public let present: [UInt8]
    /// How the server's keys followed each other until that one.
    public let history: KeyHistory

    /// Puts the keys together.
    ///
    /// - Parameters:
    ///   - present: The key of now.
    ///   - history: What the server states of its keys; one that leads to other keys is left out.
    public init(present: [UInt8], history: KeyHistory = KeyHistory()) {
        self.present = present
        self.history = history.present?.trail == present ? history : KeyHistory()
    }

    /// Whether an entry of the trail is sealed with the key that the server had when it arrived.
    ///
    /// - Parameters:
    ///   - key: The key that sealed it.
    ///   - received: When it arrived.
    /// - Returns: Whether it was the server's then; a former key is none any more once it was followed.
    public func seals(with key: [UInt8], at received: EventInstant) -> Bool {
        key == present || history.successions.contains { $0.predecessor.trail == key && received <= $0.time }
    }
}
