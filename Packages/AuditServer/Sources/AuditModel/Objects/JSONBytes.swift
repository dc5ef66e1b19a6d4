/// A reader of JSON that walks over bytes and decodes only what it is asked for.
///
/// Made for payloads of our own recorders: it does not check what it steps over. What is malformed ends the walk.
package struct JSONBytes {
    /// Thrown where the bytes are no JSON, or are nested more deeply than ``maximumDepth``.
    package struct Malformed: Error {
        /// Says that bytes are no JSON.
        package init() {}
    }

    /// How deeply values may lie in each other.
    package static let maximumDepth = 128

    package let bytes: UnsafeBufferPointer<UInt8>
    /// Where the next value starts.
    package private(set) var position = 0
    private var depth = 0

    /// Starts at the first byte.
    package init(_ bytes: UnsafeBufferPointer<UInt8>) {
        self.bytes = bytes
    }

    /// The first byte of the next value; nil at the end.
    package mutating func peek() -> UInt8? {
        while position < bytes.count {
            switch bytes[position] {
            case 0x20, 0x09, 0x0A, 0x0D: position += 1
            default: return bytes[position]
            }
        }
        return nil
    }

    /// Goes back to a value that was there before.
    package mutating func move(to position: Int) {
        self.position = position
    }

    /// Calls the closure with each key of an object; the closure reads the value, all of it.
    package mutating func object(_ member: (inout JSONBytes, String) throws(Malformed) -> Void) throws(Malformed) {
        try open(0x7B)
        if try closes(with: 0x7D, first: true) { return }
        repeat {
            let key = try key()
            try member(&self, key)
        } while try !closes(with: 0x7D, first: false)
    }

    /// Calls the closure with each element of an array; the closure reads it, all of it.
    package mutating func array(_ element: (inout JSONBytes) throws(Malformed) -> Void) throws(Malformed) {
        try open(0x5B)
        if try closes(with: 0x5D, first: true) { return }
        repeat { try element(&self) } while try !closes(with: 0x5D, first: false)
    }

    /// Reads a text or a number as text; nil for any other value, which is stepped over.
    package mutating func scalar() throws(Malformed) -> String? {
        switch peek() ?? 0 {
        case 0x22: return try string()
        case 0x2D, 0x30...0x39:
            let start = position
            try skip()
            return String(decoding: bytes[start..<position], as: UTF8.self)
        default:
            try skip()
            return nil
        }
    }

    /// Steps over a value.
    package mutating func skip() throws(Malformed) {
        switch peek() {
        case 0x22: try skipString()
        case 0x7B: try skipNested()
        case 0x5B: try skipNested()
        case nil: throw Malformed()
        default:
            let start = position
            while position < bytes.count, !Self.ends(bytes[position]) { position += 1 }
            if position == start { throw Malformed() }
        }
    }

    /// Reads a text.
    package mutating func string() throws(Malformed) -> String {
        guard peek() == 0x22 else { throw Malformed() }
        let start = position + 1
        let hasEscapes = try skipString()
        let raw = bytes[start..<(position - 1)]
        guard hasEscapes else { return String(decoding: raw, as: UTF8.self) }
        return try JSONEscapes.decoded(raw)
    }

    // MARK: - Steps

    private mutating func open(_ bracket: UInt8) throws(Malformed) {
        guard depth < Self.maximumDepth else { throw Malformed() }
        try enter(bracket)
        depth += 1
    }

    private mutating func closes(with bracket: UInt8, first: Bool) throws(Malformed) -> Bool {
        guard try leaves(bracket, isFirst: first) else { return false }
        depth -= 1
        return true
    }

    /// Steps over the bracket that opens an object or an array; whoever calls it bounds the depth.
    package mutating func enter(_ bracket: UInt8) throws(Malformed) {
        guard peek() == bracket else { throw Malformed() }
        position += 1
    }

    /// Steps over what stands before the next element: the comma, or the bracket that closes, where it returns true.
    package mutating func leaves(_ bracket: UInt8, isFirst: Bool) throws(Malformed) -> Bool {
        guard let next = peek() else { throw Malformed() }
        if next == bracket {
            position += 1
            return true
        }
        if isFirst { return false }
        guard next == 0x2C else { throw Malformed() }
        position += 1
        return false
    }

    /// Reads a key of an object, and steps over the colon behind it.
    package mutating func key() throws(Malformed) -> String {
        let key = try string()
        guard peek() == 0x3A else { throw Malformed() }
        position += 1
        return key
    }

    /// Steps over a text, and returns whether it has escapes.
    @discardableResult
    private mutating func skipString() throws(Malformed) -> Bool {
        var hasEscapes = false
        position += 1
        while position < bytes.count {
            switch bytes[position] {
            case 0x22:
                position += 1
                return hasEscapes
            case 0x5C:
                hasEscapes = true
                position += 2
            default: position += 1
            }
        }
        throw Malformed()
    }

    /// Steps over an object or an array without recursion.
    private mutating func skipNested() throws(Malformed) {
        var open = 0
        while position < bytes.count {
            switch bytes[position] {
            case 0x22:
                try skipString()
                continue
            case 0x7B, 0x5B: open += 1
            case 0x7D, 0x5D: open -= 1
            default: break
            }
            position += 1
            if open == 0 { return }
        }
        throw Malformed()
    }

    private static func ends(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x2C, 0x7D, 0x5D, 0x20, 0x09, 0x0A, 0x0D, 0x3A, 0x22, 0x7B, 0x5B: true
        default: false
        }
    }
}
