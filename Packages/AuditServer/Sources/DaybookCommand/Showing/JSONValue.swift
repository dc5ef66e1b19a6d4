import Foundation

/// Any JSON, so that a payload can be laid out for people.
enum JSONValue: Equatable {
    case null
    case bool(Bool)
    case integer(Int64)
    case number(Double)
    case text(String)
    case list([JSONValue])
    case object([String: JSONValue])

    /// Reads a payload; nil when it is no JSON.
    init?(_ text: String) {
        do {
            self = try JSONDecoder().decode(JSONValue.self, from: Data(text.utf8))
        } catch {
            // A payload may be any text, and is shown as such.
            return nil
        }
    }

    /// The members of an object; nil of anything else.
    var members: [String: JSONValue]? {
        if case .object(let members) = self { members } else { nil }
    }

    /// The elements of a list; nil of anything else.
    var elements: [JSONValue]? {
        if case .list(let elements) = self { elements } else { nil }
    }

    /// The text; nil of anything else.
    var string: String? {
        if case .text(let text) = self { text } else { nil }
    }
}

extension JSONValue: Decodable {
    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            self = .null
        } else if let value = try? container.decode(Bool.self) {
            self = .bool(value)
        } else if let value = try? container.decode(Int64.self) {
            self = .integer(value)
        } else if let value = try? container.decode(Double.self) {
            self = .number(value)
        } else if let value = try? container.decode(String.self) {
            self = .text(value)
        } else if let value = try? container.decode([JSONValue].self) {
            self = .list(value)
        } else {
            self = .object(try container.decode([String: JSONValue].self))
        }
    }
}

extension JSONValue {
    /// The names of an object's members: the primary key first, the others by the alphabet.
    static func names(_ members: [String: JSONValue]) -> [String] {
        members.keys.sorted { first, second in
            let ranks = [first, second].map { $0 == "_id" ? 0 : $0 == "id" ? 1 : 2 }
            return ranks[0] == ranks[1] ? first < second : ranks[0] < ranks[1]
        }
    }

    /// The value on one line.
    var line: String {
        switch self {
        case .null: "null"
        case .bool(let value): "\(value)"
        case .integer(let value): "\(value)"
        case .number(let value): "\(value)"
        case .text(let value): "\"\(value)\""
        case .list(let elements): "[\(elements.map(\.line).joined(separator: ", "))]"
        case .object(let members):
            "{\(Self.names(members).map { "\($0): \(members[$0]?.line ?? "")" }.joined(separator: ", "))}"
        }
    }
}
