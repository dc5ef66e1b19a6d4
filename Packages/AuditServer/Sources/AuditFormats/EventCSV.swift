package import AuditModel
import EventModel

/// Events as comma-separated values by RFC 4180.
///
/// A text that a spreadsheet would take for a formula gets an apostrophe in front, as OWASP advises.
package struct EventCSV {
    /// What begins a formula in some spreadsheet.
    private static let formulaStarts: Set<Unicode.Scalar> = [
        "=", "+", "-", "@", "\t", "\r", "\n", "\u{FF1D}", "\u{FF0B}", "\u{FF0D}", "\u{FF20}",
    ]
    private static let apostrophe: UInt8 = 0x27
    private static let quote: UInt8 = 0x22
    private static let comma: UInt8 = 0x2C
    private static let lineEnd: [UInt8] = [0x0D, 0x0A]

    /// The metadata columns, in order.
    package let columns: [String]

    /// The first line.
    package var header: [UInt8] {
        record(
            [
                "_id", "_partition", "activity", "event", "data", "timestamp", "daybook.app", "daybook.user",
                "daybook.outcome", "daybook.received", "daybook.sequence", "daybook.leafHash",
            ] + columns
        )
    }

    /// Writes an event as one record, which may have several lines of text.
    package func row(_ stored: StoredEvent) -> [UInt8] {
        let event = EventLine(stored)
        return record(
            [
                event.id, event.partition, event.activity, event.event, event.data, event.timestamp,
                event.details.app, event.details.user, stored.outcome.rawValue, event.details.received,
                "\(event.details.sequence)", event.details.leafHash?.hex,
            ] + columns.map { event.metadata[$0] }
        )
    }

    private func record(_ fields: [String?]) -> [UInt8] {
        var bytes: [UInt8] = []
        for (index, field) in fields.enumerated() {
            if index > 0 { bytes.append(Self.comma) }
            if let field { Self.append(field, to: &bytes) }
        }
        return bytes + Self.lineEnd
    }

    /// Whether a spreadsheet may take a text for a formula.
    ///
    /// Some leave out what nobody sees in front of it: spaces of any kind, control characters and marks of direction.
    private static func isFormula(_ text: String) -> Bool {
        guard let first = text.unicodeScalars.first else { return false }
        if formulaStarts.contains(first) { return true }
        let start = text.unicodeScalars.first { scalar in
            let properties = scalar.properties
            return
                !(properties.isWhitespace || properties.isDefaultIgnorableCodePoint
                || [.control, .format].contains(properties.generalCategory))
        }
        return start.map(formulaStarts.contains) ?? false
    }

    /// Appends a field; a quotation mark is doubled also where Unicode joins it with what follows it.
    private static func append(_ text: String, to bytes: inout [UInt8]) {
        let isFormula = isFormula(text)
        let isQuoted = text.utf8.contains { $0 == comma || $0 == quote || lineEnd.contains($0) }
        if isQuoted { bytes.append(quote) }
        if isFormula { bytes.append(apostrophe) }
        for byte in text.utf8 {
            if byte == quote { bytes.append(quote) }
            bytes.append(byte)
        }
        if isQuoted { bytes.append(quote) }
    }
}
