import EventModel

/// A value of JSON that is written in exactly one way: keys in the order of their bytes, no spaces.
///
/// The texts of an export are compared byte by byte when it is verified, with other machines and later versions of Foundation.
package enum JSONTree: Sendable, Hashable {
    /// No value: a member of an object that has none is left out.
    case absent
    case bool(Bool)
    case number(Int64)
    case text(String)
    case list([JSONTree])
    // TEXT: names of members of the formats, which are ours.
    case object([String: JSONTree])

    /// A text, or no value.
    package init(_ text: String?) {
        self = text.map { .text($0) } ?? .absent
    }

    /// The bytes with a line feed behind them.
    package var line: [UInt8] {
        var bytes: [UInt8] = []
        append(to: &bytes)
        bytes.append(0x0A)
        return bytes
    }

    private func append(to bytes: inout [UInt8]) {
        switch self {
        case .absent: bytes += "null".utf8
        case .bool(let value): bytes += (value ? "true" : "false").utf8
        case .number(let value): bytes += "\(value)".utf8
        case .text(let value): Self.append(value, to: &bytes)
        case .list(let values):
            bytes.append(0x5B)
            for (index, value) in values.enumerated() {
                if index > 0 { bytes.append(0x2C) }
                value.append(to: &bytes)
            }
            bytes.append(0x5D)
        case .object(let members):
            bytes.append(0x7B)
            var isFirst = true
            for (key, value) in members.sorted(by: { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) })
            where value != .absent {
                if !isFirst { bytes.append(0x2C) }
                isFirst = false
                Self.append(key, to: &bytes)
                bytes.append(0x3A)
                value.append(to: &bytes)
            }
            bytes.append(0x7D)
        }
    }

    private static func append(_ text: String, to bytes: inout [UInt8]) {
        bytes.append(0x22)
        for byte in text.utf8 {
            switch byte {
            case 0x22: bytes += [0x5C, 0x22]
            case 0x5C: bytes += [0x5C, 0x5C]
            case 0x0A: bytes += [0x5C, 0x6E]
            case 0x0D: bytes += [0x5C, 0x72]
            case 0x09: bytes += [0x5C, 0x74]
            case 0..<0x20:
                bytes += [0x5C, 0x75, 0x30, 0x30, Hexadecimal.digit(byte >> 4), Hexadecimal.digit(byte & 0xF)]
            default: bytes.append(byte)
            }
        }
        bytes.append(0x22)
    }
}

extension JSONTree: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByBooleanLiteral {
    package init(stringLiteral value: String) { self = .text(value) }
    package init(integerLiteral value: Int64) { self = .number(value) }
    package init(booleanLiteral value: Bool) { self = .bool(value) }
}

extension JSONTree: ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral {
    package init(arrayLiteral elements: JSONTree...) { self = .list(elements) }

    package init(dictionaryLiteral elements: (String, JSONTree)...) {
        self = .object(Dictionary(elements) { $1 })
    }
}
