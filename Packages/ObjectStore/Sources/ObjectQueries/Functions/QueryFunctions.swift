import Foundation

/// The SQL functions that compiled queries call, with their meaning in Swift; the store registers them.
///
/// | SQL | Swift |
/// |---|---|
/// | `daybook_fold(blob, options)` -> blob | ``fold(_:_:)`` of the bytes of text |
/// | `daybook_like(blob, blob)` -> 0 or 1 | ``isLike(_:pattern:)`` of the bytes of text and pattern |
/// | `daybook_decimal_key(number)` -> blob | ``decimalKey(_:)`` of a number or of ``decimal(blob:)``; NULL for NaN |
/// | `daybook_geo_within(longitude, latitude, blob)` -> 0 or 1 | `GeoArea.contains(latitude:longitude:)` of the shape in the blob |
/// | `daybook_decimal_sum(key)` -> blob | the key of ``DecimalSum/sum`` of the keys that are not NULL |
/// | `daybook_decimal_avg(key)` -> blob | the key of ``DecimalSum/mean`` of the keys that are not NULL |
///
/// All are deterministic, take exactly these arguments, and return NULL when an argument is NULL or of another type.
/// The last two are aggregates.
public enum QueryFunctions {
    /// The name of the function that folds text.
    public static let foldName = "daybook_fold"
    /// The name of the function that matches text against a pattern.
    public static let likeName = "daybook_like"
    /// The name of the function that makes decimals sortable.
    public static let decimalKeyName = "daybook_decimal_key"
    /// The name of the function that finds out whether a point on the earth lies in a shape.
    public static let geoWithinName = "daybook_geo_within"
    /// The name of the aggregate that adds sortable decimals.
    public static let decimalSumName = "daybook_decimal_sum"
    /// The name of the aggregate that computes the mean of sortable decimals.
    public static let decimalMeanName = "daybook_decimal_avg"

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
