import ArgumentParser
import AuditArchives
import AuditExport
import AuditFormats
import AuditHTTP
import AuditModel
import AuditVerifying
import EventModel

/// `daybook export`: writes exactly the filtered events to a folder, with proofs.
struct ExportCommand: AsyncParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "export",
            abstract: "Writes exactly the events that fit the filters to a folder, with proofs.",
            discussion: """
                The folder gets a file for each format, the proofs of all events, and a manifest that names filter, time, \
                author and files. A server signs the manifest; an export of files is not signed, as no server answers \
                for it, and is proven by the seals of the devices alone. What was written is verified at once.

                  daybook export --server http://127.0.0.1:8080 --token-file auditor.token \\
                    --person ada --format csv --format jsonl --out ./ada
                  daybook verify ./ada

                The folder, or the one file that --zip makes of it, appears under its name when it is complete. Its cover.html is for \
                people who know nothing of it.
                """
        )
    }

    @OptionGroup var source: SourceOptions
    @OptionGroup var filter: FilterOptions

    @Option(help: ArgumentHelp("The folder to make.", valueName: "folder"), completion: .directory)
    var out: String?

    @Option(help: ArgumentHelp("The zip to make, in place of a folder.", valueName: "file"), completion: .file())
    var zip: String?

    @Option(
        parsing: .singleValue,
        help: "csv, jsonl, fhir (AuditEvent R4) or ocsf (Datastore Activity); may be given several times.",
        completion: .list(ExportFormat.allCases.map(\.rawValue)),
        transform: Self.readFormat
    )
    var format: [ExportFormat] = [.jsonl]

    @Option(help: ArgumentHelp("Why, for the server's record of what auditors do.", valueName: "text"))
    var reason: String?

    @Flag(help: "Write the result as one JSON object.")
    var json = false

    private static func readFormat(_ text: String) throws -> ExportFormat {
        guard let format = ExportFormat(rawValue: text) else {
            throw ValidationError("A format is csv, jsonl, fhir or ocsf.")
        }
        return format
    }

    private struct Result: Encodable {
        let events: UInt64
        let partitions: UInt64
        let out: String
        let signed: Bool
        let problems: [String]
    }

    func validate() throws {
        guard (out == nil) != (zip == nil) else {
            throw ValidationError("Say what to make: --out FOLDER, or --zip FILE.")
        }
    }

    func run() async throws {
        do {
            try await Interruption.ending { try await make() }
        } catch is CancellationError {
            throw CommandError.cancelledExport
        }
    }

    /// Makes the export and verifies it.
    ///
    /// - Throws: `CommandError`, `CancellationError` when nobody wants it any more, and `ExitCode` 1 when a proof does not hold.
    func make() async throws {
        let filter = try filter.filter()
        guard let out = out ?? zip else { throw ValidationError("Say what to make: --out FOLDER, or --zip FILE.") }
        let folder = try UnfinishedFolder(out)
        var keys: (exports: [UInt8]?, receipts: [UInt8])?
        switch (source.files, source.server) {
        case (.some(let files), nil):
            try await write(files, filter, into: folder.unfinished)
        case (nil, .some(let server)):
            let server = try source.remote(server)
            keys = try await server.exportKeys()
            try await RemoteExport(server).fetch(filter, as: Set(format), because: reason, into: folder.unfinished)
        default: throw CommandError.ambiguousSource
        }
        var verification = ExportVerification(
            folder: folder.unfinished,
            key: keys?.exports ?? keys?.receipts,
            receiptKey: keys?.receipts
        )
        try verification.run { StandardOutput.progress("verifying: \($0) events") }
        StandardOutput.progress("")
        // What does not verify is kept all the same, as it is the evidence of what is wrong.
        if let zip { try folder.finish(zip: zip) } else { try folder.finish() }
        try show(verification, in: out)
    }

    private func write(_ files: String, _ filter: EventFilter, into folder: String) async throws {
        let archive = try FileEventArchive(
            files,
            workingDirectory: SourceOptions.workingDirectory,
            encryptionKey: try source.encryptionKey()
        )
        let order = ExportOrder(
            formats: Set(format),
            filter: Dictionary(filter.query.map { ($0.key.string, $0.value) }, uniquingKeysWith: { first, _ in first }),
            columns: EventSchema.allColumns(of: try await archive.schemas()),
            created: SystemClock().now().wall,
            reason: reason
        )
        _ = try await ExportWriter(order, from: FileExportSource(archive, filter), into: folder)
            .write { progress in
                StandardOutput.progress("\(progress.examined) of \(progress.total) events, \(progress.events) fit")
            }
    }

    private func show(_ verification: ExportVerification, in out: String) throws {
        let isSigned = verification.publicKey != nil
        if json {
            let result = Result(
                events: verification.events,
                partitions: verification.partitions,
                out: out,
                signed: isSigned,
                problems: verification.problems
            )
            StandardOutput.write(try EventLine.lines([result]))
        } else {
            StandardOutput.write((verification.remarks + verification.problems).map { "\($0)\n" }.joined())
            let events = "\(verification.events) events of \(verification.partitions) partitions exported to \(out)"
            let end = verification.problems.isEmpty ? "verified" : "\(verification.problems.count) problems found"
            StandardOutput.write("\(events)\(isSigned ? ", signed by the server" : ", not signed"), \(end)\n")
        }
        if !verification.problems.isEmpty { throw ExitCode(1) }
    }
}
