package import EventModel

/// A value that a write changed, as a list shows it: in short.
public struct EventChange: Sendable, Hashable, Codable {
    /// The most values that a list shows of one event.
    package static let maximumCount = 6
    /// The most values that are shown of one new object.
    fileprivate static let maximumInserted = 3
    /// The most characters that are shown of a value.
    private static let maximumCharacters = 80

    /// The class of the object.
    public let objectClass: String
    /// The object's primary key as text; nil when it has none.
    public let key: String?
    /// The name of the property.
    public let name: String
    /// The old value: a text as it is, anything else as JSON, cut behind 80 characters; nil of no value, and of a new object.
    public let before: String?
    /// The new value in the same form; nil of no value.
    public let after: String?

    private enum CodingKeys: String, CodingKey {
        case objectClass = "class"
        case key, name, before, after
    }
}

extension EventChange {
    /// Returns the first values that a write changed, and of new objects the first that are no lists or objects.
    ///
    /// - Complexity: O(*n*) in the bytes of the payload.
    package static func first(in event: AuditEvent) -> [EventChange] {
        guard let data = event.data, event.event == "write" else { return [] }
        return data.withUnsafeBufferPointer { bytes in
            var scan = PayloadScan(bytes)
            var found: [EventChange] = []
            do throws(JSONBytes.Malformed) {
                try scan.changes(into: &found)
            } catch {
                // A payload may be any text; what is no JSON has no further changes.
            }
            return Array(found.prefix(maximumCount))
        }
    }
}

extension PayloadScan {
    fileprivate mutating func changes(into found: inout [EventChange]) throws(JSONBytes.Malformed) {
        for type in try members() {
            json.move(to: type.position)
            guard json.peek() == 0x7B else { continue }
            for list in try members() where list.key == "modifications" || list.key == "insertions" {
                json.move(to: list.position)
                guard json.peek() == 0x5B else { continue }
                for position in try elements() where found.count < EventChange.maximumCount {
                    json.move(to: position)
                    guard json.peek() == 0x7B else { continue }
                    if list.key == "insertions" {
                        try insertion(of: type.key, into: &found)
                    } else {
                        try modification(of: type.key, into: &found)
                    }
                }
            }
        }
    }

    private mutating func modification(
        of type: String,
        into found: inout [EventChange]
    ) throws(JSONBytes.Malformed) {
        let values = try members()
        guard let old = try object(in: values, "oldValue"), let new = try object(in: values, "newValue") else { return }
        let key = try key(of: old)
        for (name, position) in new {
            var before: String?
            if let member = old.first(where: { $0.key.utf8.elementsEqual(name.utf8) }) {
                before = try text(at: member.position)
            }
            let after = try text(at: position)
            found.append(EventChange(objectClass: type, key: key, name: name, before: before, after: after))
        }
    }

    private mutating func insertion(
        of type: String,
        into found: inout [EventChange]
    ) throws(JSONBytes.Malformed) {
        let members = try members()
        let key = try key(of: members)
        var left = EventChange.maximumInserted
        for (name, position) in members where left > 0 && name != "_id" && name != "id" {
            json.move(to: position)
            guard let first = json.peek(), first != 0x7B, first != 0x5B, let value = try text(at: position)
            else { continue }
            found.append(EventChange(objectClass: type, key: key, name: name, before: nil, after: value))
            left -= 1
        }
    }

    /// The members of an object that is one of these values; nil when it is none.
    private mutating func object(
        in values: [(key: String, position: Int)],
        _ name: String
    ) throws(JSONBytes.Malformed) -> [(key: String, position: Int)]? {
        guard let value = values.first(where: { $0.key == name }) else { return nil }
        json.move(to: value.position)
        return json.peek() == 0x7B ? try members() : nil
    }

    private mutating func key(of members: [(key: String, position: Int)]) throws(JSONBytes.Malformed) -> String? {
        guard let member = members.first(where: { $0.key == "_id" }) ?? members.first(where: { $0.key == "id" })
        else { return nil }
        json.move(to: member.position)
        return try json.scalar()
    }

    private mutating func text(at position: Int) throws(JSONBytes.Malformed) -> String? {
        json.move(to: position)
        if json.peek() == 0x22 { return EventChange.cut(try json.string()) }
        let start = json.position
        try json.skip()
        let text = String(decoding: json.bytes[start..<json.position].prefix(EventChange.maximumBytes), as: UTF8.self)
        return text == "null" ? nil : EventChange.cut(text)
    }
}

extension EventChange {
    /// More bytes than the characters have that are shown, so that a long value is not decoded as a whole.
    fileprivate static let maximumBytes = maximumCharacters * 8

    fileprivate static func cut(_ text: String) -> String {
        let short = text.prefix(maximumCharacters)
        return short.endIndex == text.endIndex ? text : "\(short)…"
    }
}
