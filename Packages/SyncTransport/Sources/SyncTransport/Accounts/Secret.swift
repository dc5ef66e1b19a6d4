/// A text that must never be shown: a token.
struct Secret: Sendable, Hashable {
    let value: String
}

extension Secret: Codable {
    init(from decoder: any Decoder) throws {
        value = try decoder.singleValueContainer().decode(String.self)
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(value)
    }
}

extension Secret: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    var description: String { "<secret>" }

    var debugDescription: String { description }

    var customMirror: Mirror { Mirror(self, children: []) }
}
