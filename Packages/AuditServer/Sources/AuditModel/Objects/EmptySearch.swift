public import EventModel

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A search that found nothing, as its event tells it.
///
/// ```json
/// {"type": "Patient", "value": [], "where": {"predicate": "name == 'Ann'", "sort": [{"ascending": true, "keyPath": "name"}]}}
/// ```
public struct EmptySearch: Sendable, Hashable {
    /// The class that was searched.
    public let objectClass: String
    /// What was asked for; nil when that is masked, or the app's recorder was too old to say it.
    public let terms: SearchTerms?

    /// Reads the payload of an event; nil when it is not of such a search.
    ///
    /// - Complexity: O(*n*) in the name of the class for what is none, else in the bytes of the payload.
    public init?(event: String?, data: [UInt8]?) {
        guard let data, Self.isOne(event: event, data: data) else { return nil }
        // What is no JSON behind such a beginning was not written by a recorder.
        guard let payload = try? JSONDecoder().decode(Payload.self, from: Data(data)) else { return nil }
        objectClass = payload.type
        terms = payload.terms.flatMap { $0.masked == nil ? $0.searchTerms : nil }
    }

    /// Returns whether an event tells of a search that found nothing.
    ///
    /// - Complexity: O(*n*) in the name of the class.
    package static func isOne(event: String?, data: [UInt8]) -> Bool {
        let start = #"{"type":""#.utf8
        guard event == "read", data.starts(with: start) else { return false }
        var index = start.count
        while index < data.count, data[index] != 0x22 { index += data[index] == 0x5C ? 2 : 1 }
        guard index < data.count else { return false }
        let rest = data[(index + 1)...]
        let nothing = #","value":[]"#.utf8
        guard rest.starts(with: nothing) else { return false }
        let end = rest.dropFirst(nothing.count)
        return end.elementsEqual("}".utf8) || end.starts(with: #","where":"#.utf8)
    }

    private struct Payload: Decodable {
        let type: String
        let terms: Terms?

        enum CodingKeys: String, CodingKey {
            case type
            case terms = "where"
        }
    }

    private struct Terms: Decodable {
        struct Order: Decodable {
            let keyPath: String
            let ascending: Bool
        }

        let predicate: String?
        let sort: [Order]?
        let collection: String?
        let masked: String?

        enum CodingKeys: String, CodingKey {
            case predicate, sort, collection
            case masked = "$masked"
        }

        var searchTerms: SearchTerms {
            SearchTerms(
                predicate: predicate,
                sort: (sort ?? []).map { SearchTerms.Order($0.keyPath, ascending: $0.ascending) },
                collection: collection
            )
        }
    }
}

extension EmptySearch: CustomStringConvertible {
    /// What was not found: `no Patient where name == 'Ann', by name, age descending`.
    public var description: String {
        guard let terms else { return "no \(objectClass)" }
        var text = "no \(objectClass)"
        if let collection = terms.collection { text += " in \(collection)" }
        if let predicate = terms.predicate { text += " where \(predicate)" }
        let sort = terms.sort.map { $0.ascending ? $0.keyPath : "\($0.keyPath) descending" }
        return sort.isEmpty ? text : "\(text), by \(sort.joined(separator: ", "))"
    }
}
