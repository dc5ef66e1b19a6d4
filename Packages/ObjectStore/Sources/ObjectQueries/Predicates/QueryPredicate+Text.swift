import EventModel
import Geospatial

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension QueryPredicate {
    /// The condition in the language that ``PredicateParser`` reads, with its values in it.
    ///
    /// Reading the text gives the condition again, but for values that the language has no words for: identifiers, dates, bytes and
    /// objects are written as `oid(…)`, `uuid(…)`, `date(…)`, `data(… bytes)` and `Class(key)`. Text is quoted so that no character
    /// of it can be taken for another one.
    ///
    /// - Parameter maximumBytes: About how many bytes are written; the rest of a longer condition is left out.
    /// - Returns: The text, a little longer than the maximum if the condition is.
    /// - Complexity: O(*n*) in the bytes that are written.
    public func text(maximumBytes: Int = .max) -> String {
        var writer = PredicateWriter(maximumBytes: maximumBytes)
        writer.append(self)
        return writer.text
    }
}

/// Writes a condition as text.
private struct PredicateWriter {
    private(set) var text = ""
    private let maximumBytes: Int
    /// How many subqueries are around what is written; each has a variable of its own.
    private var depth = 0

    init(maximumBytes: Int) { self.maximumBytes = maximumBytes }

    private var isFull: Bool { text.utf8.count > maximumBytes }

    mutating func append(_ predicate: QueryPredicate) {
        guard !isFull else { return }
        switch predicate {
        case .always: text += "TRUEPREDICATE"
        case .never: text += "FALSEPREDICATE"
        case .not(let inner):
            text += "NOT "
            appendPart(inner)
        case .and(let parts): append(parts, " AND ", empty: "TRUEPREDICATE")
        case .or(let parts): append(parts, " OR ", empty: "FALSEPREDICATE")
        case .compare(let left, let comparison, let right, let options, let quantifier):
            append(left, quantifier)
            text += " \(comparison.word)\(options.suffix) "
            append(right)
        case .isIn(let term, let values, let options, let quantifier):
            append(term, quantifier)
            text += " IN\(options.suffix) "
            appendList(values)
        case .isBetween(let term, let low, let high, let quantifier):
            append(term, quantifier)
            text += " BETWEEN "
            appendList([low, high])
        case .isWithin(let term, let region, let quantifier):
            append(term, quantifier)
            text += " geoWithin \(region.description.prefix(maximumBytes))"
        }
    }

    private mutating func append(_ parts: [QueryPredicate], _ word: String, empty: String) {
        if parts.isEmpty { text += empty }
        for (number, part) in parts.enumerated() {
            guard !isFull else { return }
            if number > 0 { text += word }
            appendPart(part)
        }
    }

    /// Appends a condition that stands inside another one.
    private mutating func appendPart(_ predicate: QueryPredicate) {
        switch predicate {
        case .and, .or:
            text += "("
            append(predicate)
            text += ")"
        default: append(predicate)
        }
    }

    // MARK: - Terms

    private mutating func append(_ term: QueryPredicate.Term, _ quantifier: QueryPredicate.Quantifier) {
        if quantifier == .any { text += "ANY " }
        append(term)
    }

    private mutating func append(_ term: QueryPredicate.Term) {
        switch term {
        case .path(let path): append(path)
        case .constant(let value): append(value)
        case .object: append(PropertyPath.itself)
        case .aggregate(let aggregate, let path, let element):
            append(path)
            text += ".@\(aggregate.rawValue)"
            for name in element.components { text += ".\(name)" }
        case .subqueryCount(let path, let predicate):
            text += "SUBQUERY("
            append(path)
            depth += 1
            text += ", \(variable), "
            append(predicate)
            depth -= 1
            text += ").@count"
        case .element(let path, let places, let rest):
            append(path)
            for place in places { append(place) }
            for name in rest.components { text += ".\(name)" }
        case .keys(let path):
            append(path)
            text += ".@allKeys"
        }
    }

    private var variable: String { depth == 1 ? "$item" : "$item\(depth)" }

    private mutating func append(_ path: PropertyPath) {
        if depth > 0 {
            text += ([variable] + path.components).joined(separator: ".")
        } else if let first = path.components.first {
            // The first name might be taken for a keyword; behind a dot none is.
            if Self.keywords.contains(first.uppercased()) { text += "#" }
            text += path.components.joined(separator: ".")
        } else {
            text += "SELF"
        }
    }

    private static let keywords: Set<String> = [
        "TRUE", "YES", "FALSE", "NO", "NULL", "NIL", "SUBQUERY", "NOT", "TRUEPREDICATE", "FALSEPREDICATE", "ALL", "ANY",
        "SOME", "NONE", "SELF", "AND", "OR", "IN", "BETWEEN", "CONTAINS", "BEGINSWITH", "ENDSWITH", "LIKE", "GEOWITHIN",
    ]

    private mutating func append(_ place: QueryPredicate.Subscript) {
        text += "["
        switch place {
        case .key(let key): append(quoted: key)
        case .index(let index): text += "\(index)"
        case .any: text += "#any"
        }
        text += "]"
    }

    // MARK: - Values

    private mutating func appendList(_ values: [Value]) {
        text += "{"
        for (number, value) in values.enumerated() {
            guard !isFull else { return }
            if number > 0 { text += ", " }
            append(value)
        }
        text += "}"
    }

    private mutating func append(_ value: Value) {
        switch value {
        case .null: text += "NULL"
        case .bool(let value): text += value ? "TRUE" : "FALSE"
        case .int(let value): text += "\(value)"
        case .float(let value): text += "\(value)"
        case .double(let value): text += "\(value)"
        case .decimal128(let value): text += "\(value)"
        case .string(let value): append(quoted: value)
        case .data(let value): text += "data(\(value.count) bytes)"
        case .date(let value): text += "date(\(Self.time(value)))"
        case .objectId(let value): text += "oid(\(value))"
        case .uuid(let value): text += "uuid(\(value))"
        case .link(let value):
            text += "\(value.className)("
            append(value.primaryKey)
            text += ")"
        case .list(let values): appendList(values)
        case .dictionary(let entries): text += "map(\(entries.count) entries)"
        case .object: text += "object"
        }
    }

    private static func time(_ date: Date) -> String {
        let microseconds = (date.timeIntervalSince1970 * 1_000_000).rounded()
        guard let exact = Int64(exactly: microseconds) else { return "\(date.timeIntervalSince1970) s" }
        return EventInstant(microseconds: exact).description
    }

    private mutating func append(quoted string: String) {
        text += "'"
        var isInWord = false
        for scalar in string.unicodeScalars {
            guard !isFull else { return }
            isInWord = append(scalar, isInWord)
        }
        text += "'"
    }

    /// Appends a character of a text.
    ///
    /// One that would join with the quote or the escape in front of it is escaped itself, as is everything that cannot be seen.
    ///
    /// - Returns: Whether a mark may follow as it is.
    private mutating func append(_ scalar: Unicode.Scalar, _ isInWord: Bool) -> Bool {
        switch scalar {
        case "'": text += "\\'"
        case "\\": text += "\\\\"
        case "\n": text += "\\n"
        case "\r": text += "\\r"
        case "\t": text += "\\t"
        default:
            guard scalar.isVisible, isInWord || !scalar.joinsQuoteBefore else {
                let digits = String(scalar.value, radix: 16, uppercase: true)
                text += "\\u" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits
                return false
            }
            text.unicodeScalars.append(scalar)
            return true
        }
        return false
    }
}

extension Unicode.Scalar {
    /// Whether it can be seen and takes no quote behind it, or is too large for an escape of four digits.
    fileprivate var isVisible: Bool {
        if isASCII { return value >= 0x20 && value != 0x7F }
        if value > 0xFFFF { return true }
        return switch properties.generalCategory {
        case .control, .format, .surrogate, .privateUse, .unassigned, .lineSeparator, .paragraphSeparator: false
        default: "\(self)'".count == 2
        }
    }

    /// Whether it makes one character with a quote in front of it; one that is too large for an escape is taken as it is.
    fileprivate var joinsQuoteBefore: Bool { !isASCII && value <= 0xFFFF && "'\(self)".count == 1 }
}

extension QueryPredicate.Operator {
    fileprivate var word: String {
        switch self {
        case .equal: "=="
        case .notEqual: "!="
        case .less: "<"
        case .lessOrEqual: "<="
        case .greater: ">"
        case .greaterOrEqual: ">="
        case .contains: "CONTAINS"
        case .beginsWith: "BEGINSWITH"
        case .endsWith: "ENDSWITH"
        case .like: "LIKE"
        }
    }
}

extension QueryPredicate.Options {
    fileprivate var suffix: String {
        switch (contains(.caseInsensitive), contains(.diacriticInsensitive)) {
        case (false, false): ""
        case (true, false): "[c]"
        case (false, true): "[d]"
        case (true, true): "[cd]"
        }
    }
}
