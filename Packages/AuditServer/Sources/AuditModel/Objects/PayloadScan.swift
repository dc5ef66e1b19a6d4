/// Finds the objects in the payload of a read or a write.
///
/// ```json
/// {"type": "Patient", "value": [{"_id": "p1", …}]}
/// {"Patient": {"insertions": [{…}], "modifications": [{"newValue": {…}, "oldValue": {"_id": "p1", …}}], "deletions": […]}}
/// ```
package struct PayloadScan {
    package var json: JSONBytes
    /// Takes an object and where it stands; what it returns says whether to go on.
    private let visit: (EventObject, Int) -> Bool
    private var isEnough = false

    package init(_ bytes: UnsafeBufferPointer<UInt8>, _ visit: @escaping (EventObject, Int) -> Bool = { _, _ in true })
    {
        json = JSONBytes(bytes)
        self.visit = visit
    }

    /// Calls the closure with the objects, an inner one before the one that it lies in; what was found before the bytes turn out
    /// to be malformed counts.
    ///
    /// - Returns: Whether the closure always wanted more.
    /// - Complexity: O(*n*) in the bytes, however deep they are nested.
    package mutating func objects() -> Bool {
        do throws(JSONBytes.Malformed) {
            try payload()
        } catch {
            // A payload may be any text; what is no JSON has no further objects.
        }
        return !isEnough
    }

    /// Returns the classes that the payload names, up to a number.
    package mutating func classes(atMost limit: Int = .max) -> [String] {
        var names: [String] = []
        do throws(JSONBytes.Malformed) {
            let members = try members()
            if members.contains(where: { $0.key == "value" }) {
                let types = try types(among: members)
                if !types.isEmpty { return Array(types.prefix(limit)) }
            }
            for member in members where names.count < limit {
                json.move(to: member.position)
                if json.peek() == 0x7B { names.append(member.key) }
            }
        } catch {
            // A payload may be any text; what is no JSON names no class.
        }
        return names
    }

    /// Where the values of the outermost object start; keys come in any order.
    package mutating func members() throws(JSONBytes.Malformed) -> [(key: String, position: Int)] {
        var members: [(key: String, position: Int)] = []
        try json.object { json, key throws(JSONBytes.Malformed) in
            members.append((key, json.position))
            try json.skip()
        }
        return members
    }

    private mutating func payload() throws(JSONBytes.Malformed) {
        let members = try members()
        let values = members.filter { $0.key == "value" }
        let types = values.isEmpty ? [] : try types(among: members)
        if !types.isEmpty {
            // One of each, as it should be; of more, nobody is to hide an object behind another one.
            for type in types {
                for value in values {
                    json.move(to: value.position)
                    try list(of: type, .read)
                }
            }
            return
        }
        for member in members {
            json.move(to: member.position)
            guard json.peek() == 0x7B else { continue }
            try changes(of: member.key)
        }
    }

    /// Reads the texts that are members with the name `type`.
    package mutating func types(among members: [(key: String, position: Int)]) throws(JSONBytes.Malformed) -> [String] {
        var types: [String] = []
        for member in members where member.key == "type" {
            json.move(to: member.position)
            if json.peek() == 0x22 { types.append(try json.string()) }
        }
        return types
    }

    private mutating func changes(of name: String) throws(JSONBytes.Malformed) {
        var lists: [(action: String, position: Int)] = []
        try json.object { json, key throws(JSONBytes.Malformed) in
            lists.append((key, json.position))
            try json.skip()
        }
        for list in lists {
            json.move(to: list.position)
            switch list.action {
            case "insertions": try self.list(of: name, .inserted)
            case "deletions": try self.list(of: name, .deleted)
            case "modifications": try modifications(of: name)
            default: break
            }
        }
    }

    private mutating func list(of name: String, _ action: EventObject.Action) throws(JSONBytes.Malformed) {
        guard json.peek() == 0x5B else { return try json.skip() }
        for position in try elements() {
            json.move(to: position)
            if json.peek() == 0x7B { try object(name, action) }
        }
    }

    private mutating func modifications(of name: String) throws(JSONBytes.Malformed) {
        guard json.peek() == 0x5B else { return try json.skip() }
        for position in try elements() {
            json.move(to: position)
            guard json.peek() == 0x7B else { continue }
            var values: [(name: String, position: Int)] = []
            try json.object { json, key throws(JSONBytes.Malformed) in
                values.append((key, json.position))
                try json.skip()
            }
            for value in values where value.name == "oldValue" {
                json.move(to: value.position)
                if json.peek() == 0x7B { try object(name, .modified) }
            }
        }
    }

    /// Notes an object by its key, and those that lie in it.
    ///
    /// All of it is read once: what lies 100 levels deep is not stepped over 100 times.
    private mutating func object(
        _ name: String?,
        _ action: EventObject.Action,
        depth: Int = 0
    ) throws(JSONBytes.Malformed) {
        guard depth < JSONBytes.maximumDepth else { return try json.skip() }
        let place = json.position
        // A name that stands twice has two values: whoever asks for either of them is to find the event.
        var (keys, others): ([String], [String]) = ([], [])
        try json.enter(0x7B)
        var isFirst = true
        while try !json.leaves(0x7D, isFirst: isFirst) {
            isFirst = false
            let property = try json.key()
            switch json.peek() {
            case 0x7B: try object(nil, .shown, depth: depth + 1)
            case 0x5B: try inner(depth: depth + 1)
            case _ where property == "_id": if let key = try json.scalar() { keys.append(key) }
            case _ where property == "id": if let key = try json.scalar() { others.append(key) }
            default: try json.skip()
            }
        }
        for key in keys.isEmpty ? others : keys {
            guard visit(EventObject(objectClass: name, key: key, action: action), place) else {
                isEnough = true
                throw JSONBytes.Malformed()
            }
        }
    }

    /// Notes the objects in an array.
    private mutating func inner(depth: Int) throws(JSONBytes.Malformed) {
        try json.enter(0x5B)
        var isFirst = true
        while try !json.leaves(0x5D, isFirst: isFirst) {
            isFirst = false
            if json.peek() == 0x7B { try object(nil, .shown, depth: depth) } else { try json.skip() }
        }
    }

    package mutating func elements() throws(JSONBytes.Malformed) -> [Int] {
        var positions: [Int] = []
        try json.array { json throws(JSONBytes.Malformed) in
            if json.peek() != nil { positions.append(json.position) }
            try json.skip()
        }
        return positions
    }
}
