import EventModel
import Foundation

extension OriginalValue {
    /// Reads an id of twelve bytes; nil when there are others.
    init?(objectId bytes: UnsafeRawBufferPointer) {
        guard bytes.count == 12 else { return nil }
        self = .objectId(
            ObjectId(
                high: UInt64(bigEndian: bytes.loadUnaligned(as: UInt64.self)),
                low: UInt32(bigEndian: bytes.loadUnaligned(fromByteOffset: 8, as: UInt32.self))
            )
        )
    }

    /// Reads an id of sixteen bytes; nil when there are others.
    init?(uuid bytes: UnsafeRawBufferPointer) {
        guard bytes.count == 16 else { return nil }
        self = .uuid(UUID(uuid: bytes.loadUnaligned(as: uuid_t.self)))
    }

    /// Makes a date of both its numbers.
    init(seconds: Int64, nanoseconds: Int64) throws(OriginalFileError) {
        guard nanoseconds.magnitude <= 999_999_999, seconds <= 0 || nanoseconds >= 0, seconds >= 0 || nanoseconds <= 0
        else { throw .damaged("a date has a wrong fraction of a second") }
        self = .date(seconds: seconds, nanoseconds: nanoseconds)
    }

    /// Reads a decimal number of sixteen bytes; null for one pattern of bits.
    init(decimal bytes: UnsafeRawPointer) {
        let low = UInt64(littleEndian: bytes.loadUnaligned(as: UInt64.self))
        let high = UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
        self =
            high == 0x7C00_0000_0000_0000 && low == 0xAA
            ? .null : .decimal(Decimal128(high: high, low: low))
    }

    /// Widens a decimal number of fewer bits, keeping sign, exponent and digits; null for one pattern of bits.
    init(decimal bits: UInt64, _ form: NarrowDecimal) {
        guard bits != form.null else {
            self = .null
            return
        }
        let sign = (bits >> (form.bitCount - 1)) << 63
        let five = bits >> (form.bitCount - 6) & 31
        if five >= 30 {
            // Infinity has no digits; what is not a number may have some.
            let low = five == 31 ? bits & ((1 << (form.bitCount - 6)) - 1) : 0
            self = .decimal(Decimal128(high: sign | five << 58, low: low))
            return
        }
        let isLarge = five >> 3 == 3
        let shift = isLarge ? form.digitBits - 2 : form.digitBits
        let exponent = Int64(bits >> shift & ((1 << form.exponentBits) - 1)) - form.bias + 6176
        let digits =
            isLarge
            ? (1 << form.digitBits) | bits & ((1 << (form.digitBits - 2)) - 1) : bits & ((1 << form.digitBits) - 1)
        self = .decimal(Decimal128(high: sign | UInt64(exponent) << 49, low: digits))
    }
}

/// How a decimal number of 32 or 64 bits is laid out.
struct NarrowDecimal {
    let bitCount: UInt64
    let exponentBits: UInt64
    let digitBits: UInt64
    let bias: Int64
    /// The pattern that means null.
    let null: UInt64

    static let bits32 = NarrowDecimal(bitCount: 32, exponentBits: 8, digitBits: 23, bias: 101, null: 0x7C00_00AA)
    static let bits64 = NarrowDecimal(
        bitCount: 64,
        exponentBits: 10,
        digitBits: 53,
        bias: 398,
        null: 0x7C00_0000_0000_00AA
    )
}
