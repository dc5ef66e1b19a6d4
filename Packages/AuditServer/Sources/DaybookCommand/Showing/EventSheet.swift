import AuditArchives
import AuditHTTP
import AuditModel
import EventModel
import EventProofs

/// One event for people: the facts, the proof, and what was shown or written.
struct EventSheet {
    /// How many objects or changes are laid out; `--json` has all.
    private static let maximumObjects = 100
    /// How many characters of a value are shown.
    private static let maximumValue = 2000

    let style: TerminalStyle

    /// Lays an event out, as lines that each end with a line feed.
    func text(of shown: ShownEvent) -> String {
        let line = shown.event
        let name = line.activity.map(Self.plain) ?? (shown.outcome == .erased ? "Erased event" : "Damaged event")
        var lines = [style.strong("\(name) · \(Self.plain(line.event ?? "custom"))")]
        lines += facts(of: shown)
        lines.append("")
        lines += content(of: line)
        return lines.map { $0 + "\n" }.joined()
    }

    // MARK: - Facts

    private func facts(of shown: ShownEvent) -> [String] {
        let line = shown.event
        var facts: [(String, String?)] = [
            ("time", line.timestamp.map { "\($0) by the device's clock" }),
            ("id", line.id),
            ("place", "\(line.partition)/\(line.details.sequence)"),
            ("app", line.details.app),
            ("account", line.details.user),
        ]
        facts += line.metadata.sorted { $0.key < $1.key }.map { ($0.key, Optional($0.value)) }
        facts += [
            ("committed", line.details.scopeCommitted),
            ("received", line.details.received),
            ("run", line.details.boot),
            ("in sync", line.details.sync?.text),
        ]
        let known = facts.compactMap { name, value in value.map { (Self.plain(name), Self.plain($0)) } }
        let width = known.map { $0.0.count }.max() ?? 0
        var lines = known.map { style.faint(Self.padded($0, width)) + "  \($1)" }
        if shown.outcome != .complete {
            lines.append(
                style.faint(Self.padded("outcome", width)) + "  " + style.notable(Self.meaning(of: shown.outcome))
            )
        }
        lines.append(style.faint(Self.padded("proof", width)) + "  " + proof(of: shown))
        return lines
    }

    private func proof(of shown: ShownEvent) -> String {
        let key = shown.proof?.seal.map { " " + Hexadecimal.text($0.publicKey) } ?? ""
        switch shown.verdict {
        case .proven: return style.good("proven") + ": unchanged since the device\(key) signed the partition"
        case .held: return style.good("held") + ": unchanged; the device has not closed and signed the partition yet"
        case .broken: return style.bad("BROKEN") + ": \(Self.plain(shown.problem ?? ""))"
        case .unchecked: return style.notable("not checked") + ": there is no proof of what is shown here"
        }
    }

    private static func meaning(of outcome: EventOutcome) -> String {
        switch outcome {
        case .complete: "complete"
        case .nothingFound: "nothing found by the search"
        case .interrupted: "interrupted: the scope ended with its process and not by a commit"
        case .incomplete: "incomplete: the device could not make the whole payload; it says why below"
        case .damaged: "damaged: the stored columns no longer make up an event"
        case .erased: "erased: its hash stays, and nobody knows any more what it said"
        }
    }

    // MARK: - Content

    private func content(of line: EventLine) -> [String] {
        guard let data = line.data else { return [style.faint("No content.")] }
        if let search = EmptySearch(event: line.event, data: Array(data.utf8)) { return searched(search) }
        guard let value = JSONValue(data) else { return ["Content:"] + Self.wrapped(data) }
        if line.event == "read", let type = value.members?["type"]?.string,
            let objects = value.members?["value"]?.elements
        {
            return shown(type, objects)
        }
        if line.event == "write", let classes = value.members, classes.all.allSatisfy({ $0.value.members != nil }) {
            return written(classes)
        }
        return ["Content:"] + properties(value, "  ")
    }

    private func searched(_ search: EmptySearch) -> [String] {
        var lines = ["Searched, and found nothing: \(Self.plain(search.objectClass))"]
        guard let terms = search.terms else { return lines + ["  what was asked for is not known here"] }
        if let collection = terms.collection { lines.append("  in     \(Self.plain(collection))") }
        lines.append("  where  \(terms.predicate.map(Self.plain) ?? "anything")")
        for order in terms.sort {
            lines.append("  by     \(Self.plain(order.keyPath))\(order.ascending ? "" : ", descending")")
        }
        return lines
    }

    private func shown(_ type: String, _ objects: [JSONValue]) -> [String] {
        var lines = ["Shown: \(objects.count) \(objects.count == 1 ? "object" : "objects") of \(Self.plain(type))"]
        for object in objects.prefix(Self.maximumObjects) {
            lines.append("  " + style.strong(Self.title(type, object)))
            lines += properties(object, "    ")
        }
        return lines + rest(objects.count)
    }

    private func written(_ classes: JSONMembers) -> [String] {
        var changes: [[String]] = []
        for (type, lists) in classes.sorted.map({ ($0.name, $0.value.members?.all ?? []) }) {
            func elements(_ name: String) -> [JSONValue] {
                lists.filter { $0.name == name }.flatMap { $0.value.elements ?? [] }
            }
            for (list, verb, sign) in [("insertions", "inserted", "+"), ("deletions", "deleted", "-")] {
                for object in elements(list) {
                    let title = "  " + style.strong(Self.title(type, object)) + " \(verb)"
                    changes.append([title] + properties(object, "    \(sign) ").map { marked($0, sign) })
                }
            }
            for change in elements("modifications") { changes.append(modification(type, change)) }
        }
        let heading = "Written: \(changes.count) \(changes.count == 1 ? "change" : "changes")"
        return [heading] + changes.prefix(Self.maximumObjects).flatMap { $0 } + rest(changes.count)
    }

    /// The old and the new value of what was written, and the other values beside them.
    private func modification(_ type: String, _ change: JSONValue) -> [String] {
        let before = change.members?["oldValue"]?.members ?? JSONMembers(all: [])
        let now = change.members?["newValue"]?.members ?? JSONMembers(all: [])
        var lines = ["  " + style.strong(Self.title(type, .object(before))) + " modified"]
        let written = Set(now.all.map { ExactText($0.name) })
        var told: Set<ExactText> = []
        for member in JSONMembers(all: before.all + now.all).sorted {
            let name = ExactText(member.name)
            guard told.insert(name).inserted else { continue }
            let label = Self.plain(member.name)
            let isWritten = written.contains(name)
            for old in before.all where ExactText(old.name) == name {
                let line = "\(label)  \(Self.value(old.value))"
                lines.append(
                    isWritten ? marked("    - \(line)", "-") : "      \(style.faint(label))  \(Self.value(old.value))"
                )
            }
            for new in now.all where ExactText(new.name) == name {
                lines.append(marked("    + \(label)  \(Self.value(new.value))", "+"))
            }
        }
        return lines
    }

    private func marked(_ line: String, _ sign: String) -> String { sign == "+" ? style.good(line) : style.bad(line) }

    private func rest(_ count: Int) -> [String] {
        count > Self.maximumObjects
            ? [style.faint("  and \(count - Self.maximumObjects) more; --json has them all")] : []
    }

    private func properties(_ value: JSONValue, _ indent: String) -> [String] {
        guard let members = value.members else { return ["\(indent)\(Self.value(value))"] }
        let width = min(24, members.all.map(\.name.count).max() ?? 0)
        return members.sorted
            .map { "\(indent)\(Self.padded(Self.plain($0.name), width))  \(Self.value($0.value))" }
    }

    private static func title(_ type: String, _ object: JSONValue) -> String {
        let key = object.members?["_id"] ?? object.members?["id"]
        return plain("\(type) \(key?.string ?? key?.line ?? "without a key")")
    }

    private static func value(_ value: JSONValue) -> String { PlainText.cut(value.line, maximumValue) }

    /// Text without anything that a terminal would obey.
    private static func plain(_ text: String) -> String { PlainText.cut(text, maximumValue) }

    private static func padded(_ text: String, _ width: Int) -> String {
        text + String(repeating: " ", count: max(0, width - text.count))
    }

    private static func wrapped(_ text: String) -> [String] {
        text.split(separator: "\n", omittingEmptySubsequences: false).prefix(200).map { "  " + plain(String($0)) }
    }
}
