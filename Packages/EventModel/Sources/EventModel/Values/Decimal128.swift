/// A decimal floating-point number of IEEE 754-2008: 34 digits, exponents from -6176 to 6111.
///
/// The bits are those of the binary integer decimal encoding, as BSON and Realm store them. Numbers that differ in their
/// trailing zeros only are equal (1.0 and 1.00) but keep their digits as text. Arithmetic rounds half to even and
/// never traps: it yields infinity or NaN.
///
/// ```swift
/// let price: Decimal128 = "19.90"
/// let total = price * 3  // 59.70
/// ```
@frozen
public struct Decimal128: Sendable {
    /// Bits 64 to 127: sign, exponent and the first digits.
    public let high: UInt64
    /// Bits 0 to 63: the last digits.
    public let low: UInt64

    /// Creates a number from its encoded bits.
    @inlinable
    public init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }
}
