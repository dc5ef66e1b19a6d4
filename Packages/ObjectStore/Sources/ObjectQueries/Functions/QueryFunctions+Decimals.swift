public import EventModel

extension QueryFunctions {
    /// Returns the decimal that a column holds: 16 bytes, the low half first, each half little-endian, as in BSON.
    ///
    /// - Returns: nil when there are not 16 bytes.
    public static func decimal(blob: UnsafeRawBufferPointer) -> Decimal128? {
        guard blob.count == 16 else { return nil }
        return Decimal128(
            high: UInt64(littleEndian: blob.loadUnaligned(fromByteOffset: 8, as: UInt64.self)),
            low: UInt64(littleEndian: blob.loadUnaligned(as: UInt64.self))
        )
    }

    /// Returns the 16 bytes that a column holds for a decimal; the inverse of ``decimal(blob:)``.
    public static func blob(_ decimal: Decimal128) -> [UInt8] {
        withUnsafeBytes(of: (decimal.low.littleEndian, decimal.high.littleEndian)) { Array($0) }
    }

    /// Returns 19 bytes whose order is the order of the decimals, and which are equal for equal values (1.0 and 1.00).
    ///
    /// The first byte is the kind: NaN, negative infinity, negative, zero, positive, infinity. The exponent of the
    /// first digit and the 34 digits follow, complemented for negative numbers.
    public static func decimalKey(_ decimal: Decimal128) -> [UInt8] {
        var key = [UInt8](repeating: 0, count: 19)
        if decimal.isNaN { return key }
        if decimal.isInfinite {
            key[0] = decimal.isNegative ? 1 : 5
            return key
        }
        guard decimal.significand != 0 else {
            key[0] = 3
            return key
        }
        var digits = decimal.significand
        var exponent = decimal.exponent
        while digits < Decimal128.maximumSignificand / 10 + 1 {
            digits *= 10
            exponent -= 1
        }
        key[0] = decimal.isNegative ? 2 : 4
        let biased = UInt16(exponent + 0x4000)
        key[1] = UInt8(biased >> 8)
        key[2] = UInt8(biased & 0xFF)
        for index in 0..<16 {
            key[3 + index] = UInt8(truncatingIfNeeded: digits >> UInt128((15 - index) * 8))
        }
        if decimal.isNegative {
            for index in 1..<19 { key[index] = ~key[index] }
        }
        return key
    }

    /// Returns the decimal behind a key; the inverse of ``decimalKey(_:)``.
    ///
    /// - Returns: nil for NaN and when there are not 19 bytes.
    public static func decimal(key: UnsafeRawBufferPointer) -> Decimal128? {
        guard key.count == 19, let kind = key.first else { return nil }
        switch kind {
        case 1: return -Decimal128.infinity
        case 3: return .zero
        case 5: return .infinity
        case 2, 4:
            let mask: UInt8 = kind == 2 ? 0xFF : 0
            let exponent = Int(key[1] ^ mask) << 8 | Int(key[2] ^ mask)
            var digits = key.dropFirst(3).reduce(into: UInt128(0)) { $0 = $0 << 8 | UInt128($1 ^ mask) }
            var power = exponent - 0x4000
            // The key always has 34 digits, for which very small numbers have too small an exponent.
            while digits != 0, digits.isMultiple(of: 10) {
                digits /= 10
                power += 1
            }
            while power > Decimal128.maximumExponent {
                digits *= 10
                power -= 1
            }
            return Decimal128(isNegative: kind == 2, significand: digits, exponent: power)
        default: return nil
        }
    }
}
