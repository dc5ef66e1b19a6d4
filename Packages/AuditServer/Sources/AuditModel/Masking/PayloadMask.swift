import EventModel

/// Masks values inside a payload, and leaves every other byte as it is.
///
/// A masked value becomes `{"$masked":"string"}`, which says what kind it is: `string`, `number`, `boolean`, `list` or `object`.
/// What is empty stays: null, an empty text, list or object. What does not have the form that it should have is masked
/// as a whole, so that an odd payload shows too little and never too much.
package struct PayloadMask {
    /// What is masked in objects whose class the payload does not say; nil in custom events.
    private let anywhere: MaskTree?
    /// The object whose values stay; nil when all are masked.
    private let named: NamedObject?
    /// What is masked, in the order of the payload.
    private var masked: [(range: Range<Int>, kind: StaticString)] = []

    private init(anywhere: MaskTree?, named: NamedObject?) {
        self.anywhere = anywhere
        self.named = named
    }

    /// Masks the payload of a read or a write.
    ///
    /// - Parameters:
    ///   - data: The payload.
    ///   - classes: What is masked of the objects of each class.
    ///   - anywhere: What is masked of objects inside others.
    ///   - named: The object whose values stay.
    /// - Returns: The payload, or nil when nothing of it is masked.
    /// - Complexity: O(*n*) in the bytes of the payload.
    package static func recorded(
        _ data: [UInt8],
        // TEXT: what Unicode takes for a masked name is masked, too: hiding more is the safe side.
        classes: [String: MaskTree],
        anywhere: MaskTree,
        but named: NamedObject? = nil
    ) -> [UInt8]? {
        applied(to: data, anywhere: anywhere, but: named) { mask, json throws(JSONBytes.Malformed) in
            try mask.recorded(&json, classes)
        }
    }

    /// Masks the payload of a custom event.
    ///
    /// - Parameters:
    ///   - data: The payload, any text.
    ///   - trees: What is masked in it; a payload that is no object or list is masked as a whole.
    /// - Returns: The payload, or nil when nothing of it is masked.
    /// - Complexity: O(*n*) in the bytes of the payload.
    package static func custom(_ data: [UInt8], _ trees: [MaskTree]) -> [UInt8]? {
        applied(to: data, anywhere: nil) { mask, json throws(JSONBytes.Malformed) in
            if trees.contains(where: \.hidesMembers) { return try mask.hide(&json) }
            try mask.element(&json, trees)
        }
    }

    private static func applied(
        to data: [UInt8],
        anywhere: MaskTree?,
        but named: NamedObject? = nil,
        _ body: (inout PayloadMask, inout JSONBytes) throws(JSONBytes.Malformed) -> Void
    ) -> [UInt8]? {
        if data.isEmpty { return nil }
        var mask = PayloadMask(anywhere: anywhere, named: named)
        return data.withUnsafeBufferPointer { bytes in
            do throws(JSONBytes.Malformed) {
                var json = JSONBytes(bytes)
                try body(&mask, &json)
                guard json.peek() == nil else { throw JSONBytes.Malformed() }
                return mask.output(bytes)
            } catch {
                // A text that is no JSON says nothing of what is where in it.
                return marker("string")
            }
        }
    }

    private static func marker(_ kind: StaticString) -> [UInt8] {
        var bytes = Array(#"{"$masked":""#.utf8)
        bytes.append(contentsOf: UnsafeBufferPointer(start: kind.utf8Start, count: kind.utf8CodeUnitCount))
        bytes.append(contentsOf: #""}"#.utf8)
        return bytes
    }

    private func output(_ bytes: UnsafeBufferPointer<UInt8>) -> [UInt8]? {
        if masked.isEmpty { return nil }
        var output: [UInt8] = []
        output.reserveCapacity(bytes.count + masked.count * 24)
        var position = 0
        for (range, kind) in masked {
            output.append(contentsOf: bytes[position..<range.lowerBound])
            output.append(contentsOf: Self.marker(kind))
            position = range.upperBound
        }
        output.append(contentsOf: bytes[position...])
        return output
    }

    // MARK: - Recorded payloads

    /// `{"type": "Patient", "value": […]}`, or `{"Patient": {"insertions": […], …}}`.
    private mutating func recorded(
        _ json: inout JSONBytes,
        // TEXT: as above.
        _ classes: [String: MaskTree]
    ) throws(JSONBytes.Malformed) {
        guard json.peek() == 0x7B else { return try hide(&json) }
        let start = json.position
        var types: [String?] = []
        var values = 0
        try json.object { json, name throws(JSONBytes.Malformed) in
            if name == "value" { values += 1 }
            let isType = name == "type" && json.peek() == 0x22
            if isType { types.append(try json.string()) } else { try json.skip() }
            if name == "type" && !isType { types.append(nil) }
        }
        let end = json.position
        json.move(to: start)
        // Readers differ in which of two members with one name counts.
        let isAmbiguous = types.count > 1 || values > 1
        let type = types.first ?? nil
        let isRead = type != nil && values == 1
        try json.object { json, name throws(JSONBytes.Malformed) in
            if isAmbiguous {
                try hide(&json)
            } else if isRead, name == "type" {
                try json.skip()
            } else if isRead, name == "value", let type, json.peek() == 0x5B {
                try element(&json, classes[type].map { [$0] } ?? [], of: type)
            } else if !isRead, json.peek() == 0x7B {
                try changes(&json, classes[name].map { [$0] } ?? [], of: name)
            } else {
                try hide(&json)
            }
        }
        json.move(to: end)
    }

    private mutating func changes(
        _ json: inout JSONBytes,
        _ trees: [MaskTree],
        of type: String
    ) throws(JSONBytes.Malformed) {
        try json.object { json, action throws(JSONBytes.Malformed) in
            guard json.peek() == 0x5B else { return try hide(&json) }
            switch action {
            case "insertions", "deletions": try element(&json, trees, of: type)
            case "modifications":
                try json.array { json throws(JSONBytes.Malformed) in
                    guard json.peek() == 0x7B else { return try hide(&json) }
                    let isNamed = type == named?.objectClass ? try isChangeOfNamed(json) : false
                    try json.object { json, name throws(JSONBytes.Malformed) in
                        if name == "oldValue" || name == "newValue" {
                            if isNamed && json.peek() == 0x7B { try whole(&json) } else { try element(&json, trees) }
                        } else {
                            try hide(&json)
                        }
                    }
                }
            default: try hide(&json)
            }
        }
    }

    // MARK: - Values

    /// Masks what should be an object, or a list of objects; where something of it is masked, any other value is.
    private mutating func element(
        _ json: inout JSONBytes,
        _ trees: [MaskTree],
        of type: String? = nil
    ) throws(JSONBytes.Malformed) {
        switch json.peek() {
        case 0x7B:
            if let named, type == named.objectClass, try named.isKey(of: json) { return try whole(&json) }
            try object(&json, trees)
        case 0x5B: try json.array { json throws(JSONBytes.Malformed) in try element(&json, trees, of: type) }
        default: if trees.isEmpty { try json.skip() } else { try hide(&json) }
        }
    }

    private mutating func object(_ json: inout JSONBytes, _ trees: [MaskTree]) throws(JSONBytes.Malformed) {
        if trees.isEmpty && anywhere == nil { return try json.skip() }
        try json.object { json, name throws(JSONBytes.Malformed) in
            if trees.contains(where: { $0.hides(name) }) { return try hide(&json) }
            try inner(&json, trees.compactMap { $0.members[name] })
        }
    }

    /// Goes into a value that is not masked itself; an object in it may be of any class.
    private mutating func inner(_ json: inout JSONBytes, _ trees: [MaskTree]) throws(JSONBytes.Malformed) {
        switch json.peek() {
        case 0x7B: try object(&json, trees + (anywhere.map { [$0] } ?? []))
        case 0x5B: try json.array { json throws(JSONBytes.Malformed) in try inner(&json, trees) }
        default: try json.skip()
        }
    }

    // MARK: - The object whose values stay

    /// Returns whether a change is one of that object: the old value has its key, and the new one no other.
    private func isChangeOfNamed(_ json: JSONBytes) throws(JSONBytes.Malformed) -> Bool {
        guard let named else { return false }
        var (olds, isOther) = (0, false)
        var ahead = json
        try ahead.object { json, name throws(JSONBytes.Malformed) in
            if json.peek() == 0x7B {
                let keys = try NamedObject.keys(of: json)
                if name == "oldValue" { olds += keys == [named.key] ? 1 : 2 }
                if name == "newValue" { isOther = isOther || !(keys.isEmpty || keys == [named.key]) }
            }
            try json.skip()
        }
        return olds == 1 && !isOther
    }

    /// Steps over the object whose values stay, but for objects in it that have keys of their own.
    private mutating func whole(_ json: inout JSONBytes) throws(JSONBytes.Malformed) {
        try json.object { json, _ throws(JSONBytes.Malformed) in try part(&json) }
    }

    private mutating func part(_ json: inout JSONBytes) throws(JSONBytes.Malformed) {
        switch json.peek() {
        case 0x7B: if try NamedObject.keys(of: json).isEmpty { try whole(&json) } else { try inner(&json, []) }
        case 0x5B: try json.array { json throws(JSONBytes.Malformed) in try part(&json) }
        default: try json.skip()
        }
    }

    // MARK: - Masking

    /// Masks a value, unless it is empty.
    private mutating func hide(_ json: inout JSONBytes) throws(JSONBytes.Malformed) {
        let first = json.peek()
        let start = json.position
        try walk(&json)
        let kind: StaticString
        switch first {
        case 0x22:
            if json.position - start == 2 { return }
            kind = "string"
        case 0x7B, 0x5B:
            // Between the brackets of what is empty there is white space at most.
            let inside = json.bytes[(start + 1)..<(json.position - 1)]
            if inside.allSatisfy({ [0x20, 0x09, 0x0A, 0x0D].contains($0) }) { return }
            kind = first == 0x7B ? "object" : "list"
        case 0x6E: return
        case 0x74, 0x66: kind = "boolean"
        default: kind = "number"
        }
        masked.append((start..<json.position, kind))
    }

    /// Steps over a value and checks its form: where a masked value ends must not be open to doubt.
    private func walk(_ json: inout JSONBytes) throws(JSONBytes.Malformed) {
        switch json.peek() {
        case 0x7B: try json.object { json, _ throws(JSONBytes.Malformed) in try walk(&json) }
        case 0x5B: try json.array { json throws(JSONBytes.Malformed) in try walk(&json) }
        case 0x22: try json.skip()
        default:
            let start = json.position
            try json.skip()
            guard Self.isScalar(json.bytes[start..<json.position]) else { throw JSONBytes.Malformed() }
        }
    }

    private static func isScalar(_ bytes: Slice<UnsafeBufferPointer<UInt8>>) -> Bool {
        switch bytes.first {
        case 0x6E: bytes.elementsEqual("null".utf8)
        case 0x74: bytes.elementsEqual("true".utf8)
        case 0x66: bytes.elementsEqual("false".utf8)
        // The characters of numbers; whether they make one up does not matter for where it ends.
        default:
            bytes.allSatisfy { byte in
                switch byte {
                case 0x30...0x39, 0x2B, 0x2D, 0x2E, 0x45, 0x65: true
                default: false
                }
            }
        }
    }
}
