import AuditArchives
import AuditHTTP
import AuditReview
import EventModel
import Foundation

extension ConfigurationFile {
    /// What reviewers are alerted of.
    struct Alerts: Decodable {
        let personColumn: String?
        let gaps: Bool?
        let gapMinutes: Int?
        let losses: Bool?
        let overdueReviews: Bool?
        let verifiedEventsPerSecond: Int?
        let rules: [String: Rule]?

        enum CodingKeys: String, CodingKey, CaseIterable {
            case personColumn, gaps, gapMinutes, losses, overdueReviews, verifiedEventsPerSecond, rules
        }

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(knowing: CodingKeys.self)
            personColumn = try container.decodeIfPresent(String.self, forKey: .personColumn)
            gaps = try container.decodeIfPresent(Bool.self, forKey: .gaps)
            gapMinutes = try container.decodeIfPresent(Int.self, forKey: .gapMinutes)
            losses = try container.decodeIfPresent(Bool.self, forKey: .losses)
            overdueReviews = try container.decodeIfPresent(Bool.self, forKey: .overdueReviews)
            verifiedEventsPerSecond = try container.decodeIfPresent(Int.self, forKey: .verifiedEventsPerSecond)
            rules = try container.decodeIfPresent([String: Rule].self, forKey: .rules)
        }

        func settings(_ resolve: (String) -> String, _ path: String) throws -> AlertSettings {
            var settings = AlertSettings(personColumn: personColumn)
            settings.findsGaps = gaps ?? settings.findsGaps
            settings.findsLosses = losses ?? settings.findsLosses
            settings.findsOverdueReviews = overdueReviews ?? settings.findsOverdueReviews
            if let gapMinutes {
                settings.gapMinutes = try checked(gapMinutes, 0...100_000, "alerts.gapMinutes", path)
            }
            if let verifiedEventsPerSecond {
                let range = 0...1_000_000
                settings.verifiedEventsPerSecond = try checked(
                    verifiedEventsPerSecond,
                    range,
                    "alerts.verifiedEventsPerSecond",
                    path
                )
            }
            // In one order, so that every start numbers them alike.
            settings.rules = try (rules ?? [:]).sorted { $0.key < $1.key }.map { try $1.rule($0, resolve, path) }
            return settings
        }
    }

    /// A rule about events; it has exactly one condition.
    struct Rule: Decodable {
        let app: String?
        let afterHours: Hours?
        let massRead: Reading?
        let breakGlass: Pattern?
        let namedRecords: Records?

        enum CodingKeys: String, CodingKey, CaseIterable {
            case app, afterHours, massRead, breakGlass, namedRecords
        }

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(knowing: CodingKeys.self)
            app = try container.decodeIfPresent(String.self, forKey: .app)
            afterHours = try container.decodeIfPresent(Hours.self, forKey: .afterHours)
            massRead = try container.decodeIfPresent(Reading.self, forKey: .massRead)
            breakGlass = try container.decodeIfPresent(Pattern.self, forKey: .breakGlass)
            namedRecords = try container.decodeIfPresent(Records.self, forKey: .namedRecords)
        }

        func rule(_ name: String, _ resolve: (String) -> String, _ path: String) throws -> AlertRule {
            let key = "alerts.rules.\(name)"
            guard (1...128).contains(name.utf8.count) else {
                throw CommandError.malformedConfiguration(path, key: key, reason: "its name has 1 to 128 bytes")
            }
            let conditions: [AlertRule.Condition] = [
                try afterHours.map { .afterHours(try $0.hours(key, path)) },
                try massRead.map { .massRead(try $0.reading(key, path)) },
                breakGlass.map { .breakGlass($0.pattern) },
                try namedRecords.map { .namedRecords(try $0.records(resolve)) },
            ]
            .compactMap(\.self)
            guard let condition = conditions.first, conditions.count == 1 else {
                let reason = "it has one of afterHours, massRead, breakGlass and namedRecords"
                throw CommandError.malformedConfiguration(path, key: key, reason: reason)
            }
            return AlertRule(name, app: app, condition)
        }
    }

    /// When an app is used.
    struct Hours: Decodable {
        let days: [String]?
        let from: String
        let to: String
        let zone: String

        enum CodingKeys: String, CodingKey, CaseIterable {
            case days, from, to, zone
        }

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(knowing: CodingKeys.self)
            days = try container.decodeIfPresent([String].self, forKey: .days)
            from = try container.decode(String.self, forKey: .from)
            to = try container.decode(String.self, forKey: .to)
            zone = try container.decode(String.self, forKey: .zone)
        }

        func hours(_ key: String, _ path: String) throws -> WorkingHours {
            func problem(_ name: String, _ reason: String) -> CommandError {
                .malformedConfiguration(path, key: "\(key).afterHours.\(name)", reason: reason)
            }
            let names = WorkingHours.Day.allCases.map { "\($0)" }
            let days = try (days ?? Array(names.prefix(5)))
                .map { name in
                    guard let day = names.firstIndex(of: name).flatMap(WorkingHours.Day.init) else {
                        throw problem("days", "a day is one of \(names.joined(separator: ", "))")
                    }
                    return day
                }
            guard let opening = Self.minute(from) else { throw problem("from", "it is a time such as 07:00") }
            guard let closing = Self.minute(to) else { throw problem("to", "it is a time such as 19:00") }
            guard let zone = TimeZone(identifier: zone) else {
                throw problem("zone", "it is the name of a time zone, such as Europe/Zurich")
            }
            return WorkingHours(days: Set(days), opening: opening, closing: closing, zone: zone)
        }

        private static func minute(_ text: String) -> Int? {
            let parts = text.split(separator: ":", omittingEmptySubsequences: false)
            guard parts.count == 2, parts.allSatisfy({ $0.utf8.count == 2 }), let hour = UInt8(parts[0]),
                let minute = UInt8(parts[1]), hour < 24, minute < 60
            else { return nil }
            return Int(hour) * 60 + Int(minute)
        }
    }

    /// How much reading is too much.
    struct Reading: Decodable {
        let objectClass: String?
        let limit: Int
        let minutes: Int
        let unit: String?

        enum CodingKeys: String, CodingKey, CaseIterable {
            case limit, minutes, unit
            case objectClass = "class"
        }

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(knowing: CodingKeys.self)
            objectClass = try container.decodeIfPresent(String.self, forKey: .objectClass)
            limit = try container.decode(Int.self, forKey: .limit)
            minutes = try container.decode(Int.self, forKey: .minutes)
            unit = try container.decodeIfPresent(String.self, forKey: .unit)
        }

        func reading(_ key: String, _ path: String) throws -> MassRead {
            let known = MassRead.Unit.allCases.map(\.rawValue).joined(separator: ", ")
            guard let unit = MassRead.Unit(rawValue: unit ?? MassRead.Unit.objects.rawValue) else {
                let reason = "it is one of \(known)"
                throw CommandError.malformedConfiguration(path, key: "\(key).massRead.unit", reason: reason)
            }
            return MassRead(
                objectClass: objectClass,
                limit: try checked(limit, 1...2000, "\(key).massRead.limit", path),
                minutes: try checked(minutes, 1...10_080, "\(key).massRead.minutes", path),
                unit: unit
            )
        }
    }

    /// Which events are emergency accesses.
    struct Pattern: Decodable {
        let activity: String?
        let event: String?
        let metadata: [String: String]?

        enum CodingKeys: String, CodingKey, CaseIterable {
            case activity, event, metadata
        }

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(knowing: CodingKeys.self)
            activity = try container.decodeIfPresent(String.self, forKey: .activity)
            event = try container.decodeIfPresent(String.self, forKey: .event)
            metadata = try container.decodeIfPresent([String: String].self, forKey: .metadata)
        }

        var pattern: EventPattern { EventPattern(activity: activity, event: event, metadata: (metadata ?? [:]).exact) }
    }

    /// Which records are watched by name: those in a file, a class and a key in each line.
    struct Records: Decodable {
        let file: String

        enum CodingKeys: String, CodingKey, CaseIterable {
            case file
        }

        init(from decoder: any Decoder) throws {
            file = try decoder.container(knowing: CodingKeys.self).decode(String.self, forKey: .file)
        }

        func records(_ resolve: (String) -> String) throws -> Set<NamedRecord> {
            // A file like one of API keys, of which nothing is ever logged.
            Set(try APIKeyFile.pairs(resolve(file)).map { NamedRecord(objectClass: $0, key: $1) })
        }
    }
}

extension [String: String] {
    /// The same with keys that are compared by their bytes.
    fileprivate var exact: [ExactText: String] {
        [ExactText: String](uniqueKeysWithValues: map { (ExactText($0.key), $0.value) })
    }
}
