import ArgumentParser
import AuditModel
import AuditVerifying
import EventModel
import EventProofs
import TimeStamping

extension VerifyCommand {
    private struct Result: Encodable {
        let events: UInt64
        let partitions: UInt64
        let verified: Bool
        /// The key that signed the export; nil when none did.
        let publicKey: String?
        /// The key that receipts have to be signed with; nil likewise.
        let receiptKey: String?
        /// The log that the partitions are in; nil when no key was found to have signed its checkpoint.
        let log: Log?
        /// What an authority of time says; nil when nobody asked, or it does not hold.
        let timeStamp: Stamped?
        let remarks: [String]
        let problems: [String]
    }

    private struct Stamped: Encodable {
        let entries: UInt64
        /// How many of the export's partitions are among them.
        let partitions: UInt64
        let existedBefore: String
        let authority: String

        init(_ proven: ProvenTime) {
            entries = proven.entries
            partitions = proven.partitions
            existedBefore = "\(proven.stamp.latest)"
            authority = proven.stamp.authority
        }
    }

    private struct Log: Encodable {
        let key: String
        let origin: String
        let size: UInt64
        /// How many of the export's partitions are in it.
        let partitions: UInt64
        let cosignatures: [Cosigned]

        init(_ checkpoint: ExportedCheckpoint, partitions: UInt64) {
            let cosigned = checkpoint.cosigned
            key = "\(checkpoint.key)"
            origin = cosigned.checkpoint.origin.string
            size = cosigned.checkpoint.size
            self.partitions = partitions
            cosignatures = cosigned.cosignatures.map(Cosigned.init)
        }
    }

    /// Verifies an export from its files alone.
    ///
    /// - Throws: `ExitCode` 1 when anything is wrong, and ``CommandError`` when there is no export.
    package func verify(export path: String) async throws {
        let unpacked = ExportArchive.isOne(path) ? try UnpackedFolder(of: path) : nil
        // The folder goes with what holds it.
        defer { withExtendedLifetime(unpacked) {} }
        try await verify(folder: unpacked?.path ?? path, of: path)
    }

    private func verify(folder: String, of path: String) async throws {
        guard ExportVerification.isExport(folder) else {
            throw CommandError.unreadable(path: path, reason: "it is neither the folder of an export nor its zip")
        }
        var verification = ExportVerification(
            folder: folder,
            key: try serverKey(key),
            receiptKey: try serverKey(receiptKey),
            policy: try logProof.serverPolicy()
        )
        try await verification.run(trusting: timeStamps.trust()) { StandardOutput.progress("\($0) events") }
        StandardOutput.progress("")
        let log = verification.checkpoint.map { Log($0, partitions: verification.loggedPartitions) }
        let (problems, publicKey) = (verification.problems, verification.publicKey.map { Hexadecimal.text($0) })
        if json {
            let result = Result(
                events: verification.events,
                partitions: verification.partitions,
                verified: problems.isEmpty,
                publicKey: publicKey,
                receiptKey: verification.publicReceiptKey.map { Hexadecimal.text($0) },
                log: log,
                timeStamp: verification.provenTime.map(Stamped.init),
                remarks: verification.remarks,
                problems: problems
            )
            StandardOutput.write(try EventLine.lines([result]))
        } else {
            StandardOutput.write((verification.remarks + problems).map { "\($0)\n" }.joined())
            show(publicKey, verification.publicReceiptKey.map { Hexadecimal.text($0) })
            if let checkpoint = verification.checkpoint, let log { show(checkpoint, log) }
            if let proven = verification.provenTime { show(Stamped(proven)) }
            StandardOutput.write(
                problems.isEmpty
                    ? "\(verification.events) events, \(verification.partitions) partitions verified\n"
                    : "\(problems.count) \(problems.count == 1 ? "problem" : "problems") found\n"
            )
        }
        if !problems.isEmpty { throw ExitCode(1) }
    }

    /// Says which keys of the server count.
    private func show(_ publicKey: String?, _ receiptKey: String?) {
        // Whoever knows the key of exports believes the one of receipts that stands in what it signed.
        guard let publicKey, key == nil else { return }
        let compared = "compare it with the server's, or give"
        guard let receiptKey, publicKey != receiptKey else {
            return StandardOutput.write("signed with the key of receipts \(publicKey): \(compared) --key\n")
        }
        StandardOutput.write("signed with the key of exports \(publicKey): \(compared) --key\n")
        guard self.receiptKey == nil else { return }
        StandardOutput.write("receipts are signed with the key \(receiptKey): \(compared) --receipt-key\n")
    }

    private func show(_ stamped: Stamped) {
        let what = stamped.partitions == 1 ? "1 partition" : "\(stamped.partitions) partitions"
        let authority = PlainText.cut(stamped.authority, 300)
        StandardOutput.write(
            "\(what) existed before \(stamped.existedBefore), by the time-stamp of \(authority) over \(stamped.entries) entries\n"
        )
    }

    private func show(_ checkpoint: ExportedCheckpoint, _ log: Log) {
        func plain(_ text: String) -> String { PlainText.cut(text, 300) }
        let what = log.partitions == 1 ? "1 partition is" : "\(log.partitions) partitions are"
        var lines = ["\(what) in the log \(plain(log.origin)), of \(log.size) entries"] + log.cosignatures.map(\.line)
        if log.cosignatures.isEmpty { lines.append(Self.noWitness) }
        if !checkpoint.unknownNames.isEmpty {
            // Anybody can put such a line there.
            let names = checkpoint.unknownNames.prefix(16).map { plain($0.string) }.joined(separator: ", ")
            lines.append("  not checked, as their keys were not given: what \(names) signed")
        }
        if logProof.logKey.isEmpty {
            lines.append(
                "  signed with the log's key \(plain(log.key)): compare it with the server's, or give --log-key"
            )
        }
        StandardOutput.write(lines.map { "\($0)\n" }.joined())
    }

    /// The key of the server, as digits or in a file.
    func serverKey(_ key: String?) throws -> [UInt8]? {
        guard let key else { return nil }
        let text: String
        if let bytes = try PrivateFile.read(key) {
            text =
                String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isWhitespace).first.map(String.init)
                ?? ""
        } else {
            text = key
        }
        guard let bytes = Hexadecimal.bytes(text), bytes.count == SigningKey.byteCount else {
            throw CommandError.malformedServerKey(key)
        }
        return bytes
    }
}
