import AuditModel
import EventModel
import EventProofs

/// What the page says of keys of devices that are not believed any more.
extension ExportCover {
    /// A part of its own where there are such keys; nothing where there is none.
    var keys: String {
        let all = facts.usedKeys
        guard !all.isEmpty else { return "" }
        let rows = all.prefix(CoverFacts.maximumGroups)
            .map { key in
                let use = facts.uses[key] ?? CoverFacts.KeyUse()
                var counts = ["\(use.early) received before"]
                if use.late > 0 { counts.append("<strong>\(use.late) received after</strong>") }
                if use.unknown > 0 { counts.append("of \(use.unknown) it is not shown") }
                return [
                    "<code>\(Hexadecimal.text(key.publicKey))</code>", Self.text(key.owner.user), Self.time(key.since),
                    Self.text(key.reason), counts.joined(separator: "<br>"),
                ]
            }
        let late = facts.uses.values.reduce(0) { $0 + $1.late }
        var html =
            "<h2>Keys that are not believed</h2>\n"
            + "<p>An administrator of the server said of these keys of devices that they are not to be believed any more, for example "
            + "as a device was lost or stolen: what was received from that time on may be from somebody else than the account says. What "
            + "was received before is not touched by it. "
            + (late > 0
                ? "<strong>\(Self.count(late, "partition", "partitions")) here came after that.</strong>"
                : "Nothing here is known to have come after that.")
            + "</p>\n"
        let names = ["Key", "Account", "Not believed from", "Why", "Partitions here"]
        html += Self.table("keys", names, rows)
        let more = all.count - rows.count
        if more > 0 { html += "<p>\(Self.count(UInt64(more), "more key is", "more keys are")) in manifest.json.</p>\n" }
        return html
    }

    /// What stands beside a partition that such a key has closed.
    func revocation(of line: ExportedPartition) -> String {
        guard let entry = line.logged?.entry, manifest.revokedKeys.contains(where: { $0.isAgainst(entry) }) else {
            return ""
        }
        return "; <strong>received when this key was not believed any more</strong>"
    }
}
