// The exponent of an exact result is the one that IEEE 754 prefers: the smaller one of the operands for sums, their
// sum for products, their difference for quotients. An inexact result has 34 digits.
extension Decimal128 {
    /// The number with the opposite sign.
    public static prefix func - (number: Decimal128) -> Decimal128 {
        Decimal128(high: number.high ^ (1 << 63), low: number.low)
    }

    /// The sum, rounded to 34 digits.
    public static func + (left: Decimal128, right: Decimal128) -> Decimal128 {
        guard left.isFinite, right.isFinite else {
            if left.isNaN || right.isNaN { return .nan }
            if left.isInfinite, right.isInfinite, left.isNegative != right.isNegative { return .nan }
            return left.isInfinite ? left : right
        }
        let (large, small) = left.exponent >= right.exponent ? (left, right) : (right, left)
        return sum(large, small)
    }

    /// The difference, rounded to 34 digits.
    public static func - (left: Decimal128, right: Decimal128) -> Decimal128 {
        left + -right
    }

    /// The product, rounded to 34 digits.
    public static func * (left: Decimal128, right: Decimal128) -> Decimal128 {
        let isNegative = left.isNegative != right.isNegative
        guard left.isFinite, right.isFinite else {
            if left.isNaN || right.isNaN || left.isZero || right.isZero { return .nan }
            return isNegative ? -infinity : infinity
        }
        let product = WideDecimal(left.significand.multipliedFullWidth(by: right.significand))
        return product.rounded(isNegative: isNegative, exponent: left.exponent + right.exponent)
    }

    /// The quotient; infinity when a number is divided by zero, NaN when zero is.
    public static func / (left: Decimal128, right: Decimal128) -> Decimal128 {
        let isNegative = left.isNegative != right.isNegative
        guard left.isFinite, right.isFinite else {
            if left.isNaN || right.isNaN || (left.isInfinite && right.isInfinite) { return .nan }
            if left.isInfinite { return isNegative ? -infinity : infinity }
            return Decimal128(isNegative: isNegative, significand: 0, exponent: minimumExponent)
        }
        guard !right.isZero else {
            if left.isZero { return .nan }
            return isNegative ? -infinity : infinity
        }
        return quotient(left, right, isNegative: isNegative)
    }

    /// Adds in place.
    public static func += (left: inout Decimal128, right: Decimal128) { left = left + right }

    /// Subtracts in place.
    public static func -= (left: inout Decimal128, right: Decimal128) { left = left - right }

    /// Multiplies in place.
    public static func *= (left: inout Decimal128, right: Decimal128) { left = left * right }

    /// Divides in place.
    public static func /= (left: inout Decimal128, right: Decimal128) { left = left / right }

    /// Adds finite numbers, of which the first has the larger exponent.
    private static func sum(_ large: Decimal128, _ small: Decimal128) -> Decimal128 {
        guard !large.isZero, !small.isZero else { return sumWithZero(large, small) }
        // Zeros behind the larger number first, as many as it can hold.
        let room = Swift.min(34 - large.significand.decimalDigitCount, large.exponent - small.exponent)
        let significand = large.significand * UInt128.powerOfTen(room)
        var shift = large.exponent - room - small.exponent
        var addend = WideDecimal(high: 0, low: small.significand)
        var exponent = small.exponent
        // Seventy digits hold both significands when they are at most 36 places apart. Farther down, the smaller
        // number is less than a hundredth of the last place and only says on which side of the larger one the sum is.
        let hasMore = shift > 36
        if hasMore {
            exponent = large.exponent - room - 36
            shift = 36
            addend = WideDecimal(high: 0, low: 0)
        }
        let spread = WideDecimal(significand.multipliedFullWidth(by: UInt128.powerOfTen(shift)))
        if large.isNegative == small.isNegative {
            return (spread + addend).rounded(isNegative: large.isNegative, exponent: exponent, hasMore: hasMore)
        }
        if hasMore {
            // The true difference is a little below; one unit less with more digits following says so.
            let below = spread - WideDecimal(high: 0, low: 1)
            return below.rounded(isNegative: large.isNegative, exponent: exponent, hasMore: true)
        }
        if spread == addend { return Decimal128(isNegative: false, significand: 0, exponent: exponent) }
        return spread > addend
            ? (spread - addend).rounded(isNegative: large.isNegative, exponent: exponent)
            : (addend - spread).rounded(isNegative: small.isNegative, exponent: exponent)
    }

    /// A sum of which one part is zero: the other part, with the smaller exponent as far as its digits allow.
    private static func sumWithZero(_ large: Decimal128, _ small: Decimal128) -> Decimal128 {
        if large.isZero {
            guard small.isZero else { return small }
            let isNegative = large.isNegative && small.isNegative
            return Decimal128(isNegative: isNegative, significand: 0, exponent: small.exponent)
        }
        let room = 34 - large.significand.decimalDigitCount
        let shift = Swift.min(large.exponent - small.exponent, room)
        return Decimal128(
            isNegative: large.isNegative,
            significand: large.significand * UInt128.powerOfTen(shift),
            exponent: large.exponent - shift
        )
    }

    private static func quotient(_ left: Decimal128, _ right: Decimal128, isNegative: Bool) -> Decimal128 {
        let preferred = left.exponent - right.exponent
        guard !left.isZero else {
            return Decimal128(isNegative: isNegative, rounding: 0, exponent: preferred)
        }
        // Enough zeros behind the dividend for a quotient of 35 or 36 digits.
        let shift = 35 + right.significand.decimalDigitCount - left.significand.decimalDigitCount
        let dividend = WideDecimal(left.significand.multipliedFullWidth(by: UInt128.powerOfTen(Swift.min(shift, 38))))
        let (first, remainder) = right.significand.dividingFullWidth((dividend.high, dividend.low))
        var digits = first
        var rest = remainder
        var exponent = preferred - Swift.min(shift, 38)
        for _ in 0..<Swift.max(shift - 38, 0) {
            let (next, nextRest) = (rest * 10).quotientAndRemainder(dividingBy: right.significand)
            (digits, rest, exponent) = (digits * 10 + next, nextRest, exponent - 1)
        }
        // An exact quotient gives its zeros back, up to the preferred exponent.
        while rest == 0, exponent < preferred, digits.isMultiple(of: 10) {
            digits /= 10
            exponent += 1
        }
        return Decimal128(isNegative: isNegative, rounding: digits, exponent: exponent, hasMore: rest != 0)
    }
}
