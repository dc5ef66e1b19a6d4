extension Decimal128 {
    /// Creates the number nearest to `significand` x 10^`exponent`, ties to even.
    ///
    /// The exponent is kept when it can be. A number that is too large becomes infinity, one too small zero.
    ///
    /// - Parameters:
    ///   - isNegative: Whether the sign is minus.
    ///   - significand: Up to 39 digits.
    ///   - exponent: Any exponent.
    ///   - hasMore: Whether digits other than zero follow those of the significand.
    init(isNegative: Bool, rounding significand: UInt128, exponent: Int, hasMore: Bool = false) {
        var digits = significand
        var exponent = exponent
        var excess = Swift.max(digits.decimalDigitCount - 34, Self.minimumExponent - exponent, 0)
        if excess > 0 {
            (digits, exponent) = (Self.rounded(digits, dropping: excess, hasMore: hasMore), exponent + excess)
            // Rounding up may have made one digit more: 9.99 became 10.0.
            if digits > Self.maximumSignificand {
                digits /= 10
                exponent += 1
            }
        }
        excess = exponent - Self.maximumExponent
        if excess > 0 {
            // The exponent can be lowered by putting zeros behind the digits.
            if digits == 0 {
                exponent = Self.maximumExponent
            } else if excess <= 34 - digits.decimalDigitCount {
                digits *= UInt128.powerOfTen(excess)
                exponent = Self.maximumExponent
            } else {
                self = isNegative ? -Self.infinity : Self.infinity
                return
            }
        }
        self.init(isNegative: isNegative, significand: digits, exponent: exponent)
    }

    private static func rounded(_ digits: UInt128, dropping count: Int, hasMore: Bool) -> UInt128 {
        guard count <= 38 else { return 0 }
        let power = UInt128.powerOfTen(count)
        let (quotient, remainder) = digits.quotientAndRemainder(dividingBy: power)
        let half = power / 2
        let isUp = remainder > half || (remainder == half && (hasMore || quotient & 1 == 1))
        return isUp ? quotient + 1 : quotient
    }
}
