import AuditModel
import EventModel
import EventProofs

extension ExportCover {
    // MARK: - What is proven

    var proven: String {
        var items = [
            "<strong>Seals of devices.</strong> \(facts.sealed) of \(facts.partitionCount) partitions were closed by the device that "
                + "recorded them, with a key that is on no server. Each event of these is proven to be in its partition, at its place and "
                + "with every byte, as the device closed it."
        ]
        if manifest.isSigned {
            items.append(
                "<strong>Receipts and signature of the server.</strong> It signed what this folder holds, and "
                    + "\(Self.count(facts.receipted, "receipt", "receipts")) for partitions. "
                    + serverKeys
            )
        }
        items += log + time
        return "<h2>What is proven</h2>\n" + Self.list(items)
    }

    /// Which keys of the server signed what.
    private var serverKeys: String {
        let key = "<code>\(publicKey.map { Hexadecimal.text($0) } ?? "missing")</code>"
        if isSignedLikeReceipts { return "Its key is \(key)." }
        let receipts = manifest.receiptKey.map { Hexadecimal.text($0) } ?? "missing"
        return "Its key of exports is \(key), its key of receipts <code>\(receipts)</code>."
    }

    private var isSignedLikeReceipts: Bool { manifest.version <= ExportManifest.lastSignedLikeReceipts }

    private var log: [String] {
        guard let checkpoint else { return [] }
        let (origin, size) = (Self.text(checkpoint.checkpoint.origin.string), checkpoint.checkpoint.size)
        var items = [
            "<strong>The server's log.</strong> \(facts.logged) of the partitions are in the log \(origin), as it was with "
                + "\(Self.count(size, "entry", "entries")): nobody can exchange one of them without a contradiction to this log. "
                + "Its root is <code>\(checkpoint.checkpoint.root.hex)</code>, its key "
                + "<code>\(manifest.logKey.map(CoverText.plain) ?? "missing")</code>."
        ]
        let lines = checkpoint.note.signatures.compactMap { line in
            Cosignature(line.bytes).map { (line.name.string, $0.seconds) }
        }
        if !lines.isEmpty {
            let told = lines.map { name, seconds in
                let micros = Int64(exactly: seconds)?.multipliedReportingOverflow(by: 1_000_000)
                let time = micros.flatMap { $0.overflow ? nil : EventInstant(microseconds: $0.partialValue) }
                return "\(Self.text(name)), \(time.map(Self.time) ?? "at a time that no calendar has")"
            }
            items.append(
                "<strong>Witnesses.</strong> These say, each by its own clock, that they saw this log, and that it fitted all that they "
                    + "had seen of it before: \(told.joined(separator: "; ")). Whether they are who they say shows when their "
                    + "signatures are checked with keys that you have from them."
            )
        }
        return items
    }

    // MARK: - What is not

    var unproven: String {
        var items = [
            "That there are no other events. Only those are here that were asked for, see above.",
            "That the devices recorded everything, or the truth. What is proven is that nothing of it was changed afterwards.",
            "That the person is the one of the account. It is proven which account was used, and not who sat at the device.",
            "That a device's clock was right. The server notes when it received what; that is its own clock.",
            "That the keys above belong to whom they should. Compare them with what you have from elsewhere.",
        ]
        if manifest.openPartitions > 0 {
            items.append(
                "Of \(Self.count(manifest.openPartitions, "partition", "partitions")) that no device has closed yet, that the device "
                    + "recorded it so" + (manifest.isSigned ? ": for these the server's receipt stands alone." : ".")
            )
        }
        let late = facts.sealed - min(facts.logged, facts.sealed)
        if checkpoint != nil, late > 0 {
            items.append(
                "Of \(Self.count(late, "partition", "partitions")) that it was in the log: it was closed after the log was signed."
            )
        }
        if manifest.isSigned, checkpoint == nil {
            items.append(
                "That the server shows the same to everybody: there is no log, and no witness, in this export."
            )
        } else if let checkpoint, !checkpoint.note.signatures.contains(where: { Cosignature($0.bytes) != nil }) {
            items.append("That the server shows the same log to everybody: no witness has signed it here.")
        }
        items += untimed
        if manifest.maskedEvents > 0 {
            items.append(
                "What \(Self.count(manifest.maskedEvents, "event says", "events say")) of which values are masked: their place is proven, "
                    + "and their content rests on the server's word."
            )
        }
        if manifest.erasedEvents > 0 {
            items.append(
                "What \(Self.count(manifest.erasedEvents, "event said", "events said")) that had been erased: there was such an event, and "
                    + "that it was erased and not lost rests on the server's word."
            )
        }
        if manifest.changedEvents > 0 {
            items.append(
                "<strong>\(Self.count(manifest.changedEvents, "event is", "events are")) not what the server received: the database "
                    + "was changed.</strong> These prove nothing but that."
            )
        }
        if !manifest.isSigned {
            items.append("That a server ever had these events: this was made from the files of a device.")
        }
        return "<h2>What is not proven</h2>\n" + Self.list(items)
    }

    // MARK: - How to check it

    var steps: String {
        let authority = stamp == nil ? "" : " --authority ROOTS.pem"
        let keys =
            isSignedLikeReceipts
            ? "that of the server and that of its log from who runs it (<code>GET /api/v1/key</code>)"
            : "that of the server's exports and that of its log from who runs it (<code>exportKey</code> and <code>logKey</code> of "
                + "<code>GET /api/v1/key</code>)"
        let items = [
            "Get the keys from elsewhere than from this folder: \(keys), and those of witnesses from who runs these. Compare them with "
                + "those above.",
            "Run <code>daybook verify FOLDER --key KEY --log-key LOGKEY --witness WITNESSKEY\(authority)</code>, with as many witnesses as you "
                + "believe. It checks everything that is here, this page too, and says what is wrong and where. "
                + "<code>daybook-verify</code> is the same program without a server, which anybody can build from its source.",
            "Or check it without any program of ours. What is signed, byte by byte, stands in EXPORT.md of the source. The program below "
                + "needs Python 3 and OpenSSL 3 and nothing else. Save it as <code>check.py</code>, read it, and run "
                + "<code>python3 check.py FOLDER KEY</code>. It checks the server's signature, every file, every event's way into its "
                + "partition, each partition's way into the log, and the log's own signature.",
        ]
        return "<h2>How to check it</h2>\n" + Self.list(items + timeSteps, isOrdered: true)
            + "<pre id=\"check\">\(CoverText.plain(Self.program(of: manifest.version)))</pre>\n"
    }
}
