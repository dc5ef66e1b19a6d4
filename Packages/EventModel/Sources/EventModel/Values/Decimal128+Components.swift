extension Decimal128 {
    /// The greatest significand: 34 nines.
    public static let maximumSignificand: UInt128 = 9_999_999_999_999_999_999_999_999_999_999_999
    /// The smallest exponent.
    public static let minimumExponent = -6176
    /// The greatest exponent.
    public static let maximumExponent = 6111
    /// Not a number.
    public static let nan = Decimal128(high: 0x7C00 << 48, low: 0)
    /// Positive infinity.
    public static let infinity = Decimal128(high: 0x7800 << 48, low: 0)
    /// Positive zero with exponent 0.
    public static let zero = Decimal128(isNegative: false, significand: 0, exponent: 0)

    /// Creates the number `significand` x 10^`exponent`.
    ///
    /// - Precondition: The significand is at most ``maximumSignificand``, and the exponent lies between
    ///   ``minimumExponent`` and ``maximumExponent``.
    public init(isNegative: Bool, significand: UInt128, exponent: Int) {
        precondition(significand <= Self.maximumSignificand, "A Decimal128 has at most 34 digits.")
        precondition(
            (Self.minimumExponent...Self.maximumExponent).contains(exponent),
            "The exponent of a Decimal128 lies between -6176 and 6111."
        )
        let biased = UInt64(exponent - Self.minimumExponent)
        self.init(
            high: (isNegative ? 1 << 63 : 0) | biased << 49 | UInt64(truncatingIfNeeded: significand >> 64),
            low: UInt64(truncatingIfNeeded: significand)
        )
    }

    /// Whether the sign is minus; zero, infinity and NaN have a sign, too.
    @inlinable
    public var isNegative: Bool { high >> 63 == 1 }

    /// Whether this is not a number.
    @inlinable
    public var isNaN: Bool { high >> 58 & 0x1F == 0x1F }

    /// Whether this is positive or negative infinity.
    @inlinable
    public var isInfinite: Bool { high >> 58 & 0x1F == 0x1E }

    /// Whether this is neither infinite nor NaN.
    @inlinable
    public var isFinite: Bool { high >> 59 & 0xF != 0xF }

    /// Whether this is positive or negative zero.
    public var isZero: Bool { isFinite && significand == 0 }

    /// The digits as an integer; 0 for infinity, NaN and the encodings that the standard calls non-canonical.
    public var significand: UInt128 {
        // The second form of the encoding, marked by two ones, only holds numbers of more than 34 digits.
        guard high >> 61 & 3 != 3 else { return 0 }
        let digits = UInt128(high & 0x1_FFFF_FFFF_FFFF) << 64 | UInt128(low)
        return digits <= Self.maximumSignificand ? digits : 0
    }

    /// The power of ten that the significand is multiplied with; 0 for infinity and NaN.
    public var exponent: Int {
        guard isFinite else { return 0 }
        let biased = high >> 61 & 3 == 3 ? high >> 47 & 0x3FFF : high >> 49 & 0x3FFF
        return Int(biased) + Self.minimumExponent
    }

    /// The number without its sign.
    public var magnitude: Decimal128 { Decimal128(high: high & ~(1 << 63), low: low) }
}
