/// A decimal floating-point number of IEEE 754-2008: 34 digits, exponents from -6176 to 6111.
///
/// The bits are those of the binary integer decimal encoding, as BSON and Realm store them.
@frozen
public struct Decimal128: Sendable, Hashable {
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
