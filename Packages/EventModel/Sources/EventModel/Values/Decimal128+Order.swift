// Equality, order and hashing are those of the values. Unlike IEEE 754 asks, NaN equals itself and is smaller than
// every number: a database must find and sort what it stores.
extension Decimal128: Hashable {
    /// Whether both are the same number, whatever their trailing zeros; NaN equals NaN.
    public static func == (left: Decimal128, right: Decimal128) -> Bool {
        left.compare(right) == 0
    }

    /// Feeds the value to the hasher, so that 1.0 and 1.00 have one hash.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(rank)
        guard isFinite else { return }
        let (digits, exponent) = withoutTrailingZeros
        hasher.combine(digits)
        hasher.combine(exponent)
    }

    /// The significand without zeros at its end, and the exponent that goes with it; 0 and 0 for zero.
    var withoutTrailingZeros: (digits: UInt128, exponent: Int) {
        var digits = significand
        var exponent = exponent
        guard digits != 0 else { return (0, 0) }
        while true {
            let (quotient, remainder) = digits.quotientAndRemainder(dividingBy: 10)
            guard remainder == 0 else { return (digits, exponent) }
            digits = quotient
            exponent += 1
        }
    }

    /// The place of the kind of number in the order: NaN, negative infinity, negative, zero, positive, infinity.
    private var rank: Int {
        if isNaN { return 0 }
        if isInfinite { return isNegative ? 1 : 5 }
        if significand == 0 { return 3 }
        return isNegative ? 2 : 4
    }

    /// Returns a negative number, 0 or a positive number as this is smaller than, equal to or greater than the other.
    private func compare(_ other: Decimal128) -> Int {
        guard rank == other.rank else { return rank - other.rank }
        guard rank == 2 || rank == 4 else { return 0 }
        let order = compareMagnitude(other)
        return rank == 4 ? order : -order
    }

    /// Compares two numbers that are neither zero nor infinite, without their signs.
    private func compareMagnitude(_ other: Decimal128) -> Int {
        var (left, leftExponent) = (significand, exponent)
        var (right, rightExponent) = (other.significand, other.exponent)
        let leading = leftExponent + left.decimalDigitCount
        let otherLeading = rightExponent + right.decimalDigitCount
        guard leading == otherLeading else { return leading - otherLeading }
        // With equal leading digits, the exponents differ by less than 34 and the larger one can be spread out.
        if leftExponent > rightExponent {
            left *= UInt128.powerOfTen(leftExponent - rightExponent)
            leftExponent = rightExponent
        } else {
            right *= UInt128.powerOfTen(rightExponent - leftExponent)
            rightExponent = leftExponent
        }
        return left == right ? 0 : left < right ? -1 : 1
    }
}

extension Decimal128: Comparable {
    /// Compares by value; NaN is smaller than every number.
    public static func < (left: Decimal128, right: Decimal128) -> Bool {
        left.compare(right) < 0
    }
}

extension UInt128 {
    /// How many decimal digits the number has; 1 for zero.
    var decimalDigitCount: Int {
        // A bit is worth log10(2) = 1233 / 4096 digits; the estimate is the count or one less.
        let bits = UInt128.bitWidth - leadingZeroBitCount
        let estimate = (bits * 1233) >> 12
        return self >= Self.powersOfTen[estimate] ? estimate + 1 : Swift.max(estimate, 1)
    }

    /// Ten to a power from 0 to 38.
    static func powerOfTen(_ exponent: Int) -> UInt128 {
        powersOfTen[exponent]
    }

    private static let powersOfTen: [UInt128] = {
        var powers: [UInt128] = [1]
        for _ in 0..<38 { powers.append((powers.last ?? 1) * 10) }
        return powers
    }()
}
