public import EventModel
import EventProofs

/// What an auditor learns about a device's index of sealed partitions.
public struct IndexVerification: Sendable, Equatable {
    /// Where the index lies, or should.
    public let path: String
    /// The key that signs it, 32 bytes; nil when there is none that can be read.
    public let publicKey: [UInt8]?
    /// How many partitions were sealed in all that it speaks of, those that a server has taken included.
    public let sealedCount: UInt64
    /// What was lost and could not be entered in a partition yet, because the disk was full; nothing signs it before it is.
    public let waitingLosses: [LossEntry]
    /// What is not as it was left; empty when every file is there that should be, and none is another one.
    public let findings: [PartitionFinding]
}

/// Compares the partition files below a directory with the indexes of the devices that wrote them, changing nothing.
///
/// ```swift
/// var audit = try IndexAudit(below: "/data/ward")
/// for path in try PartitionFiles.find(below: "/data/ward") { audit.add(try PartitionFiles.verify(path)) }
/// for index in try audit.finish() { print(index.findings) }
/// ```
///
/// An index is looked for where it lies, in the folder `realm-audit`: at or below the directory, or above it. Files that were copied out
/// of that folder have none, and nothing is said of them. Processes that write meanwhile do no harm.
public struct IndexAudit {
    private let directory: String
    private let fileSystem: any FileSystem
    private var reports: [String: PartitionVerification] = [:]
    /// The newest partition of each folder that a server has signed for as a whole.
    private var receipts: [IndexedFolder: StorageReceipt] = [:]

    /// Begins an audit.
    ///
    /// - Parameters:
    ///   - directory: An absolute path.
    ///   - fileSystem: Where to look.
    public init(below directory: String, in fileSystem: any FileSystem = POSIXFileSystem()) {
        var directory = directory[...]
        while directory.count > 1, directory.hasSuffix("/") { directory.removeLast() }
        self.directory = String(directory)
        self.fileSystem = fileSystem
    }

    /// Notes what was found out about a file.
    public mutating func add(_ report: PartitionVerification) {
        reports[report.path] = report
    }

    /// Notes what a server signed for; the caller has checked the signature.
    ///
    /// An index that was put back to an earlier state with everything beside it does not know the newest partitions that a server has.
    public mutating func add(_ receipt: StorageReceipt) {
        guard receipt.isSealed else { return }
        let owner = EventOwner(app: receipt.app, user: receipt.user)
        let folder = IndexedFolder(owner: owner, prefix: receipt.partition.prefix)
        if let known = receipts[folder], known.partition.id >= receipt.partition.id { return }
        receipts[folder] = receipt
    }

    /// Compares all files with the indexes.
    ///
    /// - Returns: What is wrong, for each place where an index is or should be, sorted by path.
    /// - Throws: ``PartitionError/fileSystem(_:)`` when something that is there cannot be read.
    /// - Complexity: O(*n*) in the number of files and of partitions that the indexes name.
    public func finish() throws(PartitionError) -> [IndexVerification] {
        do throws(FileSystemError) {
            var verifications: [IndexVerification] = []
            for audit in try auditFolders().sorted() { verifications.append(try verify(audit)) }
            return verifications
        } catch {
            throw .fileSystem(error)
        }
    }

    // MARK: - Places

    /// The folders that an index lies in, or should.
    private func auditFolders() throws(FileSystemError) -> Set<String> {
        var found: Set<String> = []
        try collect(directory, into: &found)
        // The directory may be that of an app, a user or a prefix.
        var above = directory
        for _ in 0...3 {
            let hasIndex = try fileSystem.status("\(above)/\(SealedIndex.name)") != nil
            if hasIndex || FilePaths.name(of: above) == EventFolder.name { found.insert(above) }
            above = FilePaths.parent(of: above)
        }
        for path in reports.keys {
            let folder = EventPlace(path).audit
            if FilePaths.name(of: folder) == EventFolder.name { found.insert(folder) }
        }
        return found
    }

    private func collect(_ folder: String, into found: inout Set<String>) throws(FileSystemError) {
        for name in try fileSystem.list(folder) {
            let path = folder.hasSuffix("/") ? folder + name : "\(folder)/\(name)"
            switch try fileSystem.status(path)?.kind {
            case .directory:
                if name == EventFolder.name { found.insert(path) }
                try collect(path, into: &found)
            case .file where name == SealedIndex.name: found.insert(folder)
            case .file, .symbolicLink, .other, nil: break
            }
        }
    }

    private func isBelow(_ path: String) -> Bool {
        path == directory || path.hasPrefix(directory == "/" ? "/" : "\(directory)/")
    }

    // MARK: - Comparing

    private func verify(_ audit: String) throws(FileSystemError) -> IndexVerification {
        let path = "\(audit)/\(SealedIndex.name)"
        let files = reports.values.filter { EventPlace($0.path).audit == audit }.sorted { $0.path < $1.path }
        var comparison = IndexComparison(path: path)
        for report in files { comparison.checkOwner(of: report) }
        for folder in try prefixes(below: audit) where isBelow(folder) {
            comparison.waitingLosses += try waitingLosses(in: folder)
        }
        guard let loaded = try load(path) else {
            // Only seals that were entered in an index have a number.
            var hadOne = files.contains { $0.seal?.number != nil }
            if !hadOne { hadOne = try hasMarker(below: audit) }
            if hadOne { comparison.findings.append(.indexUnusable(path: path, reason: "it is not there any more")) }
            return comparison.verification(nil)
        }
        guard case .success(let contents) = loaded else {
            if case .failure(let damage) = loaded {
                comparison.findings.append(.indexUnusable(path: path, reason: damage.reason))
            }
            return comparison.verification(nil)
        }
        try checkKey(beside: path, contents, &comparison)
        for (name, folder) in contents.state.folders.sorted(by: { $0.key.path < $1.key.path }) {
            let place = "\(audit)/\(name.path)"
            guard isBelow(place) else { continue }
            if let reason = folder.beginning.reason {
                comparison.findings.append(.indexLost(path: path, reason: reason))
            }
            if let newest = folder.newest, let receipt = receipts[name], receipt.partition.id > newest {
                comparison.findings.append(.indexBehind(path: path, receipt.partition))
            }
            if folder.forgotten > 0 { comparison.findings.append(.missingMore(count: folder.forgotten, path: place)) }
            for entry in folder.partitions.values.sorted(by: { $0.id < $1.id }) {
                try compare(entry, name.partition(entry.id), in: place, &comparison)
            }
        }
        for report in files { comparison.checkKnown(report, in: contents.state) }
        return comparison.verification(contents)
    }

    private func load(_ path: String) throws(FileSystemError) -> Result<
        SealedIndexContents, SealedIndexContents.Damage
    >? {
        guard try fileSystem.status(path) != nil else { return nil }
        let file = try fileSystem.open(path, .read)
        defer { file.close() }
        do {
            return .success(try SealedIndexContents(file))
        } catch let damage as SealedIndexContents.Damage {
            return .failure(damage)
        } catch {
            throw (error as? FileSystemError) ?? FileSystemError(.read, path: path, code: 0)
        }
    }

    /// Whether a folder of events says that it belongs to an index.
    private func hasMarker(below audit: String) throws(FileSystemError) -> Bool {
        for folder in try prefixes(below: audit) where try EventFolder.marker(in: folder, fileSystem) != nil {
            return true
        }
        return false
    }

    private func waitingLosses(in folder: String) throws(FileSystemError) -> [LossEntry] {
        var losses: [LossEntry] = []
        for name in try fileSystem.list(folder) {
            let path = "\(folder)/\(name)"
            guard let id = PartitionNames.id(in: name, ending: PartitionNames.ledger),
                try fileSystem.status(path)?.kind == .file
            else { continue }
            losses += try LedgerReserve.losses(id, at: path, in: fileSystem)
        }
        return losses
    }

    /// The folders of events, sorted by path.
    private func prefixes(below audit: String) throws(FileSystemError) -> [String] {
        var found: [String] = []
        for app in try folders(in: audit) {
            for user in try folders(in: app) { found += try folders(in: user) }
        }
        return found.sorted()
    }

    private func folders(in folder: String) throws(FileSystemError) -> [String] {
        var found: [String] = []
        for name in try fileSystem.list(folder) where try fileSystem.status("\(folder)/\(name)")?.kind == .directory {
            found.append("\(folder)/\(name)")
        }
        return found
    }

    /// Holds the key that lies beside an index against the one that signed it.
    private func checkKey(
        beside path: String,
        _ contents: SealedIndexContents,
        _ comparison: inout IndexComparison
    ) throws(FileSystemError) {
        let keyPath = "\(FilePaths.parent(of: path))/\(EventFolder.keyName)"
        guard try fileSystem.status(keyPath)?.kind == .file else { return }
        // A copy for an auditor has no key, and whoever may not read it cannot compare it.
        guard let key = try? DeviceKey.publicKey(at: keyPath, in: fileSystem), key != contents.publicKey else { return }
        comparison.findings.append(.indexUnusable(path: path, reason: "another key than \(keyPath) has signed it"))
    }

    private func compare(
        _ entry: IndexedPartition,
        _ partition: PartitionID,
        in folder: String,
        _ comparison: inout IndexComparison
    ) throws(FileSystemError) {
        let path = "\(folder)/\(entry.id.stringValue)\(PartitionNames.events)"
        let aside = "\(folder)/\(entry.id.stringValue)\(PartitionNames.quarantined)"
        switch entry.state {
        case .leaving: return
        case .missing:
            comparison.findings.append(.missing(partition, count: entry.seal?.count, path: path))
        case .begun, .entered, .sealed, .aside:
            if let report = try current(path) {
                try comparison.compare(entry, report, size: fileSystem.status(path)?.size)
            } else if let report = try current(aside) {
                guard entry.state == .aside else {
                    comparison.findings.append(.renamed(partition, path: aside))
                    return
                }
                try comparison.compare(entry, report, size: fileSystem.status(aside)?.size)
            } else if try isExpectedStill(entry, partition, below: folder) {
                comparison.findings.append(.missing(partition, count: entry.seal?.count, path: path))
            }
        }
    }

    /// What is known of a file; it is looked at again when it was listed after the files were.
    private func current(_ path: String) throws(FileSystemError) -> PartitionVerification? {
        if let report = reports[path] { return report }
        guard try fileSystem.status(path)?.kind == .file else { return nil }
        // A file that cannot be read was reported by whoever looked at it first.
        return try? PartitionFiles.verify(path, in: fileSystem)
    }

    /// Whether the index still says that a file should be there, which may have been uploaded and deleted meanwhile.
    private func isExpectedStill(
        _ entry: IndexedPartition,
        _ partition: PartitionID,
        below folder: String
    ) throws(FileSystemError) -> Bool {
        let place = EventPlace("\(folder)/x")
        guard case .success(let contents) = try load("\(place.audit)/\(SealedIndex.name)") else { return true }
        let name = IndexedFolder(owner: place.owner, prefix: partition.prefix)
        guard let now = contents.state.folders[name]?.partitions[entry.id] else { return false }
        return now.state != .leaving
    }
}

/// Where a partition's file lies: `<audit>/<app>/<user>/<prefix>/<file>`.
struct EventPlace {
    /// The folder `realm-audit`.
    let audit: String
    /// The app and the user, by the names of the folders.
    let owner: EventOwner
    /// The prefix, by the name of the folder.
    let prefix: String

    init(_ path: String) {
        let folder = FilePaths.parent(of: path)
        let user = FilePaths.parent(of: folder)
        let app = FilePaths.parent(of: user)
        audit = FilePaths.parent(of: app)
        owner = EventOwner(app: FilePaths.name(of: app), user: FilePaths.name(of: user))
        prefix = FilePaths.name(of: folder)
    }
}

extension IndexedFolder {
    /// Where the folder lies below the index.
    var path: String { "\(owner.app)/\(owner.user)/\(prefix.string)" }
}
