import Daybook
import EventRecordingTesting

/// What the realm of a random program holds at one version, and its JSON.
struct PlainContents {
    /// A holder without what no program changes.
    struct PlainHolder: Equatable {
        var link: Int?
        var list: [Int] = []
        var map: [String: Int?] = [:]
    }

    var holders: [Int: PlainHolder] = [:]
    var targets: [Int: Int] = [:]
    /// The targets in the order of their primary keys, which are those of their rows.
    var targetOrder: [Int] { targets.keys.sorted() }

    // MARK: - Changes

    mutating func addTarget(_ id: Int, value: Int) {
        targets[id] = value
    }

    /// Removes a target and every link to it.
    ///
    /// - Returns: The holders that linked to it.
    mutating func deleteTarget(_ id: Int) -> Set<Int> {
        targets[id] = nil
        var changed: Set<Int> = []
        for (number, holder) in holders {
            var holder = holder
            if holder.link == id { holder.link = nil }
            holder.list.removeAll { $0 == id }
            for (key, value) in holder.map where value == id { holder.map[key] = .some(nil) }
            if holder != holders[number] {
                changed.insert(number)
                holders[number] = holder
            }
        }
        return changed
    }

    // MARK: - JSON

    func targetJSON(_ id: Int) -> String { #"{"_id":\#(id),"value":\#(targets[id] ?? -1)}"# }

    /// The properties of a holder in order, those in full that were followed.
    func holderProperties(_ id: Int, full: Set<String> = []) -> [(name: String, json: String)] {
        let holder = holders[id] ?? PlainHolder()
        func json(_ target: Int?, _ property: String) -> String {
            target.map { full.contains(property) ? targetJSON($0) : "\($0)" } ?? "null"
        }
        let entries = holder.map.sorted { $0.key < $1.key }.map { #""\#($0.key)":\#(json($0.value, "map"))"# }
        return [
            ("_id", "\(id)"), ("link", json(holder.link, "link")),
            ("list", "[\(holder.list.map { json($0, "list") }.joined(separator: ","))]"),
            ("map", "{\(entries.joined(separator: ","))}"), ("note", "null"), ("set", "[]"),
        ]
    }

    func holderJSON(_ id: Int, full: Set<String> = []) -> String { Self.object(holderProperties(id, full: full)) }

    static func object(_ properties: [(name: String, json: String)]) -> String {
        "{\(properties.map { #""\#($0.name)":\#($0.json)"# }.joined(separator: ","))}"
    }

    // MARK: - Events

    /// Returns the payload of the transaction that made another world of this one.
    ///
    /// - Parameters:
    ///   - new: The world after it.
    ///   - touchedHolders: The holders that were assigned to, also with equal values.
    ///   - touchedTargets: The same of targets; negative those that were deleted.
    /// - Returns: The payload; nil when there is no net change.
    func writePayload(to new: PlainContents, touchedHolders: Set<Int>, touchedTargets: Set<Int>) -> String? {
        var classes: [String] = []
        let holders = touchedHolders.sorted()
            .map { id in
                let old = holderProperties(id)
                let changed = zip(new.holderProperties(id), old).filter { $0.json != $1.json }.map(\.0)
                return (new: Self.object(changed), old: Self.object(old))
            }
        if !holders.isEmpty { classes.append(change("Holder", modifications: holders)) }

        // A target that was deleted and made again is another object.
        let survivors = targetOrder.filter { new.targets[$0] != nil && !touchedTargets.contains(-$0) }
        let deleted = targetOrder.filter { !survivors.contains($0) }
        let inserted = new.targetOrder.filter { !survivors.contains($0) }
        let modified = survivors.filter { touchedTargets.contains($0) }
            .map { id in
                let isEqual = new.targets[id] == targets[id]
                return (new: isEqual ? "{}" : #"{"value":\#(new.targets[id] ?? -1)}"#, old: targetJSON(id))
            }
        if !deleted.isEmpty || !inserted.isEmpty || !modified.isEmpty {
            classes.append(
                change(
                    "Target",
                    deletions: deleted.map(targetJSON).joined(separator: ","),
                    insertions: inserted.map(new.targetJSON).joined(separator: ","),
                    modifications: modified
                )
            )
        }
        return classes.isEmpty ? nil : "{\(classes.joined(separator: ","))}"
    }
}

extension PlainEvent {
    /// The event as one line, with the payload that the worlds of its versions give.
    func line(_ worlds: [Int: PlainContents]) -> String {
        let data =
            switch payload {
            case .text(let text): text ?? "nil"
            case .read(let className, let objects):
                #"{"type":"\#(className)","value":[\#(objects.map { $0.json(worlds) }.joined(separator: ","))]}"#
            }
        return "\(activity)|\(event ?? "nil")|\(data)|\(timestamp.microseconds)|\(metadata.sorted { $0.key < $1.key })"
    }
}

extension PlainEvent.Shown {
    fileprivate func json(_ worlds: [Int: PlainContents]) -> String {
        let world = worlds[name.version] ?? PlainContents()
        return name.className == "Target"
            ? world.targetJSON(name.key) : world.holderJSON(name.key, full: Set(followed.keys))
    }
}

extension AuditEvent {
    /// The event as one line.
    var line: String {
        "\(activity)|\(event ?? "nil")|\(dataText ?? "nil")|\(timestamp.microseconds)"
            + "|\(metadata.dictionary.sorted { $0.key < $1.key })"
    }
}
