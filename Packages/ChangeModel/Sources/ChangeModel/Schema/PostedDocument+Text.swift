public import EventModel

extension PostedDocument {
    /// How deep lists and objects may lie in one another.
    static let maximumDepth = 100

    /// Reads a document; nil for what is no JSON object, has a member twice or a number outside of a text, or goes too deep.
    ///
    /// - Parameter text: The text of one JSON object, as RFC 8259 has it.
    /// - Complexity: O(*n*) in the bytes, whatever they are: it comes from a device, and is read while others of its realm wait.
    public init?(_ text: ExactText) {
        var string = text.string
        let read = string.withUTF8 { bytes in
            var reader = JSONObjectReader(bytes)
            return reader.wholeDocument()
        }
        guard let read, case .members = read else { return nil }
        self = read
    }

    /// The document with its members in the order of their bytes, which is the same text for equal documents.
    public var text: String {
        var bytes: [UInt8] = []
        append(to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    private func append(to bytes: inout [UInt8]) {
        switch self {
        case .null: bytes += "null".utf8
        case .bool(let truth): bytes += (truth ? "true" : "false").utf8
        case .string(let text): Self.append(text, to: &bytes)
        case .list(let list):
            bytes.append(UInt8(ascii: "["))
            for (index, element) in list.enumerated() {
                if index > 0 { bytes.append(UInt8(ascii: ",")) }
                element.append(to: &bytes)
            }
            bytes.append(UInt8(ascii: "]"))
        case .members(let members):
            bytes.append(UInt8(ascii: "{"))
            for (index, member) in members.sorted(by: { $0.key < $1.key }).enumerated() {
                if index > 0 { bytes.append(UInt8(ascii: ",")) }
                Self.append(member.key.string, to: &bytes)
                bytes.append(UInt8(ascii: ":"))
                member.value.append(to: &bytes)
            }
            bytes.append(UInt8(ascii: "}"))
        }
    }

    private static func append(_ text: String, to bytes: inout [UInt8]) {
        bytes.append(UInt8(ascii: "\""))
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"): bytes += [UInt8(ascii: "\\"), byte]
            case 0..<0x20:
                let digits = String(byte, radix: 16)
                bytes += "\\u00\(digits.count == 1 ? "0" : "")\(digits)".utf8
            default: bytes.append(byte)
            }
        }
        bytes.append(UInt8(ascii: "\""))
    }
}

/// Reads one JSON document whose numbers are all texts.
private struct JSONObjectReader {
    private let bytes: UnsafeBufferPointer<UInt8>
    private var place = 0

    init(_ bytes: UnsafeBufferPointer<UInt8>) { self.bytes = bytes }

    /// Reads a document and what stands behind it, which may be spaces alone.
    mutating func wholeDocument() -> PostedDocument? {
        guard let document = value(depth: 0) else { return nil }
        return next() == nil ? document : nil
    }

    /// The next byte that is no space, which is not taken.
    private mutating func next() -> UInt8? {
        while place < bytes.count {
            switch bytes[place] {
            case 0x20, 0x09, 0x0A, 0x0D: place += 1
            case let byte: return byte
            }
        }
        return nil
    }

    /// Takes a byte, if it comes next.
    private mutating func take(_ byte: Unicode.Scalar) -> Bool {
        guard next() == UInt8(ascii: byte) else { return false }
        place += 1
        return true
    }

    /// Takes the letters of a word.
    private mutating func word(_ word: StaticString, _ value: PostedDocument) -> PostedDocument? {
        let count = word.utf8CodeUnitCount
        guard bytes.count - place >= count, (0..<count).allSatisfy({ bytes[place + $0] == word.utf8Start[$0] }) else {
            return nil
        }
        place += count
        return value
    }

    private mutating func value(depth: Int) -> PostedDocument? {
        guard depth <= PostedDocument.maximumDepth else { return nil }
        switch next() {
        case UInt8(ascii: "{"): return members(depth: depth + 1)
        case UInt8(ascii: "["): return list(depth: depth + 1)
        case UInt8(ascii: "\""): return string().map { .string($0) }
        case UInt8(ascii: "t"): return word("true", .bool(true))
        case UInt8(ascii: "f"): return word("false", .bool(false))
        case UInt8(ascii: "n"): return word("null", .null)
        default: return nil
        }
    }

    private mutating func members(depth: Int) -> PostedDocument? {
        place += 1
        var members: [ExactText: PostedDocument] = [:]
        if take("}") { return .members(members) }
        repeat {
            guard next() == UInt8(ascii: "\""), let name = string(), take(":"), let value = value(depth: depth),
                members.updateValue(value, forKey: ExactText(name)) == nil
            else { return nil }
        } while take(",")
        return take("}") ? .members(members) : nil
    }

    private mutating func list(depth: Int) -> PostedDocument? {
        place += 1
        var list: [PostedDocument] = []
        if take("]") { return .list(list) }
        repeat {
            guard let value = value(depth: depth) else { return nil }
            list.append(value)
        } while take(",")
        return take("]") ? .list(list) : nil
    }

    private mutating func string() -> String? {
        place += 1
        let start = place
        var unescaped: [UInt8]?
        while place < bytes.count {
            let byte = bytes[place]
            place += 1
            switch byte {
            case UInt8(ascii: "\""):
                // UTF-8 as a whole, as what it is read from is.
                if let unescaped { return String(decoding: unescaped, as: UTF8.self) }
                return String(decoding: bytes[start..<place - 1], as: UTF8.self)
            case UInt8(ascii: "\\"):
                if unescaped == nil { unescaped = Array(bytes[start..<place - 1]) }
                guard let scalar = escaped() else { return nil }
                unescaped?.append(contentsOf: String(scalar).utf8)
            case 0..<0x20: return nil
            default: unescaped?.append(byte)
            }
        }
        return nil
    }

    /// What stands for itself behind a backslash, or is named there.
    private mutating func escaped() -> Unicode.Scalar? {
        guard place < bytes.count else { return nil }
        let byte = bytes[place]
        place += 1
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return Unicode.Scalar(byte)
        case UInt8(ascii: "b"): return "\u{8}"
        case UInt8(ascii: "f"): return "\u{C}"
        case UInt8(ascii: "n"): return "\n"
        case UInt8(ascii: "r"): return "\r"
        case UInt8(ascii: "t"): return "\t"
        case UInt8(ascii: "u"):
            guard let first = unit() else { return nil }
            guard 0xD800..<0xDC00 ~= first else { return Unicode.Scalar(first) }
            guard bytes.count - place >= 2, bytes[place] == UInt8(ascii: "\\"), bytes[place + 1] == UInt8(ascii: "u")
            else {
                return nil
            }
            place += 2
            guard let second = unit(), 0xDC00..<0xE000 ~= second else { return nil }
            return Unicode.Scalar(0x10000 + (first - 0xD800) << 10 + (second - 0xDC00))
        default: return nil
        }
    }

    /// Four hexadecimal digits.
    private mutating func unit() -> UInt32? {
        guard bytes.count - place >= 4 else { return nil }
        var unit: UInt32 = 0
        for _ in 0..<4 {
            let byte = UInt32(bytes[place])
            place += 1
            switch byte {
            case 0x30...0x39: unit = unit << 4 | (byte - 0x30)
            case 0x41...0x46: unit = unit << 4 | (byte - 0x41 + 10)
            case 0x61...0x66: unit = unit << 4 | (byte - 0x61 + 10)
            default: return nil
            }
        }
        return unit
    }
}
