import AuditFormats
import AuditModel
public import AuditVerifying
import EventModel
import EventProofs

/// Writes an export into a folder, in memory for a page of events.
///
/// ```swift
/// let manifest = try await ExportWriter(order, from: source, into: folder).write { progress in print(progress.events) }
/// ```
public final class ExportWriter {
    /// How many leaf hashes are read at once.
    private static let leafPage: UInt64 = 65_536

    private let order: ExportOrder
    private let source: any ExportSource
    private let folder: String
    private let formats: [(format: ExportFormat, file: ExportFileWriter)]
    private let proofs: ExportFileWriter
    private var progress = ExportProgress()
    private var changed: UInt64 = 0
    private var masked: UInt64 = 0
    private var erased: UInt64 = 0
    private var partitions: UInt64 = 0
    private var open: UInt64 = 0
    private var facts: CoverFacts

    /// Makes the files.
    ///
    /// - Parameters:
    ///   - order: What is exported.
    ///   - source: Where the events come from.
    ///   - folder: An empty folder.
    /// - Throws: `AuditServerError.inaccessible(path:reason:)` when a file cannot be made.
    public init(_ order: ExportOrder, from source: any ExportSource, into folder: String) throws {
        self.order = order
        self.source = source
        self.folder = folder
        facts = CoverFacts(revoked: order.revokedKeys)
        formats = try ExportFormat.allCases.filter(order.formats.contains)
            .map { ($0, try ExportFileWriter("\(folder)/\($0.fileName)")) }
        proofs = try ExportFileWriter("\(folder)/\(ExportManifest.proofsName)")
    }

    /// Writes everything, the manifest and its signature last.
    ///
    /// - Parameter report: Called after each page; what it throws ends the export.
    /// - Returns: The manifest.
    /// - Throws: What the source throws, `AuditServerError`, and `CancellationError` when the task was cancelled.
    public func write(_ report: (ExportProgress) throws -> Void) async throws -> ExportManifest {
        for (format, file) in formats { try file.write(format.header(order.columns)) }
        progress.total = try await source.eventCount()
        try report(progress)
        try await source.partitions { partition in
            try await write(partition, report)
        }
        progress.examined = max(progress.examined, progress.total)
        try report(progress)
        return try await finish()
    }

    private func write(_ partition: ExportedPartition, _ report: (ExportProgress) throws -> Void) async throws {
        var tree: BlockTree?
        let before = progress.examined
        try await source.events(of: partition) { page in
            try Task.checkCancellation()
            if tree == nil { tree = try await begin(partition) }
            for stored in page where stored.sequence <= partition.count {
                try await write(stored, of: partition, &tree)
            }
            if let last = page.last { progress.examined = before + min(last.sequence, partition.count) }
            try report(progress)
        }
        progress.examined = before + partition.count
        // Also where nothing fitted, so that a long search for a few events is seen, and ends when nobody wants it any more.
        try report(progress)
    }

    /// Writes the line of a partition, and builds the tree that its events are proven in.
    private func begin(_ partition: ExportedPartition) async throws -> BlockTree {
        var tree = BlockTree()
        while tree.count < partition.count {
            let end = min(tree.count + Self.leafPage, partition.count)
            let leaves = try await source.leaves(of: partition, (tree.count + 1)...end)
            guard UInt64(leaves.count) == end - tree.count else { throw Self.isGone(partition) }
            tree.append(leaves)
        }
        try write(EventLine.lines([partition]), to: proofs)
        partitions += 1
        facts.add(partition)
        if partition.seal == nil { open += 1 }
        return tree
    }

    private func write(_ stored: StoredEvent, of partition: ExportedPartition, _ tree: inout BlockTree?) async throws {
        if let missing = tree?.missingLeaves(for: stored.sequence) {
            let leaves = try await source.leaves(of: partition, missing)
            guard tree?.load(leaves, for: stored.sequence) == true else { throw Self.isGone(partition) }
        }
        guard let path = tree?.proof(of: stored.sequence).path else { return }
        switch stored.event {
        case nil where stored.erasure != nil: erased += 1
        case nil: changed += 1
        default: if stored.contentHash != stored.leaf { changed += 1 }
        }
        if stored.isMasked { masked += 1 }
        facts.add(stored, isMasked: stored.isMasked)
        let proof = ExportedProof(
            partition: stored.partition,
            sequence: stored.sequence,
            leafHash: stored.leaf,
            path: path,
            event: stored.isMasked ? nil : stored.event?.encoded,
            received: stored.received,
            isMasked: stored.isMasked,
            erasure: stored.event == nil ? stored.erasure : nil
        )
        try write(proof.line, to: proofs)
        for (format, file) in formats { try write(format.record(stored, order.columns), to: file) }
        progress.events += 1
    }

    private func write(_ bytes: [UInt8], to file: ExportFileWriter) throws {
        try file.write(bytes)
        progress.bytes += UInt64(bytes.count)
    }

    private func finish() async throws -> ExportManifest {
        let stamp = try await source.timeStamp(of: facts.entries)
        var files = try formats.map { format, file in
            ExportManifest.File(
                name: format.fileName,
                format: format,
                bytes: file.byteCount,
                sha256: try file.finish()
            )
        }
        files.append(try Self.named(ExportManifest.proofsName, proofs))
        if let checkpoint = order.log?.checkpoint {
            files.append(try written(checkpoint.note.bytes, as: ExportManifest.checkpointName))
        }
        if let stamp {
            files.append(try written(stamp.signed.note.bytes, as: ExportManifest.stampedName))
            files.append(try written(stamp.reply, as: ExportManifest.stampName))
        }
        let cover = ExportCover(
            manifest: manifest(files, stamp),
            publicKey: order.key?.exportKey.publicKey,
            checkpoint: order.log?.checkpoint,
            stamp: stamp,
            facts: facts
        )
        files.append(try written(cover.bytes, as: ExportManifest.coverName))
        let manifest = manifest(files, stamp)
        let bytes = try manifest.encoded()
        try PrivateFile.write(bytes, to: "\(folder)/\(ExportManifest.fileName)")
        if let signature = try order.key?.exportKey.signed(manifest: bytes) {
            try PrivateFile.write(EventLine.lines([signature]), to: "\(folder)/\(ExportSignature.fileName)")
        }
        return manifest
    }

    private func written(_ bytes: [UInt8], as name: String) throws -> ExportManifest.File {
        let file = try ExportFileWriter("\(folder)/\(name)")
        try file.write(bytes)
        return try Self.named(name, file)
    }

    private func manifest(_ files: [ExportManifest.File], _ stamp: ExportedTimeStamp?) -> ExportManifest {
        ExportManifest(
            version: ExportManifest.currentVersion,
            formatVersion: ExportFormat.version,
            id: order.id,
            created: order.created,
            author: order.author,
            reason: order.reason,
            filter: order.filter,
            events: progress.events,
            changedEvents: changed,
            maskedEvents: masked,
            erasedEvents: erased,
            partitions: partitions,
            openPartitions: open,
            columns: order.columns,
            files: files,
            receiptKey: order.key?.publicKey,
            logKey: order.log?.key.description,
            consistency: stamp?.consistency,
            revokedKeys: facts.usedKeys,
            isSigned: order.key != nil
        )
    }

    private static func named(_ name: String, _ file: ExportFileWriter) throws -> ExportManifest.File {
        let sha256 = try file.finish()
        return .init(name: name, format: nil, bytes: file.byteCount, sha256: sha256)
    }

    private static func isGone(_ partition: ExportedPartition) -> AuditServerError {
        .unavailable(
            reason: "events of partition \(partition.partition) are missing or were changed while it was exported"
        )
    }
}
