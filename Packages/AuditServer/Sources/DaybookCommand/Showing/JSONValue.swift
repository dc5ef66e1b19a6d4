import AuditModel
import EventModel
import Foundation

/// Any JSON, so that a payload can be laid out for people: with every member of every object, also two of one name.
enum JSONValue: Equatable {
    case null
    case bool(Bool)
    /// A number as it is written.
    case number(String)
    case text(String)
    case list([JSONValue])
    case object(JSONMembers)

    /// Reads a payload; nil when it is no JSON.
    init?(_ text: String) {
        let bytes = Array(text.utf8)
        do {
            // The walk below does not check what it steps over.
            _ = try JSONSerialization.jsonObject(with: Data(bytes), options: .fragmentsAllowed)
            self = try bytes.withUnsafeBufferPointer { buffer in
                var json = JSONBytes(buffer)
                return try JSONValue(&json)
            }
        } catch {
            // A payload may be any text, and is shown as such.
            return nil
        }
    }

    private init(_ json: inout JSONBytes) throws(JSONBytes.Malformed) {
        switch json.peek() {
        case 0x7B:
            var members: [JSONMembers.Member] = []
            try json.object { json, name throws(JSONBytes.Malformed) in
                members.append(JSONMembers.Member(name: name, value: try JSONValue(&json)))
            }
            self = .object(JSONMembers(all: members))
        case 0x5B:
            var elements: [JSONValue] = []
            try json.array { json throws(JSONBytes.Malformed) in elements.append(try JSONValue(&json)) }
            self = .list(elements)
        case 0x22: self = .text(try json.string())
        case 0x74, 0x66:
            self = .bool(json.peek() == 0x74)
            try json.skip()
        case 0x6E:
            self = .null
            try json.skip()
        default:
            guard let number = try json.scalar() else { throw JSONBytes.Malformed() }
            self = .number(number)
        }
    }

    /// The members of an object; nil of anything else.
    var members: JSONMembers? {
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

    /// The value on one line.
    var line: String {
        switch self {
        case .null: "null"
        case .bool(let value): "\(value)"
        case .number(let value): value
        case .text(let value): "\"\(value)\""
        case .list(let elements): "[\(elements.map(\.line).joined(separator: ", "))]"
        case .object(let members):
            "{\(members.sorted.map { "\($0.name): \($0.value.line)" }.joined(separator: ", "))}"
        }
    }
}

/// The members of an object of JSON in their order; a name may stand there more than once.
struct JSONMembers: Equatable {
    /// A name and its value.
    struct Member: Equatable {
        let name: String
        let value: JSONValue
    }

    /// All of them.
    let all: [Member]

    /// The first value of a name, in the same bytes.
    subscript(name: String) -> JSONValue? { all.first { $0.name.hasSameBytes(as: name) }?.value }

    /// All members: the primary key first, the others by the bytes of their names.
    var sorted: [Member] {
        func rank(_ name: String) -> Int { name == "_id" ? 0 : name == "id" ? 1 : 2 }
        // A sort that keeps the order of equal names is one of places, too.
        return all.enumerated()
            .sorted { first, second in
                let ranks = (rank(first.element.name), rank(second.element.name))
                if ranks.0 != ranks.1 { return ranks.0 < ranks.1 }
                if first.element.name.hasSameBytes(as: second.element.name) { return first.offset < second.offset }
                return first.element.name.precedesInBytes(second.element.name)
            }
            .map(\.element)
    }
}
