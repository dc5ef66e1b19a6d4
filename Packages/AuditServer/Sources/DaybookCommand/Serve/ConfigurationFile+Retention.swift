import AuditArchives
import AuditHTTP
import AuditModel
import EventModel

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
                return try RetentionRule(days: days, events: (events ?? [:]).exact)
            } catch {
                let range = RetentionRule.allowedDays
                let reason = "events are kept for \(range.lowerBound) to \(range.upperBound) days"
                throw CommandError.malformedConfiguration(path, key: "apps.\(app).retention", reason: reason)
            }
        }
    }
}

extension [String: Int] {
    /// The same with keys that are compared by their bytes.
    fileprivate var exact: [ExactText: Int] {
        [ExactText: Int](uniqueKeysWithValues: map { (ExactText($0.key), $0.value) })
    }
}
