import AuditModel
import GRDB

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The values that the events of a filter do not have, where every event has one value and most have that of the filter.
///
/// Of reads in an activity there may be a million, and of all other events there a thousand: these are looked up then.
struct OtherValues {
    /// How many other values there may be.
    private static let maximumCount = 8

    /// The filter without the value.
    let wider: EventFilter
    /// The filter with each of the other values in its place.
    let filters: [EventFilter]

    /// Looks for a value whose others fewer events have than a limit; nil when there is none.
    init?(than filter: EventFilter, fewerThan limit: Int64, in database: Database) throws {
        // Nobody needs other values of what decides which events a search looks at.
        if filter.realm != .recorded { return nil }
        if let event = filter.event, let others = try Self.others(than: event, .event, limit, in: database) {
            var wider = filter
            wider.event = nil
            self.wider = wider
            filters = others.map { other in
                var part = filter
                part.event = other
                return part
            }
            return
        }
        let outcome = filter.outcome?.rawValue
        guard let outcome, let others = try Self.others(than: outcome, .outcome, limit, in: database) else {
            return nil
        }
        var wider = filter
        wider.outcome = nil
        self.wider = wider
        filters = others.compactMap { EventOutcome(rawValue: $0) }
            .map { other in
                var part = filter
                part.outcome = other
                return part
            }
    }

    private static func others(
        than value: String,
        _ kind: SearchTerm.Kind,
        _ limit: Int64,
        in database: Database
    ) throws -> [String]? {
        let rows = try Row.fetchAll(
            database,
            sql: "SELECT text, count FROM Term WHERE kind = ? ORDER BY count DESC LIMIT ?",
            arguments: [SearchTerm(kind).column, maximumCount + 2]
        )
        let whole = try Int64.fetchOne(
            database,
            sql: "SELECT count FROM Term WHERE kind = ? AND text = x''",
            arguments: [SearchTerm(.all).column]
        )
        var others: [String] = []
        var (all, rest): (Int64, Int64) = (0, 0)
        for row in rows {
            let (text, count): (Data, Int64) = (row[0], row[1])
            // What was cut may stand for several values.
            if text.count >= SearchTerm.maximumBytes { return nil }
            all += count
            if text.elementsEqual(value.utf8) { continue }
            others.append(String(decoding: text, as: UTF8.self))
            rest += count
        }
        // An event without a value of the kind would be in neither.
        guard others.count <= maximumCount, all == whole, rest < limit else { return nil }
        return others
    }
}
