import RealmWindow

/// Objects of a realm file as rows for people: each property is a column, as wide as the terminal allows.
struct ObjectTable {
    /// How many columns a property has at least and at most.
    private static let widths = 6...32
    private let columns: [WindowProperty]
    private let width: Int
    private let style: TerminalStyle

    /// Makes a table of the properties that fit on a line; the others are left out at the end, which the header says.
    init(_ properties: [WindowProperty], _ style: TerminalStyle) {
        self.style = style
        let most = max(1, (style.width - 4) / (Self.widths.lowerBound + 2))
        columns = Array(properties.prefix(most))
        hidden = properties.count - columns.count
        let share = columns.isEmpty ? Self.widths.upperBound : style.width / columns.count - 2
        width = min(max(share, Self.widths.lowerBound), Self.widths.upperBound)
    }

    /// How many properties have no column.
    private let hidden: Int

    /// The names of the properties.
    var header: String {
        let rest = hidden == 0 ? "" : "+\(hidden)"
        return style.strong(line(columns.map(\.name) + [rest])) + "\n"
    }

    /// The values of an object.
    func row(_ object: WindowObject) -> String { line(columns.map { object[$0.name]?.text ?? "-" }) + "\n" }

    private func line(_ cells: [String]) -> String {
        var text = cells.map { EventTable.cell($0, width) }.joined(separator: "  ")
        while text.last == " " { text.removeLast() }
        return text
    }
}
