import AuditArchives
import AuditModel

/// Events as rows for people; every text is cut, and made harmless for terminals.
struct EventTable {
    /// From how many columns on a row names the person and the type.
    private static let wideWidth = 110

    private let style: TerminalStyle
    private let isWide: Bool

    /// Makes a table for a terminal, or for a file.
    init(_ style: TerminalStyle = .plain) {
        self.style = style
        isWide = style.width >= Self.wideWidth
    }

    /// The first row.
    var header: String {
        style.strong(row("TIME (UTC)", "ID", "PERSON", "TYPE", "ACTIVITY", "WHAT")) + "\n"
    }

    /// Writes an event as one row.
    func row(_ line: EventLine) -> String {
        let text = row(
            line.timestamp.map(shortTime) ?? "damaged",
            // An event whose columns are damaged has no id any more, and is shown by its place.
            line.id ?? "/\(line.details.sequence)",
            Self.person(of: line),
            line.event ?? "custom",
            line.activity ?? "damaged",
            Self.summary(of: line)
        )
        if line.details.damaged { return style.bad(text) + "\n" }
        return (line.details.interrupted || line.details.incomplete ? style.notable(text) : text) + "\n"
    }

    private func row(
        _ time: String,
        _ id: String,
        _ person: String,
        _ type: String,
        _ activity: String,
        _ what: String
    ) -> String {
        let cells =
            isWide
            ? [(time, 23), (id, 24), (person, 14), (type, 7), (activity, 18)]
            : [(time, 19), (id, 24), (activity, 12)]
        let front = cells.map { Self.cell($0, $1) }.joined(separator: "  ")
        return "\(front)  \(PlainText.cut(what, max(8, style.width - front.count - 2)))"
    }

    /// A time without what every row would repeat: `2026-01-31 08:30:00.123`.
    private func shortTime(_ text: String) -> String {
        String(text.prefix(isWide ? 23 : 19)).replacing("T", with: " ")
    }

    /// The first value of metadata by the name of its column, as apps record who it was, else the account.
    private static func person(of line: EventLine) -> String {
        for name in ["userId", "user", "username", "nurse", "name", "email"] {
            if let value = line.metadata[name] { return value }
        }
        return line.details.user ?? "-"
    }

    /// The objects, or else the payload.
    private static func summary(of line: EventLine) -> String {
        if let search = EmptySearch(event: line.event, data: line.data.map { Array($0.utf8) }) { return "\(search)" }
        let objects = EventObject.all(event: line.event, data: line.data).filter { $0.objectClass != nil }
        guard !objects.isEmpty else { return line.data ?? "" }
        let named = objects.prefix(3)
            .map { object in
                let verb = object.action == .read ? "" : " \(object.action.rawValue)"
                return "\(object.objectClass ?? "") \(object.key)\(verb)"
            }
        return named.joined(separator: ", ") + (objects.count > 3 ? " and \(objects.count - 3) more" : "")
    }

    /// Cuts a text, and fills it up with spaces.
    static func cell(_ text: String, _ width: Int) -> String {
        let shown = PlainText.cut(text, width)
        return shown + String(repeating: " ", count: width - shown.count)
    }
}
