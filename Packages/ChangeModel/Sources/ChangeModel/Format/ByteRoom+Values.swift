import EventModel

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

// What ``ChangeWriter`` writes of a value, without a value in between.
extension ByteRoom {
    /// Writes the number of a property and its value, as the same ``CellValue`` is written.
    @inline(__always)
    mutating func cell(_ name: Int, _ value: PlainValue) {
        switch value {
        case .text(let utf8) where !utf8.isASCII:
            // A file that was damaged may have bytes that are no text, which are sent as they are shown.
            var text = String(decoding: utf8, as: UTF8.self)
            text.withUTF8 { plainCell(name, .text(UnsafeRawBufferPointer($0))) }
        default: plainCell(name, value)
        }
    }

    @inline(__always)
    private mutating func plainCell(_ name: Int, _ value: PlainValue) {
        let most = UnsafeMutableRawPointer.countBytes + value.mostBytes
        write(atMost: most) { end in
            end.put(count: name)
            end.put(value)
        }
    }
}

extension PlainValue {
    /// How many bytes the value takes at most with what is written in front of it.
    @inline(__always)
    var mostBytes: Int {
        switch self {
        case .text(let bytes), .data(let bytes): 1 + UnsafeMutableRawPointer.countBytes + bytes.count
        default: 1 + 16
        }
    }
}

extension PrimaryKey {
    /// How many bytes the key takes at most with what is written in front of it.
    @inline(__always)
    var mostBytes: Int {
        if case .string(let text) = self {
            1 + UnsafeMutableRawPointer.countBytes + text.string.utf8.count
        } else {
            1 + 16
        }
    }
}

extension UnsafeMutableRawPointer {
    /// Writes a value, whose text is text.
    @inline(__always)
    mutating func put(_ value: PlainValue) {
        typealias Tag = CellValue.PlainTag
        switch value {
        case .null: put(byte: Tag.null)
        case .bool(let value): put(byte: value ? Tag.yes : Tag.no)
        case .int(let value):
            put(byte: Tag.int)
            put(value)
        case .float(let value):
            put(byte: Tag.float)
            put(value.bitPattern)
        case .double(let value):
            put(byte: Tag.double)
            put(value.bitPattern)
        case .text(let value):
            put(byte: Tag.text)
            put(count: value.count)
            put(bytes: value)
        case .data(let value):
            put(byte: Tag.data)
            put(count: value.count)
            put(bytes: value)
        case .date(let value):
            put(byte: Tag.date)
            put(value.bitPattern)
        case .objectId(let value):
            put(byte: Tag.objectId)
            value.withUnsafeBytes { put(bytes: $0) }
        case .uuid(let value):
            put(byte: Tag.uuid)
            withUnsafeBytes(of: value.uuid) { put(bytes: $0) }
        case .decimal128(let value):
            put(byte: Tag.decimal128)
            put(value.low)
            put(value.high)
        }
    }

    /// Writes a primary key.
    @inline(__always)
    mutating func put(key: PrimaryKey) {
        switch key {
        case .null: put(.null)
        case .int(let key): put(.int(key))
        case .string(let key):
            var text = key.string
            text.withUTF8 { put(.text(UnsafeRawBufferPointer($0))) }
        case .objectId(let key): put(.objectId(key))
        case .uuid(let key): put(.uuid(key))
        }
    }
}

extension UnsafeRawBufferPointer {
    /// Whether no byte is part of a longer character, eight bytes at a time.
    @inline(__always)
    fileprivate var isASCII: Bool {
        guard let address = baseAddress else { return true }
        var (bits, index) = (0 as UInt64, 0)
        while index &+ 8 <= count {
            bits |= address.loadUnaligned(fromByteOffset: index, as: UInt64.self)
            index &+= 8
        }
        while index < count {
            bits |= UInt64(address.load(fromByteOffset: index, as: UInt8.self))
            index &+= 1
        }
        return bits & 0x8080_8080_8080_8080 == 0
    }
}
