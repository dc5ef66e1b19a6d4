import AuditServer

/// Events as comma-separated values by RFC 4180.
///
/// A text that a spreadsheet would take for a formula gets an apostrophe in front, as OWASP advises.
struct EventCSV {
    /// The metadata columns, in order.
    let columns: [String]

    /// The first line.
    var header: String {
        line(["_id", "_partition", "activity", "event", "data", "timestamp", "daybook.sequence"] + columns)
    }

    /// Writes an event as one record, which may have several lines of text.
    func row(_ event: EventLine) -> String {
        line(
            [
                event.id ?? "", event.partition, event.activity ?? "", event.event ?? "", event.data ?? "",
                event.timestamp ?? "", "\(event.details.sequence)",
            ] + columns.map { event.metadata[$0] ?? "" }
        )
    }

    private func line(_ fields: [String]) -> String {
        fields.map(Self.field).joined(separator: ",") + "\r\n"
    }

    private static func field(_ text: String) -> String {
        var text = text
        if let first = text.unicodeScalars.first, "=+-@\t\r".unicodeScalars.contains(first) { text = "'" + text }
        guard text.utf8.contains(where: { [0x2C, 0x22, 0x0A, 0x0D].contains($0) }) else { return text }
        return "\"" + text.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\"") + "\""
    }
}
