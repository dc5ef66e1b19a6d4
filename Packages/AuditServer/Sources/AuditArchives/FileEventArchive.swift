package import AuditModel
package import EventModel
import EventPartitions
package import EventProofs
package import TimeStamping

/// The event files below a folder, also of a realm that another process has open.
package struct FileEventArchive: EventArchive {
    package let directory: String
    package let encryptionKey: EventEncryptionKey?

    /// Names the folder, and what encrypted files in it are read with.
    ///
    /// - Throws: ``CommandError/unreadable(path:reason:)`` when it is no folder.
    package init(_ directory: String, workingDirectory: String, encryptionKey: EventEncryptionKey? = nil) throws {
        self.encryptionKey = encryptionKey
        self.directory = directory.hasPrefix("/") ? directory : "\(workingDirectory)/\(directory)"
        switch try POSIXFileSystem().status(self.directory)?.kind {
        case .directory: break
        case nil: throw CommandError.unreadable(path: directory, reason: "there is no such folder")
        default: throw CommandError.unreadable(path: directory, reason: "name the folder that it lies in, it is a file")
        }
    }

    package func partitions() async throws -> [ArchivedPartition] {
        try PartitionFiles.find(below: directory)
            .map { path in
                let found = try PartitionFiles.verify(path, encryptionKey: encryptionKey)
                return (
                    found.partition,
                    ArchivedPartition(
                        partition: found.partition.value,
                        // Of a file that only another key can read, the seal tells both.
                        count: found.eventCount > 0 ? found.eventCount : found.seal?.count ?? 0,
                        root: found.eventCount > 0 ? found.root : found.seal?.root ?? found.root,
                        sealed: found.seal != nil,
                        losses: found.losses,
                        app: nil,
                        user: nil,
                        received: nil,
                        path: path,
                        seal: found.seal
                    )
                )
            }
            .sorted { $0.0 < $1.0 }
            .map(\.1)
    }

    package func strays() async throws -> [String] {
        let aside = try PartitionFiles.keptAside(below: directory)
            .map { aside in
                let reason = aside.reason ?? "The note with the reason cannot be read."
                let remedy = aside.isReleasable ? " Offer it again with daybook partitions release." : ""
                return "Kept aside: \(aside.path). \(reason)\(remedy)"
            }
        return aside + (try PartitionFiles.strays(below: directory).map { "Left alone: \($0.path), \($0.reason)." })
    }

    /// Lists the events; one that lies in two files, because its sync failed or its file was damaged, is listed once.
    ///
    /// Damaged places, and files that only another key or a newer program can read, are stepped over, and the first of
    /// them is thrown at the end.
    package func events(_ filter: EventFilter, _ body: (EventLine) throws -> Void) async throws {
        var readers: [PartitionFileReader] = []
        var damage: PartitionError?
        for path in try PartitionFiles.find(below: directory) {
            do throws(PartitionError) {
                guard try isOfDevice(filter, path) else { continue }
                readers.append(try PartitionFileReader(path, encryptionKey: encryptionKey))
            } catch {
                guard case .newerVersion = error else { throw error }
                damage = damage ?? error
            }
        }
        readers.sort { $0.partition < $1.partition }
        var seen: Set<Digest> = []
        for var reader in readers {
            while let found = try Self.next(&reader, noting: &damage) {
                // The same event twice counts once; another event with its id is another event.
                guard seen.insert(found.leaf).inserted else { continue }
                let stored = Self.stored(found)
                if filter.matches(stored) { try body(EventLine(stored)) }
            }
        }
        if let damage { throw damage }
    }

    /// Reads the next event behind any damage; nil at the end of the file.
    private static func next(
        _ reader: inout PartitionFileReader,
        noting damage: inout PartitionError?
    ) throws(PartitionError) -> FiledEvent? {
        while true {
            do throws(PartitionError) {
                return try reader.next()
            } catch {
                damage = damage ?? error
                switch error {
                case .damaged: break
                case .encrypted, .wrongKey: return nil
                default: throw error
                }
            }
        }
    }

    /// Recomputes the proofs; a receipt counts for a file that has as many events as it was signed for.
    @discardableResult
    package func verify(
        _ receipts: [StorageReceipt],
        _ body: (VerifiedPartition, _ total: Int) throws -> Void
    ) async throws -> [VerifiedIndex] {
        let paths = try PartitionFiles.find(below: directory)
        var audit = IndexAudit(below: directory)
        for receipt in receipts { audit.add(receipt) }
        for path in paths {
            let found: PartitionVerification
            do throws(PartitionError) {
                found = try PartitionFiles.verify(path, encryptionKey: encryptionKey)
            } catch {
                // A process that is at work may have uploaded and deleted it since the files were listed.
                guard case .fileSystem(let failure) = error, failure.isMissing else { throw error }
                continue
            }
            audit.add(found)
            let damages = found.damages.map { FileDamage($0, in: path) }
            var problems = damages.map(\.sentence)
            problems += found.problems.filter { !$0.isDamage }.map { "\($0)" }
            for receipt in receipts
            where receipt.partition == found.partition && receipt.durableThrough == found.eventCount
                && receipt.root != found.root
            {
                problems.append("Partition \(found.partition): the server has signed for other events.")
            }
            let verified = VerifiedPartition(
                partition: found.partition,
                events: found.eventCount,
                losses: found.losses,
                damages: damages,
                problems: problems
            )
            try body(verified, paths.count)
        }
        return try audit.finish().map(VerifiedIndex.init)
    }

    package func verifyLog(
        since kept: TreeHead?,
        by policy: WitnessPolicy?,
        stampedBy trust: TimeStampTrust?
    ) async throws -> VerifiedLog? { nil }

    /// Collects the metadata keys of all events; a file has no schema of its own.
    package func schemas() async throws -> [EventSchema] {
        var columns: [String] = []
        var known: Set<ExactText> = []
        try await events(EventFilter()) { line in
            for key in line.metadata.keys.sorted() where known.insert(ExactText(key)).inserted { columns.append(key) }
        }
        return [EventSchema(metadataColumns: columns)]
    }
}

extension PartitionError {
    /// Whether it is about a damaged place, which is told with the events that are gone with it.
    fileprivate var isDamage: Bool {
        if case .damaged = self { true } else { false }
    }
}
