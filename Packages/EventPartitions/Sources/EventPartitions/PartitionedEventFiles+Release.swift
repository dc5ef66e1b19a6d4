import EventModel
import Synchronization

/// A partition that is kept aside.
struct QuarantinedPartition {
    let partition: PartitionID
    let byteCount: UInt64
    /// Nil when the note with the reason cannot be read.
    let record: QuarantineRecord?
    /// Whether somebody asked to offer it again.
    let isAskedFor: Bool

    var summary: PartitionSummary {
        PartitionSummary(
            partition: partition,
            count: record?.count ?? 0,
            isSealed: record?.isSealed ?? false,
            acknowledgedThrough: record?.acknowledgedThrough ?? 0,
            byteCount: byteCount,
            quarantineReason: record?.reason ?? "The note with the reason cannot be read."
        )
    }
}

extension PartitionedEventFiles {
    /// Finds the partitions of the folder that are kept aside.
    func quarantined() throws -> [QuarantinedPartition] {
        try naming {
            let names = try fileSystem.list(folder.path)
            let asked = Set(names.compactMap { PartitionNames.id(in: $0, ending: PartitionNames.release) })
            return try names.compactMap { name in
                guard let id = PartitionNames.id(in: name, ending: PartitionNames.quarantined) else { return nil }
                return QuarantinedPartition(
                    partition: PartitionID(prefix: folder.prefix, id: id),
                    byteCount: try fileSystem.status("\(folder.path)/\(name)")?.size ?? 0,
                    // A note that cannot be read must not hide the partitions that can be uploaded.
                    record: try? quarantineRecord(of: id),
                    isAskedFor: asked.contains(id)
                )
            }
        }
    }

    /// Reads why a partition is kept aside; nil when nothing says so.
    func quarantineRecord(of id: ObjectId) throws -> QuarantineRecord? {
        try PartitionFiles.quarantineRecord(at: path(id, PartitionNames.quarantineRecord), in: fileSystem)
    }

    /// Gives partitions that a server refused their own names back, so that they are claimed and offered again.
    ///
    /// What is refused once more is kept aside anew, for another day.
    ///
    /// - Returns: Whether there were any.
    /// - Throws: ``PartitionError`` when a file cannot be renamed; it stays aside then.
    func releaseRefused(among aside: [QuarantinedPartition]) throws -> Bool {
        let (isOwner, isFirstLook) = state.withLock { state in
            // Only the owner of the sealed files would claim them.
            let isOwner = state.claims != nil
            defer { if isOwner { state.hasLookedForRefused = true } }
            return (isOwner, !state.hasLookedForRefused)
        }
        guard isOwner, !aside.isEmpty else { return false }
        let now = clock.now().wall
        let due = aside.filter { partition in
            guard let record = partition.record, record.isReleasable else { return false }
            if partition.isAskedFor || record.hasRested(at: now) { return true }
            return isFirstLook && record.program != program
        }
        for partition in due {
            try naming { try withFolderLocked { try release(partition.partition) } }
            notify(.released(path: path(partition.partition.id, PartitionNames.events)))
        }
        return !due.isEmpty
    }

    private func release(_ partition: PartitionID) throws {
        let aside = path(partition.id, PartitionNames.quarantined)
        // Another instance, or somebody by hand, may have been faster.
        guard try fileSystem.status(aside)?.kind == .file else { return }
        try adopt(partition, at: aside)
        // The index follows when the file is claimed: a partition in its place is never taken for a stolen one.
        try fileSystem.rename(aside, to: path(partition.id, PartitionNames.events))
        try fileSystem.syncDirectory(folder.path)
        try removeQuarantineNotes(of: partition)
    }

    /// Enters a partition in the index that was set aside before there was one, or it would be taken for one that came back.
    private func adopt(_ partition: PartitionID, at path: String) throws {
        guard index.isAttached, try index.partition(partition.id) == nil else { return }
        let file = try fileSystem.open(path, .read)
        defer { file.close() }
        let size = try file.size()
        guard let seal = try PartitionEnd.seal(of: partition, in: file, size: size), seal.number == nil else { return }
        try index.adopt(seal, byteCount: size)
    }

    /// Removes what says that a partition is kept aside, and that it is to be offered again.
    func removeQuarantineNotes(of partition: PartitionID) throws {
        for ending in [PartitionNames.quarantineRecord, PartitionNames.release] {
            let path = path(partition.id, ending)
            if try fileSystem.status(path) != nil { try fileSystem.remove(path) }
        }
    }
}
