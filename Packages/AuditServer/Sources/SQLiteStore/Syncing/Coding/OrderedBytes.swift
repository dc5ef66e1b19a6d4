import ChangeModel
import EventModel

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Writes addresses and values as bytes that SQLite orders as the rules do.
///
/// ```
/// path  = { tag of the step  name }        keys below a path lie together, behind it
/// text  = UTF-8, a zero byte as 00 FF, then 00
/// value = tag of the kind  value           numbers big-endian, those with a sign with it turned
/// ```
/// A tag is from 1 on, so that what follows a text never looks like the FF of a zero byte.
struct OrderedBytes {
    private(set) var bytes: [UInt8] = []

    /// The bytes of a path.
    static func of(_ path: CellPath) -> [UInt8] {
        var ordered = OrderedBytes()
        for step in path.steps { ordered.step(step) }
        return ordered.bytes
    }

    /// The bytes of a primary key.
    static func of(_ key: PrimaryKey) -> [UInt8] {
        var ordered = OrderedBytes()
        ordered.key(key)
        return ordered.bytes
    }

    /// The bytes of a value.
    static func of(_ value: CellValue) -> [UInt8] {
        var ordered = OrderedBytes()
        ordered.value(value)
        return ordered.bytes
    }

    /// The bytes between which the paths strictly below one lie.
    static func below(_ path: [UInt8]) -> (first: [UInt8], end: [UInt8]) { (path + [1], path + [6]) }

    mutating func byte(_ byte: UInt8) { bytes.append(byte) }

    mutating func fixed(_ number: some FixedWidthInteger) {
        withUnsafeBytes(of: number.bigEndian) { bytes.append(contentsOf: $0) }
    }

    /// Writes bytes of any length, so that a beginning comes before the whole.
    mutating func ended(_ content: some Sequence<UInt8>) {
        for byte in content {
            bytes.append(byte)
            if byte == 0 { bytes.append(0xFF) }
        }
        bytes.append(0)
    }

    mutating func text(_ text: ExactText) { ended(text.string.utf8) }

    mutating func stamp(_ stamp: Stamp) {
        byte(stamp.isDefault ? 0 : 1)
        fixed(stamp.clock.bits)
        fixed(stamp.file)
        fixed(stamp.index)
    }
}

// MARK: - Addresses

extension OrderedBytes {
    mutating func step(_ step: CellPath.Step) {
        switch step {
        case .property(let name):
            byte(1)
            text(name)
        case .life(let id):
            byte(2)
            fixed(id.bits)
        case .key(let key):
            byte(3)
            text(key)
        case .element(let id):
            byte(4)
            fixed(id.bits)
        case .member(let value):
            byte(5)
            self.value(value)
        }
    }

    mutating func key(_ key: PrimaryKey) {
        switch key {
        case .null: byte(1)
        case .int(let number):
            byte(2)
            fixed(Self.turned(number))
        case .string(let text):
            byte(3)
            self.text(text)
        case .objectId(let id):
            byte(4)
            objectId(id)
        case .uuid(let id):
            byte(5)
            withUnsafeBytes(of: id.uuid) { bytes.append(contentsOf: $0) }
        }
    }

    private mutating func objectId(_ id: ObjectId) {
        fixed(id.high)
        fixed(id.low)
    }

    private static func turned(_ number: Int64) -> UInt64 { UInt64(bitPattern: number) ^ 1 << 63 }
}

// MARK: - Values

extension OrderedBytes {
    mutating func value(_ value: CellValue) {
        switch value {
        case .null: byte(1)
        case .bool(let value): byte(value ? 3 : 2)
        case .int(let value):
            byte(4)
            fixed(Self.turned(value))
        case .float(let value):
            byte(5)
            fixed(value.bitPattern)
        case .double(let value):
            byte(6)
            fixed(value.bitPattern)
        case .string(let value):
            byte(7)
            text(value)
        case .data(let value):
            byte(8)
            ended(value)
        case .date(let value):
            byte(9)
            fixed(value.bitPattern)
        case .objectId(let value):
            byte(10)
            objectId(value)
        case .uuid(let value):
            byte(11)
            withUnsafeBytes(of: value.uuid) { bytes.append(contentsOf: $0) }
        case .decimal128(let value):
            byte(12)
            fixed(value.high)
            fixed(value.low)
        case .link(let target):
            byte(13)
            text(target.className)
            key(target.key)
        case .life(let life):
            byte(14)
            fixed(life.id.bits)
            byte(life.kind.rawValue)
        case .anyLink(let target):
            byte(15)
            text(target.className)
            key(target.key)
        }
    }
}
