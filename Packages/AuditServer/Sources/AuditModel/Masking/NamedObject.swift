/// The one object whose masked values somebody may see for a reason.
package struct NamedObject: Sendable, Hashable {
    /// The class.
    package let objectClass: String
    /// The primary key as text.
    package let key: String

    package init(objectClass: String, key: String) {
        self.objectClass = objectClass
        self.key = key
    }
}

extension NamedObject {
    /// Returns whether an object that the reader stands in front of is this one, by its key.
    ///
    /// One with two keys is none: readers differ in which of them counts.
    ///
    /// - Complexity: O(*n*) in the bytes of the object.
    package func isKey(of json: JSONBytes) throws(JSONBytes.Malformed) -> Bool { try Self.keys(of: json) == [key] }

    /// Returns the values of `_id`, or else of `id`; null has no text and is none of anybody.
    package static func keys(of json: JSONBytes) throws(JSONBytes.Malformed) -> [String?] {
        var (keys, others): ([String?], [String?]) = ([], [])
        var ahead = json
        try ahead.object { json, name throws(JSONBytes.Malformed) in
            switch name {
            case "_id": keys.append(try json.scalar())
            case "id": others.append(try json.scalar())
            default: try json.skip()
            }
        }
        return keys.isEmpty ? others : keys
    }
}
