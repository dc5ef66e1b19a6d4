import EventModel

/// A partition value of a realm in a path: a letter for its type, `_`, and the value in the one form that it has as text.
///
/// ```
/// s_ward-3    i_-7    o_65a1b2c3d4e5f60718293a4b    u_1b4e28ba-2fa1-11d2-883f-0016d3cca427
/// ```
struct RealmValue: Equatable {
    /// How many bytes a value may have.
    static let maximumBytes = 512

    /// The whole, which names the realm.
    let typedText: String
    /// The value alone, which rules are about.
    var text: String { String(typedText.dropFirst(2)) }

    /// Reads a value.
    ///
    /// - Returns: nil for another type, another form of the same value, or more than ``maximumBytes``.
    init?(typedText: String) {
        let value = String(typedText.dropFirst(2))
        guard typedText.utf8.count <= Self.maximumBytes + 2 else { return nil }
        let isValue =
            switch typedText.prefix(2) {
            case "s_": true
            case "i_": Int64(value).map { "\($0)" == value } ?? false
            case "o_": (try? ObjectId(string: value))?.stringValue == value
            case "u_": Self.isUUID(value)
            default: false
            }
        guard isValue else { return nil }
        self.typedText = typedText
    }

    /// Whether a text is a UUID in small letters.
    private static func isUUID(_ text: String) -> Bool {
        let lengths = text.split(separator: "-", omittingEmptySubsequences: false).map(\.utf8.count)
        return lengths == [8, 4, 4, 4, 12]
            && text.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) || $0 == 0x2D }
    }
}
