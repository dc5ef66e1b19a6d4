import AuditArchives
import ChangeModel
import EventModel
import SyncServer

/// An entry of a realm for people and for lines of JSON.
struct ShownEntry {
    let entry: Entry
    /// The user who wrote it.
    let author: ExactText
    /// What it changed, as far as that is shown.
    let literals: [ChangeOperation]

    init(_ entry: Entry, _ author: ExactText, literals: [ChangeOperation]) {
        (self.entry, self.author, self.literals) = (entry, author, literals)
    }

    /// What was refused, each a sentence.
    var refusals: [String] {
        entry.refusals.map { refusal in "operation \(refusal.index + 1) was refused: \(refusal.reason)" }
    }

    /// Why it changed nothing in the realm: something newer was there, or it only posted objects, or all was so already.
    var emptiness: String {
        entry.results.contains(.superseded) ? "nothing: something newer was there" : "nothing in the realm"
    }

    /// When the device wrote it, by its own clock unless that was ahead of the server's.
    var written: EventInstant {
        // The clock has 48 bits of milliseconds.
        EventInstant(microseconds: entry.clock.milliseconds * 1000)
    }
}

/// An entry as a line of JSON.
struct EntryLine: Encodable {
    let app: String
    let realm: String
    let history: String
    let entry: Int
    let file: UInt32
    let change: Int
    let user: String
    let written: String
    let received: String
    let changed: [String]
    let refused: [String]

    init(_ shown: ShownEntry, _ realm: RealmName, _ status: RealmStatus) {
        app = realm.app.string
        self.realm = realm.value.string
        history = Hexadecimal.text(status.history)
        entry = shown.entry.number
        file = shown.entry.change.file
        change = shown.entry.change.number
        user = shown.author.string
        written = shown.written.description
        received = shown.entry.received.description
        changed = shown.literals.map { "\($0)" }
        refused = shown.refusals
    }
}

/// Entries as rows for people: one for each thing that an entry changed.
struct EntryRows {
    private static let widths = (entry: 8, time: 19, user: 24, change: 11)
    private let style = TerminalStyle.standardOutput

    /// The names of the columns.
    var header: String {
        style.strong(row("ENTRY", "RECEIVED (UTC)", "USER", "FILE/CHANGE", "WHAT")) + "\n"
    }

    /// The name of a realm, above its entries.
    func title(_ realm: RealmName) -> String {
        style.faint(PlainText.cut("\(realm.app) \(realm.value)", style.width)) + "\n"
    }

    /// The rows of an entry, each with its end of line.
    func rows(_ shown: ShownEntry) -> String {
        let entry = shown.entry
        let time = String(entry.received.description.prefix(19)).replacing("T", with: " ")
        var what = shown.literals.map { "\($0)" } + shown.refusals
        if what.isEmpty { what = [shown.emptiness] }
        return what.enumerated()
            .map { index, text in
                index > 0
                    ? row("", "", "", "", text) + "\n"
                    : row(
                        "\(entry.number)",
                        time,
                        shown.author.string,
                        "\(entry.change.file)/\(entry.change.number)",
                        text
                    ) + "\n"
            }
            .joined()
    }

    private func row(_ entry: String, _ time: String, _ user: String, _ change: String, _ what: String) -> String {
        let cells = [
            (entry, Self.widths.entry), (time, Self.widths.time), (user, Self.widths.user),
            (change, Self.widths.change),
        ]
        let front = cells.map { EventTable.cell($0, $1) }.joined(separator: "  ")
        return "\(front)  \(PlainText.cut(what, max(8, style.width - front.count - 2)))"
    }
}
