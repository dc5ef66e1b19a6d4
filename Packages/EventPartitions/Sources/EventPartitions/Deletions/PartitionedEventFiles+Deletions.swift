public import EventModel
import Synchronization

/// Which deletions have to be remembered.
struct DeletionMemory: Sendable {
    /// How many want every deletion to be noted now.
    var notingCount = 0
    /// A record that was written for them.
    struct Noted: Sendable {
        let partition: PartitionID
        /// Its file, which is locked as long.
        let file: any OpenFile
        /// The journals of dead processes that may have to note the events, too.
        let journals: Set<ObjectId>
    }

    /// The records that were written for them.
    var records: [Noted] = []
    /// The journals that records wait for which nobody here wants any more.
    var waiting: [ObjectId: Set<ObjectId>] = [:]
}

extension PartitionedEventFiles {
    /// Finds events in all files of the folder, those of other processes and those that are kept aside included, and in what
    /// is kept of deleted ones.
    ///
    /// - Throws: ``PartitionError/fileSystem(_:)`` when the folder or a file cannot be read.
    public func storedEvents(among ids: [ClosedRange<ObjectId>]) throws -> Set<ObjectId> {
        guard !ids.isEmpty else { return [] }
        let wanted = WantedIds(ids)
        // No file comes, goes or gets another name meanwhile, so that none is missed between two places.
        return try naming {
            try withFolderLocked {
                var found: Set<ObjectId> = []
                for name in try fileSystem.list(folder.path) {
                    if let partition = PartitionNames.id(in: name, ending: PartitionNames.deleted) {
                        found.formUnion(try record(of: partition)?.events(among: wanted) ?? [])
                    }
                    let partition = [PartitionNames.events, PartitionNames.quarantined]
                        .compactMap { PartitionNames.id(in: name, ending: $0) }.first
                    guard let partition else { continue }
                    try visitEvents(of: partition, at: "\(folder.path)/\(name)") { id in
                        if wanted.contains(id) { found.insert(id) }
                    }
                }
                return found
            }
        }
    }

    /// Begins a time in which each partition that is deleted leaves a note of its events.
    public func noteDeletions() -> DeletionNoting {
        state.withLock { $0.deletions.notingCount += 1 }
        return DeletionNoting { [weak self] in self?.endNoting() }
    }

    /// Removes the notes when the last one who wanted them knows that all its events are stored.
    ///
    /// A note stays while there is a journal of a dead process whose scopes may have had events in the partition.
    private func endNoting() {
        let records = state.withLock { state -> [DeletionMemory.Noted] in
            state.deletions.notingCount -= 1
            guard state.deletions.notingCount == 0 else { return [] }
            defer { state.deletions.records = [] }
            for record in state.deletions.records where !record.journals.isEmpty {
                state.deletions.waiting[record.partition.id] = record.journals
            }
            return state.deletions.records
        }
        defer { for record in records { record.file.close() } }
        let unwanted = records.filter { $0.journals.isEmpty }
        guard !unwanted.isEmpty else { return }
        // Under the folder's lock, as everything that comes and goes: whoever lists the folder opens what is in it. A note that
        // cannot be removed is removed when no journal is left.
        try? withFolderLocked {
            for record in unwanted { try? fileSystem.remove(path(record.partition.id, PartitionNames.deleted)) }
        }
    }

    /// Prepares the note of a partition that is about to be deleted; nil when nobody can want it.
    ///
    /// - Returns: The note, and the journals that it is for besides those that are noted now.
    func deletionRecord(of held: HeldPartition) throws -> (record: DeletionRecord, journals: Set<ObjectId>)? {
        let isNoted = state.withLock { $0.deletions.notingCount > 0 }
        guard held.count > 0, isNoted || !held.journals.isEmpty else { return nil }
        let journals =
            held.journals.isEmpty
            ? [] : Self.journals(among: try fileSystem.list(folder.path)).intersection(held.journals)
        guard isNoted || !journals.isEmpty else { return nil }
        var record = DeletionRecord(journals: isNoted ? nil : journals.sorted())
        try visitEvents(of: held.id.id, at: held.path) { record.append($0) }
        return (record, journals)
    }

    /// Writes the note of a partition; it is durable, name included, when this returns.
    func store(_ record: DeletionRecord, for journals: Set<ObjectId>, of partition: PartitionID) throws {
        let bytes = try FrameJSON.encode(record)
        let file = try fileSystem.open(path(partition.id, PartitionNames.deleted), .writeOrCreate)
        // The lock says that a living process may still be about to note the events in a journal.
        _ = try file.lock(waiting: true)
        try file.overwrite(with: bytes)
        try file.synchronize()
        try fileSystem.syncDirectory(folder.path)
        guard record.journals == nil else { return file.close() }
        let isNoted = state.withLock { state in
            guard state.deletions.notingCount > 0 else { return false }
            state.deletions.records.append(.init(partition: partition, file: file, journals: journals))
            return true
        }
        if !isNoted { file.close() }
    }

    /// Removes notes that nobody can ask for any more, while the folder is locked.
    func removeOutlivedRecords(among names: [String]) throws {
        let records = names.compactMap { PartitionNames.id(in: $0, ending: PartitionNames.deleted) }
        guard !records.isEmpty else { return }
        let journals = Self.journals(among: names)
        for partition in records {
            let path = path(partition, PartitionNames.deleted)
            let file = try fileSystem.open(path, .write)
            defer { file.close() }
            guard try file.lock(waiting: false) else { continue }
            // One that is torn was followed by no deletion.
            let waiting = state.withLock { $0.deletions.waiting[partition] }
            let isOutlived =
                try waiting?.isDisjoint(with: journals) ?? record(in: file)?.isOutlived(by: journals) ?? true
            guard isOutlived else { continue }
            try fileSystem.remove(path)
            state.withLock { _ = $0.deletions.waiting.removeValue(forKey: partition) }
        }
    }

    /// The journals among the names of a folder.
    static func journals(among names: [String]) -> Set<ObjectId> {
        Set(names.compactMap { PartitionNames.id(in: $0, ending: PartitionNames.journal) })
    }

    private func record(of partition: ObjectId) throws -> DeletionRecord? {
        let file = try fileSystem.open(path(partition, PartitionNames.deleted), .read)
        defer { file.close() }
        return try record(in: file)
    }

    private func record(in file: any OpenFile) throws -> DeletionRecord? {
        let count = Int(clamping: min(try file.size(), UInt64(DeletionRecord.maximumBytes)))
        return FrameJSON.decode(DeletionRecord.self, from: try file.bytes(at: 0, count: count))
    }

    /// Calls the closure with the id of each event of a file that can be read.
    private func visitEvents(of partition: ObjectId, at path: String, _ body: (ObjectId) -> Void) throws {
        let file = try fileSystem.open(path, .read)
        defer { file.close() }
        do throws(PartitionError) {
            let size: UInt64
            do throws(FileSystemError) { size = try file.size() } catch { throw .fileSystem(error) }
            var walk = try PartitionWalk(file, partition: partition, path: path, key: encryptionKey, to: size)
            while let item = try walk.next() {
                guard case .events(let frame) = item else { continue }
                for index in frame.ranges.indices {
                    if let id = frame.withEvent(index, { AuditEvent.id(ofEncoded: $0) }) { body(id) }
                }
            }
        } catch {
            switch error {
            // What only another key or a newer program can read was not written by a process that left us a journal.
            case .encrypted, .wrongKey, .newerVersion: break
            default: throw error
            }
        }
    }
}
