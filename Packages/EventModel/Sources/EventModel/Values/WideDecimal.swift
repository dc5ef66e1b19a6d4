/// An unsigned integer of 256 bits: what two significands make when they are multiplied or lined up.
struct WideDecimal: Equatable, Comparable {
    let high: UInt128
    let low: UInt128

    init(high: UInt128, low: UInt128) {
        self.high = high
        self.low = low
    }

    init(_ parts: (high: UInt128, low: UInt128)) {
        self.init(high: parts.high, low: parts.low)
    }

    static func < (left: WideDecimal, right: WideDecimal) -> Bool {
        (left.high, left.low) < (right.high, right.low)
    }

    static func + (left: WideDecimal, right: WideDecimal) -> WideDecimal {
        let (low, carries) = left.low.addingReportingOverflow(right.low)
        return WideDecimal(high: left.high + right.high + (carries ? 1 : 0), low: low)
    }

    /// The difference of a larger and a smaller number.
    static func - (left: WideDecimal, right: WideDecimal) -> WideDecimal {
        let (low, borrows) = left.low.subtractingReportingOverflow(right.low)
        return WideDecimal(high: left.high - right.high - (borrows ? 1 : 0), low: low)
    }

    /// The nearest decimal to this number x 10^`exponent`.
    ///
    /// - Parameters:
    ///   - isNegative: Whether the sign is minus.
    ///   - exponent: Any exponent.
    ///   - hasMore: Whether digits other than zero follow.
    /// - Returns: The number rounded to 34 digits, half to even.
    func rounded(isNegative: Bool, exponent: Int, hasMore: Bool = false) -> Decimal128 {
        guard high > 0 else {
            return Decimal128(isNegative: isNegative, rounding: low, exponent: exponent, hasMore: hasMore)
        }
        // The first 36 digits of a number below 10^74 are enough for rounding to 34: those that a division by 10^38
        // leaves, and then the first ones of its remainder. All others only count as being there or not.
        let power = UInt128.powerOfTen(38)
        let (top, rest) = power.dividingFullWidth((high, low))
        let kept = 36 - top.decimalDigitCount
        let dropped = UInt128.powerOfTen(38 - kept)
        let (next, tail) = rest.quotientAndRemainder(dividingBy: dropped)
        return Decimal128(
            isNegative: isNegative,
            rounding: top * UInt128.powerOfTen(kept) + next,
            exponent: exponent + 38 - kept,
            hasMore: hasMore || tail != 0
        )
    }
}
