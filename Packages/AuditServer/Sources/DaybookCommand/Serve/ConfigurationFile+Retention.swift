import AuditServer

extension ConfigurationFile {
    /// How long events of an app are kept.
    struct Retention: Decodable {
        let days: Int?
        let events: [String: Int]?

        enum CodingKeys: String, CodingKey, CaseIterable {
            case days, events
        }

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(knowing: CodingKeys.self)
            days = try container.decodeIfPresent(Int.self, forKey: .days)
            events = try container.decodeIfPresent([String: Int].self, forKey: .events)
        }

        func rule(of app: String, _ path: String) throws -> RetentionRule {
            do {
                return try RetentionRule(days: days, events: events ?? [:])
            } catch {
                let range = RetentionRule.allowedDays
                let reason = "events are kept for \(range.lowerBound) to \(range.upperBound) days"
                throw CommandError.malformedConfiguration(path, key: "apps.\(app).retention", reason: reason)
            }
        }
    }
}
