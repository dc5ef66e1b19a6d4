import EventModel

// Text is compared as bytes; data uses the same expressions.
extension Operand {
    /// Searches the value for a constant.
    func matches(
        _ comparison: QueryPredicate.Operator,
        _ constant: Value,
        _ options: QueryPredicate.Options
    ) throws(QueryError) -> SQL {
        try checkText(comparison, options)
        let pattern = try coerced(constant).folded(options)
        let text = folded(options)
        switch comparison {
        case .contains: return "instr(\(text), \(.argument(pattern))) > 0"
        case .like: return "\(QueryFunctions.likeName)(\(bytes(options)), \(.argument(pattern.asBytes)))"
        case .beginsWith: return begins(text, with: pattern)
        default:
            let suffix = Value.data(pattern.utf8Bytes)
            let count = Int64(-pattern.utf8Bytes.count)
            guard count < 0 else { return "\(text) IS NOT NULL" }
            return "substr(\(bytes(options)), \(.argument(.int(count)))) = \(.argument(suffix))"
        }
    }

    /// Searches the value for another value of the same object.
    func matches(
        _ comparison: QueryPredicate.Operator,
        _ other: Operand,
        _ options: QueryPredicate.Options
    ) throws(QueryError) -> SQL {
        try checkText(comparison, options)
        let text = folded(options)
        let pattern = other.folded(options)
        let textBytes = bytes(options)
        let patternBytes = other.bytes(options)
        switch comparison {
        case .contains: return "instr(\(text), \(pattern)) > 0"
        case .like: return "\(QueryFunctions.likeName)(\(textBytes), \(patternBytes))"
        case .beginsWith: return "substr(\(textBytes), 1, length(\(patternBytes))) = \(patternBytes)"
        default:
            let start: SQL = "length(\(textBytes)) - length(\(patternBytes)) + 1"
            return "substr(\(textBytes), \(start)) = \(patternBytes)"
        }
    }

    /// The value in the form in which equal texts have equal bytes.
    func folded(_ options: QueryPredicate.Options) -> SQL {
        options.isEmpty ? sql : bytes(options)
    }

    /// The bytes of that form: functions are given no text, which would end for them at its first zero.
    private func bytes(_ options: QueryPredicate.Options) -> SQL {
        let bytes: SQL = "CAST(\(sql) AS BLOB)"
        return options.isEmpty ? bytes : "\(QueryFunctions.foldName)(\(bytes), \(options.rawValue))"
    }

    /// A range, so that an index on the column can answer.
    private func begins(_ text: SQL, with prefix: Value) -> SQL {
        guard !prefix.utf8Bytes.isEmpty else { return "\(text) IS NOT NULL" }
        guard let end = prefix.endOfPrefix else { return "\(text) >= \(.argument(prefix))" }
        return "(\(text) >= \(.argument(prefix)) AND \(text) < \(.argument(end)))"
    }

    private func checkText(
        _ comparison: QueryPredicate.Operator,
        _ options: QueryPredicate.Options
    ) throws(QueryError) {
        switch kind {
        case .string:
            guard comparison != .like || !options.contains(.diacriticInsensitive) else {
                throw invalid("LIKE cannot be used with [d]")
            }
        case .data:
            guard comparison != .like else { throw invalid("LIKE is for text only") }
            guard options.isEmpty else { throw invalid("[c] and [d] are for text only") }
        case .int, .bool, .float, .double, .date, .objectId, .uuid, .decimal128, .any, .link, .embedded:
            throw invalid("CONTAINS, BEGINSWITH, ENDSWITH and LIKE are for text and data only")
        }
    }
}

extension Value {
    /// The bytes of text in the form in which equal texts have equal ones; without options, every value as it is.
    func folded(_ options: QueryPredicate.Options) -> Value {
        guard !options.isEmpty, case .string(let text) = self else { return self }
        return .data(Array(QueryFunctions.fold(text, options).utf8))
    }

    /// Text as its bytes; other values as they are.
    fileprivate var asBytes: Value {
        if case .string = self { .data(utf8Bytes) } else { self }
    }

    /// The bytes of text or data.
    fileprivate var utf8Bytes: [UInt8] {
        switch self {
        case .string(let text): Array(text.utf8)
        case .data(let bytes): bytes
        default: []
        }
    }

    /// The smallest value that is greater than every one with this prefix; nil when there is none.
    fileprivate var endOfPrefix: Value? {
        switch self {
        case .string(let text):
            var scalars = Array(text.unicodeScalars)
            while let last = scalars.popLast() {
                // The order of UTF-8 bytes is that of code points; surrogates are none.
                let next = last.value == 0xD7FF ? 0xE000 : last.value + 1
                if let scalar = Unicode.Scalar(next) {
                    scalars.append(scalar)
                    var end = String.UnicodeScalarView()
                    end.append(contentsOf: scalars)
                    return .string(String(end))
                }
            }
            return nil
        case .data(var bytes):
            while let last = bytes.popLast() {
                if last < 0xFF {
                    bytes.append(last + 1)
                    return .data(bytes)
                }
            }
            return nil
        default:
            return nil
        }
    }
}
