extension Decimal128: SignedNumeric {
    /// Creates the number from an integer; nil when it has more digits than fit.
    public init?(exactly source: some BinaryInteger) {
        guard let magnitude = UInt128(exactly: source.magnitude) else { return nil }
        self.init(source)
        let (product, overflows) = significand.multipliedReportingOverflow(by: UInt128.powerOfTen(exponent))
        guard !overflows, product == magnitude else { return nil }
    }

    /// Changes the sign, also that of zero.
    public mutating func negate() { self = -self }
}

extension Decimal128: Strideable {
    /// The number that is to be added to this one to get another one, rounded to 34 digits.
    public func distance(to other: Decimal128) -> Decimal128 { other - self }

    /// This number and another one added, rounded to 34 digits.
    public func advanced(by stride: Decimal128) -> Decimal128 { self + stride }
}

extension Decimal128 {
    /// The smallest finite number: 34 nines, -9.99...E+6144.
    public static var min: Decimal128 {
        Decimal128(isNegative: true, significand: maximumSignificand, exponent: maximumExponent)
    }

    /// The greatest finite number: 34 nines, 9.99...E+6144.
    public static var max: Decimal128 {
        Decimal128(isNegative: false, significand: maximumSignificand, exponent: maximumExponent)
    }

    /// The number as text; the same as ``description``.
    public var stringValue: String { description }
}
