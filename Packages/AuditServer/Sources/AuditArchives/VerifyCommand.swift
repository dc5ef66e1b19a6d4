package import ArgumentParser
import AuditModel
import EventModel
import EventProofs

/// `daybook verify`: recomputes every proof.
package struct VerifyCommand: AsyncParsableCommand {
    package static var configuration: CommandConfiguration {
        configuration(named: "verify", calledAs: "daybook verify")
    }

    /// What `--help` says of the command, as a part of `daybook` or as a program of its own.
    package static func configuration(named name: String, calledAs call: String) -> CommandConfiguration {
        CommandConfiguration(
            commandName: name,
            abstract: "Recomputes every leaf, root and seal, and a server's log of them.",
            discussion: """
                Prints what the devices lost by their own ledgers, then how many events and partitions were verified, and \
                ends with 0. Ends with 1 when anything is wrong, and says which bytes of which file, and which events.

                  \(call) --files ./ward
                  \(call) --server URL --token-file auditor.token \\
                      --tree-head ~/ward.head

                With --tree-head, the log of a server is held against the head that the file keeps from the last time, so \
                that a server that rewrote it is found out; the file then gets the new head. Keep it where the \
                server's people cannot write. With --log-key and --witness, the log is held against the newest checkpoint that it \
                publishes, which those witnesses have to have cosigned, and with --authority against its time-stamps, too. With --receipts, what a server signed for the partitions of a device is \
                held against what is there.

                Files are held against the index of what the device sealed, which lies in the folder realm-audit: a file that \
                is missing, cut off, older, another owner's or not known is a problem, and so is an index that is gone. \
                Compare the key that is shown with the server's list of devices.

                With --log-proof, the proof of one partition in a log is verified from its file alone, by the keys of the log \
                and of the witnesses that you believe:

                  \(call) --log-proof ward.tlog-proof --log-key VKEY --witness VKEY
                  \(call) --log-proof ward.tlog-proof --log-key VKEY \\
                      --time-stamp 1042.tsr --authority roots.pem

                With --log-contradiction, what a device kept of a log that contradicts itself is verified likewise; --key is the \
                key that receipts are signed with.

                With the folder of an export, or its zip, that is verified from its files alone; --key, --receipt-key, --log-key and --witness are what \
                you know of the server and of its log from elsewhere, and --authority whose time-stamp you believe.
                """,
            version: ReleaseText.text
        )
    }

    @Argument(
        help: ArgumentHelp("The folder of an export or its zip, instead of --files or --server.", valueName: "export")
    )
    package var export: String?

    @OptionGroup package var source: SourceOptions

    @Option(
        help: ArgumentHelp(
            "The server's key of exports, or that of receipts for --log-contradiction: 64 hex digits, or a file of them.",
            valueName: "key"
        )
    )
    package var key: String?

    @Option(help: ArgumentHelp("The server's key of receipts, for an export: likewise.", valueName: "key"))
    package var receiptKey: String?

    @Option(
        help: ArgumentHelp("A file that keeps the head of the server's log; made if missing.", valueName: "file"),
        completion: .file()
    )
    package var treeHead: String?

    @Option(
        parsing: .singleValue,
        help: ArgumentHelp("A file of receipts that an app kept; may be given several times.", valueName: "file"),
        completion: .file()
    )
    package var receipts: [String] = []

    @OptionGroup package var logProof: LogProofOptions

    @OptionGroup package var timeStamps: TimeStampOptions

    @Flag(help: "Write one JSON object per partition instead of sentences, and one for a log with --tree-head.")
    package var json = false

    package init() {}

    package func run() async throws {
        if let export { return try await verify(export: export) }
        if let proof = logProof.logProof { return try await verify(logProof: proof) }
        if let contradiction = logProof.logContradiction { return try verify(contradiction: contradiction) }
        let archive = try source.archive()
        let kept = try treeHead.flatMap(TreeHeadFile.read)
        var (partitions, problems) = (0, 0)
        var (events, erased, masked, unsigned) = (UInt64(0), UInt64(0), UInt64(0), UInt64(0))
        let receipts = try readReceipts { problem in
            problems += 1
            StandardOutput.remark(problem)
        }
        let indexes = try await archive.verify(receipts) { verified, total in
            partitions += 1
            events += verified.events
            erased += verified.erased
            masked += verified.masked
            unsigned += verified.unsigned
            problems += verified.problems.count
            StandardOutput.progress("")
            if json {
                StandardOutput.write(try EventLine.lines([verified]))
            } else {
                StandardOutput.write(verified.losses.map { "Partition \(verified.partition): \($0).\n" }.joined())
                StandardOutput.write(verified.problems.map { "\($0)\n" }.joined())
            }
            StandardOutput.progress("partition \(partitions) of \(total), \(events) events")
        }
        StandardOutput.progress("")
        if partitions == 0, source.files != nil {
            StandardOutput.remark("No event file lies there: what is proven to be stored is deleted from a device.")
        }
        for index in indexes {
            problems += index.problems.count
            try show(index)
        }
        if let log = try await archive.verifyLog(
            since: kept,
            by: logProof.serverPolicy(),
            stampedBy: timeStamps.trust()
        ) {
            problems += log.problems.count
            try show(log)
            if let treeHead, log.verified { try TreeHeadFile.write(log.log, to: treeHead) }
        }
        if !json {
            if erased > 0 { StandardOutput.write("\(erased) events are erased, as the records say\n") }
            StandardOutput.write(
                problems == 0
                    ? "\(events) events, \(partitions) partitions verified\n"
                    : "\(problems) \(problems == 1 ? "problem" : "problems") found\n"
            )
        }
        if masked > 0, !json {
            StandardOutput.write(
                "\(masked) of the events have masked values: their places are proven, not their content\n"
            )
        }
        if unsigned > 0, !json {
            StandardOutput.write(
                "\(unsigned) of the events came before this server signed when it received them: that time is not proven\n"
            )
        }
        if problems > 0 { throw ExitCode(1) }
    }

    package func validate() throws {
        if export != nil {
            guard source.files == nil, source.server == nil, receipts.isEmpty, logProof.isEmpty else {
                throw ValidationError(
                    "An export is verified by itself: leave out --files, --server, --receipts and --log-proof."
                )
            }
            guard timeStamps.timeStamp == nil else {
                throw ValidationError("An export carries its time-stamp itself: leave out --time-stamp.")
            }
            guard treeHead == nil else {
                throw ValidationError(
                    "A kept head cannot be held against an export without its server: give --log-key and --witness, "
                        + "which its checkpoint is verified by."
                )
            }
            return
        }
        if logProof.logProof != nil || logProof.logContradiction != nil {
            guard source.files == nil, source.server == nil, receipts.isEmpty, treeHead == nil else {
                throw ValidationError(
                    "A file is verified by itself: leave out --files, --server, --receipts and --tree-head."
                )
            }
            guard timeStamps.authority == nil || (logProof.logProof != nil && timeStamps.timeStamp != nil) else {
                throw ValidationError(
                    "--authority goes with --time-stamp, the time-stamp of the checkpoint in the proof."
                )
            }
            guard receiptKey == nil else { throw ValidationError("--receipt-key is for the folder of an export.") }
            guard key == nil || logProof.logProof == nil else {
                throw ValidationError("--key is for the folder of an export, and for --log-contradiction.")
            }
            return
        }
        guard receiptKey == nil else { throw ValidationError("--receipt-key is for the folder of an export.") }
        if key != nil { throw ValidationError("--key is for the folder of an export, and for --log-contradiction.") }
        if !logProof.logKey.isEmpty, source.server == nil {
            throw ValidationError("--log-key is for an export, --log-proof, --log-contradiction and --server.")
        }
        guard timeStamps.timeStamp == nil else { throw ValidationError("--time-stamp is for --log-proof.") }
        if timeStamps.authority != nil, logProof.logKey.isEmpty {
            throw ValidationError("--authority needs --log-key: whose checkpoints were time-stamped.")
        }
        if treeHead != nil, source.server == nil {
            throw ValidationError("Only a server has a log: --tree-head needs --server.")
        }
    }

    private func show(_ index: VerifiedIndex) throws {
        if json { return StandardOutput.write(try EventLine.lines([index])) }
        StandardOutput.write(index.waiting.map { "Waits to be entered: \($0).\n" }.joined())
        StandardOutput.write(index.problems.map { "\($0)\n" }.joined())
        guard let key = index.publicKey else { return }
        StandardOutput.remark("\(index.sealed) partitions were sealed by the device with the key \(key).")
    }

    private func show(_ log: VerifiedLog) throws {
        if json {
            // Whoever reads a line for each partition meets no other one unasked, unless something is wrong.
            if treeHead != nil || !log.verified { StandardOutput.write(try EventLine.lines([log])) }
            return
        }
        StandardOutput.write((log.remarks + log.problems).map { "\($0)\n" }.joined())
        StandardOutput.write("\(log.log.size) sealed partitions in the log\n")
        guard let size = log.publishedSize else { return }
        let lines = log.cosignatures.map { "  cosigned by \(PlainText.cut($0, 300))\n" }.joined()
        StandardOutput.write("\(size) of them are in its published checkpoint\n\(lines)")
        if let stamps = log.timeStamps { StandardOutput.write(stamps.sentences.map { "\($0)\n" }.joined()) }
    }

    /// Reads the receipts; one whose signature is wrong is reported and left out.
    private func readReceipts(_ report: (String) -> Void) throws -> [StorageReceipt] {
        try receipts.flatMap { path in try ReceiptLines.read(path, report) }
    }
}
