public import EventModel

/// Keeps events from being erased and from expiring, until somebody lifts it.
public struct LegalHold: Sendable, Hashable, Codable {
    /// Who did something about a hold, when and why.
    public struct Act: Sendable, Hashable, Codable {
        /// Who.
        public let by: String
        /// When, by the server's clock.
        public let at: EventInstant
        /// Why.
        public let reason: String

        /// Describes an act.
        public init(by: String, at: EventInstant, reason: String) {
            self.by = by
            self.at = at
            self.reason = reason
        }

        private enum CodingKeys: String, CodingKey { case by, at, reason }

        /// Writes the act; the time in ISO 8601.
        public func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(by, forKey: .by)
            try container.encode(at.description, forKey: .at)
            try container.encode(reason, forKey: .reason)
        }

        /// Reads what ``encode(to:)`` wrote.
        public init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            by = try container.decode(String.self, forKey: .by)
            at = try EventInstant(text: CodingKeys.at, in: container)
            reason = try container.decode(String.self, forKey: .reason)
        }
    }

    /// The number that it is lifted by; 1 is the first.
    public let number: Int64
    /// What people call it.
    public let name: String
    /// Which events it keeps.
    public let filter: KeepingFilter
    /// Who placed it.
    public let placed: Act
    /// Who lifted it; nil while it holds.
    public let lifted: Act?

    /// Describes a hold.
    public init(number: Int64, name: String, filter: KeepingFilter, placed: Act, lifted: Act? = nil) {
        self.number = number
        self.name = name
        self.filter = filter
        self.placed = placed
        self.lifted = lifted
    }
}
