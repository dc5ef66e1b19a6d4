extension DecodingError {
    /// The key that is wrong, and why, without the value: it may be a secret in the wrong place.
    var place: (key: String, reason: String) {
        func name(_ context: Context, _ last: (any CodingKey)? = nil) -> String {
            let keys = context.codingPath.map(\.stringValue) + [last?.stringValue].compactMap(\.self)
            return keys.isEmpty ? "the whole file" : keys.joined(separator: ".")
        }
        switch self {
        case .keyNotFound(let key, let context): return (name(context, key), "it is missing")
        case .typeMismatch(let type, let context): return (name(context), "it is no \(Self.words(for: type))")
        case .valueNotFound(let type, let context): return (name(context), "it is no \(Self.words(for: type))")
        case .dataCorrupted(let context): return (name(context), "it is not JSON5")
        @unknown default: return ("the whole file", "it cannot be read")
        }
    }

    private static func words(for type: any Any.Type) -> String {
        switch type {
        case is String.Type: "text in quotes"
        case is Int.Type: "whole number"
        case is Bool.Type: "true or false"
        case is [Any].Type: "list in brackets"
        default: "object in braces"
        }
    }
}
