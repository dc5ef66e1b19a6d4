import AuditServer

/// Events as rows for people; every text is cut, and made harmless for terminals.
enum EventTable {
    private static let widths = (time: 27, activity: 24, event: 12, sequence: 8, data: 60)

    /// The first row.
    static var header: String {
        row("TIME", "ACTIVITY", "EVENT", "NUMBER", "DATA")
    }

    /// Writes an event as one row.
    static func row(_ line: EventLine) -> String {
        row(
            line.timestamp ?? "damaged",
            line.activity ?? "damaged",
            line.event ?? "",
            "\(line.details.sequence)",
            line.data ?? ""
        )
    }

    private static func row(_ time: String, _ activity: String, _ event: String, _ number: String, _ data: String)
        -> String
    {
        let cells = [
            cell(time, widths.time), cell(activity, widths.activity), cell(event, widths.event),
            cell(number, widths.sequence), cut(data, widths.data),
        ]
        return cells.joined(separator: "  ") + "\n"
    }

    private static func cell(_ text: String, _ width: Int) -> String {
        let shown = cut(text, width)
        return shown + String(repeating: " ", count: width - shown.count)
    }

    /// Cuts a text, and replaces control characters, with which a text could take over a terminal.
    static func cut(_ text: String, _ width: Int) -> String {
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
