/// Text of others as a terminal may show it.
package enum PlainText {
    /// Cuts a text, and replaces control characters, with which a text could take over a terminal.
    ///
    /// - Parameters:
    ///   - text: The text.
    ///   - width: How many characters are shown; a longer text ends with an ellipsis.
    /// - Returns: At most so many characters.
    package static func cut(_ text: String, _ width: Int) -> String {
        // Only so much is looked at, since a payload may have megabytes.
        let start = text.unicodeScalars.prefix(width * 4)
        let harmless = String(
            String.UnicodeScalarView(start.map { $0.properties.generalCategory.isPrintable ? $0 : "\u{FFFD}" })
        )
        return harmless.count > width ? harmless.prefix(width - 1) + "\u{2026}" : harmless
    }
}

extension Unicode.GeneralCategory {
    fileprivate var isPrintable: Bool {
        switch self {
        case .control, .format, .surrogate, .privateUse, .unassigned, .lineSeparator, .paragraphSeparator: false
        default: true
        }
    }
}
