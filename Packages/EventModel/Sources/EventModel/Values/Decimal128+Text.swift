extension Decimal128 {
    /// Reads a number: digits with an optional sign, point and exponent, or `NaN`, `sNaN`, `Inf`, `Infinity` in any case.
    ///
    /// More than 34 digits are rounded half to even. Trailing zeros are kept. A signalling NaN is read as a quiet one: nothing here
    /// signals.
    ///
    /// - Throws: ``EventModelError/malformedDecimal(length:)`` when the text is not a number.
    /// - Complexity: O(*n*) in the length of the text.
    public init(string: String) throws(EventModelError) {
        guard let parsed = Decimal128(decimalText: string.utf8) else {
            throw .malformedDecimal(length: string.utf8.count)
        }
        self = parsed
    }

    private init?(decimalText: some Collection<UInt8>) {
        var rest = decimalText[...]
        let sign = rest.first
        if sign == 0x2B || sign == 0x2D { rest.removeFirst() }
        if let special = Self.special(rest) {
            self = sign == 0x2D && !special.isNaN ? -special : special
            return
        }
        var digits: UInt128 = 0
        var exponent = 0
        var (hasDigits, hasPoint, hasMore) = (false, false, false)
        while let character = rest.first, character | 0x20 != 0x65 {
            rest.removeFirst()
            if character == 0x2E {
                guard !hasPoint else { return nil }
                hasPoint = true
                continue
            }
            guard (0x30...0x39).contains(character) else { return nil }
            hasDigits = true
            if digits <= Self.maximumSignificand {
                // Up to 35 digits are collected: the last one, and whether more follow, decide how to round.
                digits = digits * 10 + UInt128(character - 0x30)
                if hasPoint { exponent -= 1 }
            } else {
                if character != 0x30 { hasMore = true }
                if !hasPoint { exponent += 1 }
            }
        }
        guard hasDigits else { return nil }
        if !rest.isEmpty {
            rest.removeFirst()
            guard let written = Self.exponent(rest) else { return nil }
            exponent += written
        }
        self.init(isNegative: sign == 0x2D, rounding: digits, exponent: exponent, hasMore: hasMore)
    }

    private static func special(_ text: some Collection<UInt8>) -> Decimal128? {
        switch String(decoding: text, as: UTF8.self).lowercased() {
        case "nan", "snan": .nan
        case "inf", "infinity": .infinity
        default: nil
        }
    }

    /// Reads what follows the `E`; a number of any length, clamped to what no significand can make up for.
    private static func exponent(_ text: some Collection<UInt8>) -> Int? {
        var rest = text[...]
        let sign = rest.first
        if sign == 0x2B || sign == 0x2D { rest.removeFirst() }
        guard !rest.isEmpty else { return nil }
        var value = 0
        for character in rest {
            guard (0x30...0x39).contains(character) else { return nil }
            value = Swift.min(value * 10 + Int(character - 0x30), 1 << 40)
        }
        return sign == 0x2D ? -value : value
    }

    /// Appends ``description`` as ASCII bytes.
    public func appendText(to bytes: inout [UInt8]) {
        guard !isNaN else {
            bytes.append(contentsOf: "NaN".utf8)
            return
        }
        if isNegative { bytes.append(0x2D) }
        guard !isInfinite else {
            bytes.append(contentsOf: "Infinity".utf8)
            return
        }
        let start = bytes.count
        Self.append(significand, to: &bytes)
        let count = bytes.count - start
        let leading = exponent + count - 1
        if exponent <= 0 && leading >= -6 {
            appendPoint(after: count + exponent, from: start, to: &bytes)
            return
        }
        if count > 1 { bytes.insert(0x2E, at: start + 1) }
        bytes.append(0x45)
        bytes.append(leading < 0 ? 0x2D : 0x2B)
        Self.append(UInt128(leading.magnitude), to: &bytes)
    }

    /// Puts the point behind so many of the digits, and zeros in front of them if there are not enough.
    private func appendPoint(after wholeDigits: Int, from start: Int, to bytes: inout [UInt8]) {
        guard exponent < 0 else { return }
        if wholeDigits > 0 {
            bytes.insert(0x2E, at: start + wholeDigits)
        } else {
            let zeros = repeatElement(UInt8(0x30), count: -wholeDigits)
            bytes.insert(contentsOf: [0x30, 0x2E] + zeros, at: start)
        }
    }

    private static func append(_ number: UInt128, to bytes: inout [UInt8]) {
        let start = bytes.count
        var rest = number
        // Dividing 64 bits is much cheaper than dividing 128.
        while rest > UInt128(UInt64.max) {
            let (quotient, remainder) = rest.quotientAndRemainder(dividingBy: 1_000_000_000_000_000_000)
            var part = UInt64(remainder)
            for _ in 0..<18 {
                bytes.append(0x30 + UInt8(part % 10))
                part /= 10
            }
            rest = quotient
        }
        var part = UInt64(rest)
        repeat {
            bytes.append(0x30 + UInt8(part % 10))
            part /= 10
        } while part > 0
        bytes[start...].reverse()
    }
}

extension Decimal128: CustomStringConvertible {
    /// The number as BSON writes it: scientific when the exponent is positive or the number below 1E-6.
    ///
    /// Reading the text gives the same bits again, except for NaN with a payload and non-canonical encodings.
    public var description: String {
        var bytes: [UInt8] = []
        appendText(to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }
}

extension Decimal128: LosslessStringConvertible {
    /// Reads a number, or returns nil when the text is none.
    public init?(_ description: String) {
        self.init(decimalText: description.utf8)
    }
}

extension Decimal128: Codable {
    /// Decodes text, an integer or a number.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        // A decoder only shows the type of a value by refusing the others; the last attempt reports the error.
        if let text = try? container.decode(String.self) {
            try self.init(string: text)
        } else if let integer = try? container.decode(Int64.self) {
            self.init(integer)
        } else {
            self.init(try container.decode(Double.self))
        }
    }

    /// Encodes the text.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }
}
