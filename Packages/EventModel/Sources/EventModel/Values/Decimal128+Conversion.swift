extension Decimal128 {
    /// Creates zero.
    public init() {
        self = .zero
    }

    /// Creates the number from an integer, rounded to 34 digits.
    public init(_ value: some BinaryInteger) {
        if let magnitude = UInt128(exactly: value.magnitude) {
            self.init(isNegative: value < 0, rounding: magnitude, exponent: 0)
        } else {
            // An integer of more than 128 bits; its text is a decimal number.
            self = Decimal128(value.description) ?? .nan
        }
    }

    /// Creates the number that the shortest text of the given one names: 0.1 becomes 0.1.
    public init(_ value: Double) {
        self = Decimal128(Self.text(value.description)) ?? .nan
    }

    /// Creates the number that the shortest text of the given one names: 0.1 becomes 0.1.
    public init(_ value: Float) {
        self = Decimal128(Self.text(value.description)) ?? .nan
    }

    /// An integral number has `.0` behind it in Swift's text, which would count as a digit.
    private static func text(_ description: String) -> String {
        description.hasSuffix(".0") ? String(description.dropLast(2)) : description
    }

    /// The nearest number of 64 bits; infinity when this is too large.
    public var doubleValue: Double {
        if isNaN { return .nan }
        if isInfinite { return isNegative ? -.infinity : .infinity }
        // The text is read with correct rounding, which multiplying with a power of ten would not give.
        return Double(description) ?? .nan
    }

    /// The integer that this number is, or nil when it has a fraction or does not fit.
    public var int64Value: Int64? {
        guard isFinite else { return nil }
        let (digits, exponent) = withoutTrailingZeros
        guard (0...18).contains(exponent) || digits == 0 else { return nil }
        let (product, overflows) = digits.multipliedReportingOverflow(by: UInt128.powerOfTen(exponent))
        guard !overflows else { return nil }
        return isNegative ? Int64(exactly: -Int128(clamping: product)) : Int64(exactly: product)
    }
}

// MARK: - Literals

extension Decimal128: ExpressibleByIntegerLiteral {
    /// Creates the number from an integer literal.
    public init(integerLiteral value: Int64) {
        self.init(value)
    }
}

extension Decimal128: ExpressibleByFloatLiteral {
    /// Creates the number from a literal with a fraction, which goes through 64 bits: write long ones as text.
    public init(floatLiteral value: Double) {
        self.init(value)
    }
}

extension Decimal128: ExpressibleByStringLiteral {
    /// Creates the number from a text literal.
    ///
    /// - Precondition: The text is a number.
    public init(stringLiteral value: String) {
        guard let parsed = Decimal128(value) else {
            preconditionFailure("A Decimal128 literal must be a number such as -12.5E+3, NaN or Infinity.")
        }
        self = parsed
    }
}
