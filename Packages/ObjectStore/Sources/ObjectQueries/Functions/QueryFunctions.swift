public import EventModel
import Foundation

/// The SQL functions that compiled queries call, with their meaning in Swift; the store registers them.
///
/// | SQL | Swift |
/// |---|---|
/// | `daybook_fold(text, options)` -> text | ``fold(_:_:)`` |
/// | `daybook_like(text, pattern)` -> 0 or 1 | ``isLike(_:pattern:)`` |
/// | `daybook_decimal_key(blob)` -> blob | ``decimalKey(_:)`` of ``decimal(blob:)`` |
///
/// All are deterministic, take exactly these arguments, and return NULL when an argument is NULL or of another type.
public enum QueryFunctions {
    /// The name of the function that folds text.
    public static let foldName = "daybook_fold"
    /// The name of the function that matches text against a pattern.
    public static let likeName = "daybook_like"
    /// The name of the function that makes decimals sortable.
    public static let decimalKeyName = "daybook_decimal_key"

    /// Returns the form of a text in which texts that are equal under the options have the same bytes.
    ///
    /// Case folding maps every character to upper and then to lower case, so `ß` and `SS` are equal, as are all sigmas.
    /// Diacritics are removed by canonical decomposition and dropping of nonspacing marks.
    ///
    /// - Complexity: O(*n*) in the length of the text.
    public static func fold(_ text: String, _ options: QueryPredicate.Options) -> String {
        var result = text
        if options.contains(.diacriticInsensitive), !result.utf8.allSatisfy({ $0 < 0x80 }) {
            let decomposed = result.decomposedStringWithCanonicalMapping.unicodeScalars
            var stripped = String.UnicodeScalarView()
            stripped.append(contentsOf: decomposed.lazy.filter { $0.properties.generalCategory != .nonspacingMark })
            result = String(stripped)
        }
        return options.contains(.caseInsensitive) ? caseFolded(result) : result
    }

    private static func caseFolded(_ text: String) -> String {
        if text.utf8.allSatisfy({ $0 < 0x80 }) { return text.lowercased() }
        var folded = ""
        for scalar in text.unicodeScalars {
            for upper in scalar.properties.uppercaseMapping.unicodeScalars {
                folded += upper.properties.lowercaseMapping
            }
        }
        return folded
    }

    /// Whether a text matches a pattern in which `*` stands for any characters and `?` for exactly one.
    ///
    /// A character here is a Unicode scalar. A backslash makes the `*`, `?` or backslash after it stand for itself.
    ///
    /// - Complexity: O(*n* x *m*) in the lengths of text and pattern, usually O(*n*).
    public static func isLike(_ text: String, pattern: String) -> Bool {
        let text = Array(text.unicodeScalars)
        let pattern = wildcards(in: pattern)
        var position = 0
        var next = 0
        // Where to resume after the last `*`, with one more character given to it.
        var resumption: (position: Int, next: Int)?
        while position < text.count {
            if next < pattern.count, pattern[next] == .anyCharacters {
                resumption = (position, next + 1)
                next += 1
            } else if next < pattern.count, pattern[next].matches(text[position]) {
                position += 1
                next += 1
            } else if let last = resumption {
                resumption = (last.position + 1, last.next)
                position = last.position + 1
                next = last.next
            } else {
                return false
            }
        }
        return pattern[next...].allSatisfy { $0 == .anyCharacters }
    }

    private enum Wildcard: Equatable {
        case anyCharacters
        case anyCharacter
        case character(Unicode.Scalar)

        func matches(_ scalar: Unicode.Scalar) -> Bool {
            switch self {
            case .anyCharacters: false
            case .anyCharacter: true
            case .character(let expected): expected == scalar
            }
        }
    }

    private static func wildcards(in pattern: String) -> [Wildcard] {
        var result: [Wildcard] = []
        var isEscaped = false
        for scalar in pattern.unicodeScalars {
            switch scalar {
            case "\\" where !isEscaped:
                isEscaped = true
                continue
            case "*" where !isEscaped: result.append(.anyCharacters)
            case "?" where !isEscaped: result.append(.anyCharacter)
            default:
                // A backslash before any other character is that character.
                if isEscaped, scalar != "*", scalar != "?", scalar != "\\" { result.append(.character("\\")) }
                result.append(.character(scalar))
            }
            isEscaped = false
        }
        if isEscaped { result.append(.character("\\")) }
        return result
    }
}

// MARK: - Decimals

extension QueryFunctions {
    /// Returns the decimal that a column holds: 16 bytes, the low half first, each half little-endian, as in BSON.
    ///
    /// - Returns: nil when there are not 16 bytes.
    public static func decimal(blob: UnsafeRawBufferPointer) -> Decimal128? {
        guard blob.count == 16 else { return nil }
        return Decimal128(
            high: UInt64(littleEndian: blob.loadUnaligned(fromByteOffset: 8, as: UInt64.self)),
            low: UInt64(littleEndian: blob.loadUnaligned(as: UInt64.self))
        )
    }

    /// Returns the 16 bytes that a column holds for a decimal; the inverse of ``decimal(blob:)``.
    public static func blob(_ decimal: Decimal128) -> [UInt8] {
        withUnsafeBytes(of: (decimal.low.littleEndian, decimal.high.littleEndian)) { Array($0) }
    }

    /// Returns 19 bytes whose order is the order of the decimals, and which are equal for equal values (1.0 and 1.00).
    ///
    /// The first byte is the kind: NaN, negative infinity, negative, zero, positive, infinity. The exponent of the
    /// first digit and the 34 digits follow, complemented for negative numbers.
    public static func decimalKey(_ decimal: Decimal128) -> [UInt8] {
        var key = [UInt8](repeating: 0, count: 19)
        if decimal.isNaN { return key }
        if decimal.isInfinite {
            key[0] = decimal.isNegative ? 1 : 5
            return key
        }
        guard decimal.significand != 0 else {
            key[0] = 3
            return key
        }
        var digits = decimal.significand
        var exponent = decimal.exponent
        while digits < Decimal128.maximumSignificand / 10 + 1 {
            digits *= 10
            exponent -= 1
        }
        key[0] = decimal.isNegative ? 2 : 4
        let biased = UInt16(exponent + 0x4000)
        key[1] = UInt8(biased >> 8)
        key[2] = UInt8(biased & 0xFF)
        for index in 0..<16 {
            key[3 + index] = UInt8(truncatingIfNeeded: digits >> UInt128((15 - index) * 8))
        }
        if decimal.isNegative {
            for index in 1..<19 { key[index] = ~key[index] }
        }
        return key
    }
}
