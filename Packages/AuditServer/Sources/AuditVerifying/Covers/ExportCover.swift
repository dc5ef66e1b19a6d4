import AuditModel
import EventModel
package import EventProofs

/// The page in front of an export that people read who know nothing of it: the file `cover.html`.
///
/// Its bytes follow from the manifest, the server's public key, the checkpoint, the time-stamp and the lines of the proofs alone, so that
/// whoever verifies makes it anew. So a word that is changed here takes a new version of the manifest, for which the old words stay.
///
/// ```swift
/// let bytes = ExportCover(manifest: manifest, publicKey: key, checkpoint: signed, stamp: nil, facts: facts).bytes
/// ```
package struct ExportCover {
    let manifest: ExportManifest
    let publicKey: [UInt8]?
    let checkpoint: SignedCheckpoint?
    let stamp: ExportedTimeStamp?
    let facts: CoverFacts

    /// Takes what the page is about; of the manifest everything but the files.
    package init(
        manifest: ExportManifest,
        publicKey: [UInt8]?,
        checkpoint: SignedCheckpoint?,
        stamp: ExportedTimeStamp?,
        facts: CoverFacts
    ) {
        self.manifest = manifest
        self.publicKey = publicKey
        self.checkpoint = checkpoint
        self.stamp = stamp
        self.facts = facts
    }

    /// The page.
    package var bytes: [UInt8] {
        let parts = [head, order, content, people, proven, unproven, keys, partitions, events, steps]
        return Array((parts.joined() + "</body>\n</html>\n").utf8)
    }

    // MARK: - Pieces

    static func text(_ text: String) -> String { CoverText.html(text) }

    /// A time in UTC, to the second.
    static func time(_ instant: EventInstant) -> String {
        let text = "\(instant)"
        guard text.utf8.count >= 20, text.hasSuffix("Z"), text.dropFirst(10).hasPrefix("T") else {
            return Self.text(text)
        }
        return "<bdi>\(text.prefix(10)) \(text.dropFirst(11).prefix(8)) UTC</bdi>"
    }

    static func times(_ range: ClosedRange<EventInstant>?) -> String {
        range.map { "\(time($0.lowerBound)) to \(time($0.upperBound))" } ?? "\u{2013}"
    }

    static func count(_ number: UInt64, _ one: String, _ many: String) -> String {
        number == 1 ? "1 \(one)" : "\(number) \(many)"
    }

    /// A table of names and values, which are HTML.
    static func table(_ rows: [(name: String, value: String)]) -> String {
        let lines = rows.map { "<tr><th scope=\"row\">\($0.name)</th><td>\($0.value)</td></tr>\n" }
        return "<table>\n<tbody>\n\(lines.joined())</tbody>\n</table>\n"
    }

    /// A table with a line of names, whose values are HTML.
    static func table(_ kind: String, _ names: [String], _ rows: [[String]]) -> String {
        let head = names.map { "<th scope=\"col\">\($0)</th>" }.joined()
        let lines = rows.map { "<tr>" + $0.map { "<td>\($0)</td>" }.joined() + "</tr>\n" }
        return "<table class=\"\(kind)\">\n<thead>\n<tr>\(head)</tr>\n</thead>\n"
            + "<tbody>\n\(lines.joined())</tbody>\n</table>\n"
    }

    static func list(_ items: [String], isOrdered: Bool = false) -> String {
        let name = isOrdered ? "ol" : "ul"
        return "<\(name)>\n\(items.map { "<li>\($0)</li>\n" }.joined())</\(name)>\n"
    }

    // MARK: - What it is

    private var head: String {
        """
        <!DOCTYPE html>
        <html lang="en">
        <head>
        <meta charset="utf-8">
        <meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
        <meta name="viewport" content="width=device-width">
        <title>Export of audit events</title>
        <style>
        @page { size: A4; margin: 18mm 16mm }
        * { box-sizing: border-box }
        body { max-width: 180mm; margin: 0 auto; padding: 4mm; color: #000; background: #fff;
          font: 10.5pt/1.4 Georgia, "Times New Roman", serif }
        h1 { font-size: 18pt } h2 { font-size: 13pt; margin-top: 8mm; break-after: avoid }
        table { width: 100%; table-layout: fixed; border-collapse: collapse; font-size: 9.5pt; overflow-wrap: anywhere }
        thead { display: table-header-group }
        tr, li { break-inside: avoid }
        th, td { border: 0.5pt solid #777; padding: 1mm 1.5mm; text-align: left; vertical-align: top }
        tbody th { width: 28% }
        .people th { width: 20% } .people th:first-child { width: 40% }
        .partitions th { width: 22% } .partitions th:nth-child(3) { width: 14% } .partitions th:last-child { width: 42% }
        .events { font-size: 8.5pt } .events th { width: 20% } .events th:first-child { width: 14% }
        .events th:nth-child(3) { width: 27% } .events th:last-child { width: 19% }
        bdi { display: inline-block; max-width: 100%; overflow: hidden; vertical-align: bottom; overflow-wrap: anywhere }
        bdi i { font: 80% monospace; border: 0.5pt solid #000 }
        code, pre { font: 7.5pt/1.35 monospace; overflow-wrap: anywhere; white-space: pre-wrap }
        pre { border: 0.5pt solid #777; padding: 2mm }
        @media print { body { max-width: none; padding: 0 } }
        </style>
        </head>
        <body>
        <h1>Export of audit events</h1>
        <p>Devices recorded, as it happened, who looked at or changed which data. This page is the cover of a folder with a part of these \
        records and with what proves them. It says what is in the folder, what is proven, what is not, and how anybody can check it. \
        The page is one of the files that the export's proofs cover; a printed copy of it is for reading, and proves nothing by itself.</p>

        """
    }

    private var order: String {
        let author = manifest.author.map { author in
            var parts = ["role " + Self.text(author.role)]
            parts.append(author.token.map { "token " + Self.text($0) } ?? "the token in the server's own folder")
            if let apps = author.apps {
                parts.append("for the apps " + apps.prefix(20).map(Self.text).joined(separator: ", "))
                if apps.count > 20 { parts.append("and \(apps.count - 20) more") }
            }
            return parts.joined(separator: "; ")
        }
        let filter = manifest.filter.sorted { $0.key.precedesInBytes($1.key) }
            .map { "\(Self.text($0.key)): \(Self.text($0.value))" }
        let more = filter.count > 50 ? ["and \(filter.count - 50) more"] : []
        return "<h2>What was asked for</h2>\n"
            + Self.table([
                ("Number of the export", manifest.id.map(Self.text) ?? "\u{2013}"),
                ("Begun", Self.time(manifest.created)),
                ("Asked for by", author ?? "whoever ran the program over the files of a device"),
                ("Why", manifest.reason.map { CoverText.html($0, limit: 1000) } ?? "not said"),
                (
                    "Which events",
                    filter.isEmpty
                        ? "all that the asker may read" : (filter.prefix(50) + more).joined(separator: "<br>")
                ),
                (
                    "Made by",
                    manifest.isSigned ? "the server with the key given below" : "a program, and signed by no server"
                ),
            ])
    }

    private var content: String {
        var rows: [(name: String, value: String)] = [
            ("Events", "\(manifest.events)"),
            (
                "Partitions",
                "\(manifest.partitions), of which no device has closed \(manifest.openPartitions) yet. A partition is a stretch of one "
                    + "device's records."
            ),
            ("First and last event", Self.times(facts.times) + ", by the clocks of the devices"),
        ]
        if facts.receipts != nil {
            rows.append(("Received", Self.times(facts.receipts) + ", by the clock of the server"))
        }
        if manifest.maskedEvents > 0 { rows.append(("With masked values", "\(manifest.maskedEvents)")) }
        if manifest.erasedEvents > 0 { rows.append(("Erased before the export", "\(manifest.erasedEvents)")) }
        if manifest.changedEvents > 0 {
            rows.append(("NOT what was received", "<strong>\(manifest.changedEvents)</strong>"))
        }
        return "<h2>What is in it</h2>\n" + Self.table(rows)
    }

    // MARK: - Lists

    private static func name(_ person: CoverFacts.Person) -> String {
        person.name.map { text($0.string) } ?? "\u{2013}"
    }

    private var people: String {
        let all = facts.persons.sorted { first, second in
            let (a, b) = (first.key, second.key)
            guard first.value == second.value else { return first.value > second.value }
            // Nothing comes before any text.
            for (a, b) in [(a.app, b.app), (a.account, b.account), (a.name, b.name)] where a != b {
                guard let a else { return true }
                guard let b else { return false }
                return a < b
            }
            return false
        }
        let rows = all.prefix(CoverFacts.maximumGroups)
            .map { person, events in
                [
                    Self.name(person), person.account.map { Self.text($0.string) } ?? "\u{2013}",
                    person.app.map { Self.text($0.string) } ?? "\u{2013}", "\(events)",
                ]
            }
        let names = ["Name in the app", "Account", "App", "Events"]
        var html = "<h2>Whose events</h2>\n" + Self.table("people", names, rows)
        let more = all.dropFirst(CoverFacts.maximumGroups).reduce(facts.otherPersons) { $0 + $1.value }
        if more > 0 {
            html += "<p>\(Self.count(more, "more event is", "more events are")) of others, who are in the files.</p>\n"
        }
        return html
    }

    private var partitions: String {
        let rows = facts.partitions.map { partition in
            let line = partition.line
            let seal = line.seal.map {
                "closed by the device with the key <code>\(Hexadecimal.text($0.publicKey))</code>"
            }
            let place = line.logged.map {
                "; entry \($0.entry.index) of the log, received \(Self.time($0.entry.received))"
            }
            return [
                Self.text(line.partition.value), line.user.map(Self.text) ?? "\u{2013}",
                "\(partition.events) of \(line.count)", (seal ?? "open") + (place ?? "") + revocation(of: line),
            ]
        }
        let names = ["Partition", "Account", "Events here", "Proof"]
        var html = "<h2>Which partitions</h2>\n" + Self.table("partitions", names, rows)
        let more = facts.partitionCount - UInt64(facts.partitions.count)
        if more > 0 { html += "<p>\(Self.count(more, "more partition is", "more partitions are")) in the files.</p>\n" }
        return html
    }

    private var events: String {
        let rows = facts.rows.map { row in
            var what = [row.what, row.activity ?? ""].filter { !$0.isEmpty }.map(Self.text).joined(separator: ": ")
            if let remark = row.remark { what += (what.isEmpty ? "" : "<br>") + "<strong>\(remark)</strong>" }
            let objects = row.objects.map(Self.text) + (row.moreObjects > 0 ? ["and \(row.moreObjects) more"] : [])
            let person = [row.person.name, row.person.account].compactMap { $0 }.map { Self.text($0.string) }
            let when = row.time.map(Self.time) ?? row.received.map { "received " + Self.time($0) } ?? "\u{2013}"
            return [
                when, person.isEmpty ? "\u{2013}" : person.joined(separator: "<br>"), what,
                objects.isEmpty ? "\u{2013}" : objects.joined(separator: "<br>"),
                "<code>\(row.sequence)</code> of " + Self.text(row.partition),
            ]
        }
        let names = ["When", "Who", "What", "Which object", "Place"]
        var html = "<h2>The events</h2>\n" + Self.table("events", names, rows)
        let more = facts.events - UInt64(facts.rows.count)
        if more > 0 { html += "<p>\(Self.count(more, "more event is", "more events are")) in the files.</p>\n" }
        return html
    }
}
