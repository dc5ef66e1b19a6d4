import AuditFormats
import AuditModel
import EventModel
public import EventProofs
import Foundation

/// Checks an export from its files alone, and collects what is wrong with it and where.
///
/// ```swift
/// var verification = ExportVerification(folder: "./export", key: key)
/// try verification.run()
/// print(verification.problems)
/// ```
///
/// The signature is held against the manifest, the manifest against the files, the statements about partitions against the keys
/// that signed them, each event against the tree of its partition, and each line of each format against the event that it shows.
public struct ExportVerification {
    /// How many problems are told; more only say that everything is wrong.
    private static let maximumProblems = 1000

    /// The folder.
    public let folder: String
    /// The server's key of exports that the caller knows, 32 bytes; nil takes the one that the export names.
    ///
    /// Up to version 3 of the manifest it is the key of receipts.
    public let key: [UInt8]?
    /// The server's key of receipts that the caller knows, 32 bytes; nil takes the one that whoever signed the manifest names in it.
    public let receiptKey: [UInt8]?
    /// Whose word the checkpoint of the log needs, as the caller knows it; nil takes the log's key that the export names.
    public let policy: WitnessPolicy?
    /// What the export says of itself; nil as long as it was not read.
    public private(set) var manifest: ExportManifest?
    /// The key that signed the manifest; nil when none did.
    public internal(set) var publicKey: [UInt8]?
    /// The key that receipts have to be signed with; nil when nobody signed the manifest.
    public internal(set) var publicReceiptKey: [UInt8]?
    /// How many events were looked at.
    public internal(set) var events: UInt64 = 0
    /// How many partitions were looked at.
    public internal(set) var partitions: UInt64 = 0
    /// The checkpoint of the log, once a key was found to have signed it; nil when there is none.
    public internal(set) var checkpoint: ExportedCheckpoint?
    /// The cover as it has to be; nil where the manifest names none.
    package private(set) var cover: [UInt8]?
    /// The checkpoint as it is in the export, whoever signed it; nil when there is none that can be read.
    var carried: SignedCheckpoint?
    /// The time-stamp as it is in the export, whoever made it; nil when there is none that can be read.
    var carriedStamp: ExportedTimeStamp?
    /// Whether that is of the log that the partitions are in.
    var isStampOfLog = false
    /// Whether somebody asks for a time-stamp.
    var asksForTime = false
    /// How many partitions are in the log that was time-stamped.
    private(set) var stampedPartitions: UInt64 = 0
    /// Of these, the one that was received last, by the server's clock.
    private(set) var latestStamped: PartitionLogEntry?
    /// Of the others in the log, the one that was received first.
    private(set) var earliestUnstamped: PartitionLogEntry?
    /// What an authority of time was found to say; nil when there is nothing, or nobody asked.
    public internal(set) var provenTime: ProvenTime?
    /// How many partitions were found in the tree of that checkpoint.
    public private(set) var loggedPartitions: UInt64 = 0
    /// A sentence for everything that is wrong; empty when every proof holds.
    public private(set) var problems: [String] = []
    /// A sentence for what somebody should know, though every proof holds.
    public internal(set) var remarks: [String] = []

    /// Names an export.
    ///
    /// - Parameters:
    ///   - folder: The folder of the files.
    ///   - key: The server's key of exports, where it is known otherwise; nil takes the one that the export names.
    ///   - receiptKey: The server's key of receipts, likewise.
    ///   - policy: The key of the server's log, and its witnesses, where they are known otherwise.
    public init(
        folder: String,
        key: [UInt8]? = nil,
        receiptKey: [UInt8]? = nil,
        policy: WitnessPolicy? = nil
    ) {
        self.folder = folder
        self.key = key
        self.receiptKey = receiptKey
        self.policy = policy
    }

    /// Returns whether a folder holds an export.
    public static func isExport(_ folder: String) -> Bool {
        // LIVE: only the presence of a file that the caller names.
        FileManager.default.fileExists(atPath: "\(folder)/\(ExportManifest.fileName)")
    }

    /// Checks everything.
    ///
    /// - Parameter report: Called with the number of events from time to time.
    /// - Throws: `AuditServerError.inaccessible(path:reason:)` when a file that is there cannot be read.
    /// - Complexity: O(*n*) time in the bytes of the export; the memory of its largest event.
    public mutating func run(_ report: (UInt64) -> Void = { _ in }) throws {
        guard let manifest = try readManifest() else { return }
        self.manifest = manifest
        guard 1...ExportManifest.currentVersion ~= manifest.version, 1...ExportFormat.version ~= manifest.formatVersion
        else {
            return note("\(ExportManifest.fileName): only a newer program can check it.")
        }
        try checkSignature(of: manifest)
        let names = try checkFiles(of: manifest)
        let log = try manifest.version == 1 ? checkHead(of: manifest) : checkCheckpoint(of: manifest)
        if manifest.version > 2 { try checkTimeStamp(of: manifest, in: log) }
        guard names.contains(ExportManifest.proofsName) else {
            return note("\(ExportManifest.fileName): it names no \(ExportManifest.proofsName), so nothing is proven.")
        }
        var walk = try ExportWalk(
            folder: folder,
            manifest: manifest,
            names: names,
            receiptKey: publicReceiptKey,
            log: log,
            stamped: carriedStamp?.signed.checkpoint.size
        )
        try walk.run { problem, remark, count in
            if let problem { note(problem) }
            if let remark { remarks.append(remark) }
            if let count { report(count) }
        }
        (events, partitions, loggedPartitions) = (walk.events, walk.partitions, walk.loggedPartitions)
        (stampedPartitions, latestStamped, earliestUnstamped) = walk.stampedEntries
        check("events", manifest.events, walk.events)
        check("masked events", manifest.maskedEvents, walk.maskedEvents)
        check("erased events", manifest.erasedEvents, walk.erasedEvents)
        if walk.erasedEvents > 0 {
            remarks.append(
                "Of \(walk.erasedEvents) events only the hash is left: they were erased, as whoever signed the export says."
            )
        }
        check("partitions", manifest.partitions, walk.partitions)
        check("open partitions", manifest.openPartitions, walk.openPartitions)
        if manifest.version > 1 { try checkCover(of: manifest, walk.facts, names) }
    }

    mutating func note(_ problem: String) {
        guard problems.count <= Self.maximumProblems else { return }
        problems.append(problems.count == Self.maximumProblems ? "There are more problems than are told." : problem)
    }

    private mutating func check(_ what: String, _ said: UInt64, _ found: UInt64) {
        if said != found { note("\(ExportManifest.fileName): it speaks of \(said) \(what), and there are \(found).") }
    }

    // MARK: - Manifest

    func contents(_ name: String, upTo limit: Int = 67_108_864) throws -> [UInt8]? {
        let path = "\(folder)/\(name)"
        // LIVE: the caller names the folder.
        guard FileManager.default.fileExists(atPath: path) else { return nil }
        guard let handle = FileHandle(forReadingAtPath: path) else {
            throw AuditServerError.inaccessible(path: path, reason: "it cannot be opened")
        }
        // No manifest of ours is larger; whatever is, is none.
        return Array(try handle.read(upToCount: limit) ?? Data())
    }

    private mutating func readManifest() throws -> ExportManifest? {
        guard let bytes = try contents(ExportManifest.fileName) else {
            note("\(ExportManifest.fileName): it is missing.")
            return nil
        }
        do {
            return try JSONDecoder().decode(ExportManifest.self, from: Data(bytes))
        } catch {
            note("\(ExportManifest.fileName): it is no manifest of an export.")
            return nil
        }
    }

    // MARK: - Files

    /// Makes the cover anew, and compares every byte.
    private mutating func checkCover(
        of manifest: ExportManifest,
        _ facts: CoverFacts,
        _ names: Set<String>  // TEXT: our names of files.
    ) throws {
        let name = ExportManifest.coverName
        guard names.contains(name) else {
            if !manifest.files.contains(where: { $0.name == name }) {
                note("\(ExportManifest.fileName): it names no \(name), which every export has.")
            }
            return
        }
        let cover = ExportCover(
            manifest: manifest,
            publicKey: publicKey,
            checkpoint: carried,
            stamp: carriedStamp,
            facts: facts
        )
        let bytes = cover.bytes
        self.cover = bytes
        if try contents(name) != bytes {
            note("\(name): it is not the page that the manifest, the checkpoint and the proofs make.")
        }
    }

    /// Compares the files with what the manifest says of them, and returns the names of those that can be read.
    private mutating func checkFiles(of manifest: ExportManifest) throws -> Set<String> {  // TEXT: our names of files.
        // TEXT: as above.
        var names: Set<String> = []
        for file in manifest.files {
            // A name is never a path that the manifest chooses.
            let isKnown = file.format.map { $0.fileName == file.name } ?? manifest.otherNames.contains(file.name)
            guard isKnown, names.insert(file.name).inserted else {
                note("\(ExportManifest.fileName): it names a file that no export has.")
                continue
            }
            let path = "\(folder)/\(file.name)"
            // LIVE: the caller names the folder.
            guard FileManager.default.fileExists(atPath: path) else {
                note("\(file.name): it is missing.")
                names.remove(file.name)
                continue
            }
            let found = try FileDigest(path)
            if found.bytes != file.bytes {
                note("\(file.name): it has \(found.bytes) bytes, and the manifest says \(file.bytes).")
            } else if found.sha256 != file.sha256 {
                note("\(file.name): its SHA-256 is \(found.sha256), and the manifest says \(file.sha256).")
            }
        }
        let ours =
            ExportFormat.allCases.map(\.fileName) + [ExportManifest.checkpointName, ExportManifest.coverName]
            + stampNames
        for name in ours where !manifest.files.contains(where: { $0.name == name }) {
            // LIVE: the caller names the folder.
            if FileManager.default.fileExists(atPath: "\(folder)/\(name)") {
                note("\(name): the manifest does not name it, so it belongs to no export.")
            }
        }
        return names
    }
}
