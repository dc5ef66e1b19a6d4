import EventModel
import Foundation

/// A sum over objects that tells whether two files hold the same ones, in whatever order they come.
///
/// It finds what was lost or mixed up on the way; it is no signature, since who wants to can find two files with one sum.
///
/// ```swift
/// var sum = ValueDigest()
/// sum.add(object)
/// print(sum.text)
/// ```
package struct ValueDigest: Sendable, Hashable {
    private var low: UInt64 = 0
    private var high: UInt64 = 0

    /// The sum of nothing.
    package init() {}

    /// Adds an object.
    package mutating func add(_ object: ObjectDigest) {
        low &+= object.words.0
        high &+= object.words.1
    }

    /// The sum as 32 hexadecimal digits.
    package var text: String {
        [high, low]
            .map { word in
                let digits = String(word, radix: 16)
                return String(repeating: "0", count: 16 - digits.count) + digits
            }
            .joined()
    }
}

/// What the values of an object come to, one after the other.
///
/// ```swift
/// var object = ObjectDigest()
/// object.add(.string("Rex"))
/// ```
package struct ObjectDigest {
    private var low: UInt64 = 0x9E37_79B9_7F4A_7C15
    private var high: UInt64 = 0xC2B2_AE3D_27D4_EB4F

    /// Begins an object.
    package init() {}

    /// What all that was added comes to.
    var words: (UInt64, UInt64) {
        (Self.mixed(low ^ high &>> 1), Self.mixed(high &+ low &<< 1))
    }

    private static func mixed(_ word: UInt64) -> UInt64 {
        var word = (word ^ word >> 33) &* 0xFF51_AFD7_ED55_8CCD
        word = (word ^ word >> 33) &* 0xC4CE_B9FE_1A85_EC53
        return word ^ word >> 33
    }

    /// Adds a number.
    @inline(__always)
    package mutating func add(word: UInt64) {
        low = (low ^ word) &* 0x9FB2_1C65_1E98_DF25
        low ^= low >> 32
        high = (high &+ word) &* 0xD6E8_FEB8_6659_FD93
        high ^= high >> 29
    }

    /// Adds a text by its UTF-8.
    package mutating func add(text: UnsafeRawBufferPointer) {
        add(word: 2)
        add(bytes: text)
    }

    /// Adds a value of bytes.
    package mutating func add(data: UnsafeRawBufferPointer) {
        add(word: 4)
        add(bytes: data)
    }

    /// Adds bytes, with their count.
    private mutating func add(bytes: UnsafeRawBufferPointer) {
        add(word: UInt64(bytes.count))
        var offset = 0
        while offset + 8 <= bytes.count {
            add(word: UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self)))
            offset += 8
        }
        guard offset < bytes.count else { return }
        var rest: UInt64 = 0
        for index in offset..<bytes.count { rest = rest << 8 | UInt64(bytes[index]) }
        add(word: rest)
    }

    /// Adds the elements of a set or the entries of a dictionary, whose order means nothing.
    ///
    /// - Parameters:
    ///   - parts: The sum over all of them.
    ///   - count: How many there are.
    package mutating func add(_ parts: ValueDigest, count: Int) {
        add(word: UInt64(count))
        for byte in parts.text.utf8 { add(word: UInt64(byte)) }
    }

    /// Adds a value with its type.
    package mutating func add(_ value: OriginalValue) {
        switch value {
        case .null: add(word: 99)
        case .int(let number): add(0, UInt64(bitPattern: number))
        case .bool(let truth): add(1, truth ? 1 : 0)
        case .float(let number): add(9, UInt64((number.isNaN ? Float.nan : number).bitPattern))
        case .double(let number): add(10, (number.isNaN ? Double.nan : number).bitPattern)
        case .string(var text): text.withUTF8 { add(text: UnsafeRawBufferPointer($0)) }
        case .data(let bytes): bytes.withUnsafeBytes { add(data: $0) }
        case .date(let seconds, let nanoseconds): add(8, OriginalValue.interval(seconds, nanoseconds).bitPattern)
        case .instant(let interval): add(8, interval.bitPattern)
        case .decimal(let number):
            add(11, number.high)
            add(word: number.low)
        case .objectId(let id):
            add(15, id.high)
            add(word: UInt64(id.low))
        case .uuid(let id):
            add(word: 17)
            withUnsafeBytes(of: id.uuid) { add(bytes: $0) }
        case .link(let index, let key):
            add(12, UInt64(index))
            add(word: UInt64(bitPattern: key))
        case .list(let elements):
            add(19, UInt64(elements.count))
            for element in elements { add(element) }
        case .dictionary(let entries):
            add(word: 21)
            var sum = ValueDigest()
            for entry in entries { sum.add(ObjectDigest(entry)) }
            add(sum, count: entries.count)
        }
    }

    private mutating func add(_ tag: UInt64, _ word: UInt64) {
        add(word: tag)
        add(word: word)
    }

    /// What an element of a set comes to.
    package init(_ value: OriginalValue) {
        self.init()
        add(value)
    }

    /// What an entry of a dictionary comes to.
    package init(_ entry: OriginalEntry) {
        self.init()
        add(.string(entry.key))
        add(entry.value)
    }
}
