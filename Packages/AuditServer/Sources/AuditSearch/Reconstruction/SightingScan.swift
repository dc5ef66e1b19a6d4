import AuditModel

/// Finds one object in the payload of a read or a write; what is malformed ends the scan.
package struct SightingScan {
    private var json: JSONBytes
    private let objectClass: String
    private let key: String
    private var found: [ObjectSighting] = []

    package init(_ bytes: UnsafeBufferPointer<UInt8>, _ objectClass: String, _ key: String) {
        json = JSONBytes(bytes)
        self.objectClass = objectClass
        self.key = key
    }

    /// Returns what the payload says about the object.
    package mutating func sightings() -> [ObjectSighting] {
        do throws(JSONBytes.Malformed) {
            try payload()
        } catch {
            // What was found before the bytes turn out to be malformed counts.
        }
        return found
    }

    private mutating func payload() throws(JSONBytes.Malformed) {
        let members = try members()
        if let type = members.first(where: { $0.name == "type" }),
            let value = members.first(where: { $0.name == "value" })
        {
            json.move(to: type.start)
            if json.peek() == 0x22 {
                let name = try json.string()
                for element in try elements(at: value.start) { try object(at: element, of: name, .read) }
                return
            }
        }
        for member in members where byte(at: member.start) == 0x7B { try changes(at: member.start, of: member.name) }
    }

    private mutating func changes(at start: Int, of name: String) throws(JSONBytes.Malformed) {
        json.move(to: start)
        let lists = try members()
        for list in lists {
            switch list.name {
            case "insertions":
                for element in try elements(at: list.start) { try object(at: element, of: name, .inserted) }
            case "modifications":
                for element in try elements(at: list.start) { try modification(at: element, of: name) }
            default: break
            }
        }
        // Last, as an object that was deleted is gone whatever was written before.
        for list in lists where list.name == "deletions" {
            for element in try elements(at: list.start) where try isObject(at: element, of: name) {
                try note(.held, at: element)
                found.append(ObjectSighting(kind: .deleted, fields: []))
            }
        }
    }

    private mutating func modification(at start: Int, of name: String) throws(JSONBytes.Malformed) {
        guard byte(at: start) == 0x7B else { return }
        json.move(to: start)
        let values = try members()
        guard let old = values.first(where: { $0.name == "oldValue" }) else { return }
        let new = values.first { $0.name == "newValue" }
        if try isObject(at: old.start, of: name) {
            try note(.held, at: old.start)
            if let new { try note(.changed, at: new.start) }
        } else if let new, byte(at: new.start) == 0x7B {
            let outer = try keyOfObject(at: old.start)
            try inner(at: new.start, of: name, outer)
        }
    }

    /// Notes an object if it is the one that is looked for, and otherwise looks for it inside.
    private mutating func object(
        at start: Int,
        of name: String,
        _ kind: ObjectSighting.Kind
    ) throws(JSONBytes.Malformed) {
        guard byte(at: start) == 0x7B else { return }
        if try isObject(at: start, of: name) { return try note(kind, at: start) }
        try inner(at: start, of: name, keyOfObject(at: start))
    }

    private mutating func isObject(at start: Int, of name: String) throws(JSONBytes.Malformed) -> Bool {
        guard name == objectClass, byte(at: start) == 0x7B else { return false }
        return try keyOfObject(at: start) == key
    }

    /// Looks for objects with the key that lie in another one, however deep.
    private mutating func inner(
        at start: Int,
        of name: String,
        _ outer: String?,
        depth: Int = 0
    ) throws(JSONBytes.Malformed) {
        guard depth < JSONBytes.maximumDepth else { return }
        json.move(to: start)
        var nested: [Int] = []
        switch byte(at: start) {
        case 0x7B: nested = try members().map(\.start)
        case 0x5B: nested = try elements(at: start)
        default: return
        }
        for place in nested {
            if byte(at: place) == 0x7B, try keyOfObject(at: place) == key {
                try note(.inside(objectClass: name, key: outer), at: place)
            } else {
                try inner(at: place, of: name, outer, depth: depth + 1)
            }
        }
    }

    private mutating func note(_ kind: ObjectSighting.Kind, at start: Int) throws(JSONBytes.Malformed) {
        guard byte(at: start) == 0x7B else { return }
        json.move(to: start)
        var fields: [ObjectSighting.Field] = []
        for member in try members() {
            let text = String(decoding: json.bytes[member.start..<member.end], as: UTF8.self)
            fields.append(ObjectSighting.Field(name: member.name, value: text))
        }
        found.append(ObjectSighting(kind: kind, fields: fields))
    }

    // MARK: - Steps

    /// The members of the object at the position, with the places of their values.
    private mutating func members() throws(JSONBytes.Malformed) -> [(name: String, start: Int, end: Int)] {
        var members: [(name: String, start: Int, end: Int)] = []
        try json.object { json, name throws(JSONBytes.Malformed) in
            _ = json.peek()
            let start = json.position
            try json.skip()
            members.append((name, start, json.position))
        }
        return members
    }

    /// The places of the elements of an array; none of anything else.
    private mutating func elements(at start: Int) throws(JSONBytes.Malformed) -> [Int] {
        json.move(to: start)
        var elements: [Int] = []
        guard json.peek() == 0x5B else { return elements }
        try json.array { json throws(JSONBytes.Malformed) in
            _ = json.peek()
            elements.append(json.position)
            try json.skip()
        }
        return elements
    }

    /// The primary key of the object at a place: `_id`, or else `id`.
    private mutating func keyOfObject(at start: Int) throws(JSONBytes.Malformed) -> String? {
        guard byte(at: start) == 0x7B else { return nil }
        json.move(to: start)
        var (key, other): (String?, String?) = (nil, nil)
        try json.object { json, name throws(JSONBytes.Malformed) in
            switch name {
            case "_id": key = try json.scalar()
            case "id": other = try json.scalar()
            default: try json.skip()
            }
        }
        return key ?? other
    }

    private func byte(at position: Int) -> UInt8? {
        json.bytes.indices.contains(position) ? json.bytes[position] : nil
    }
}
