import EventModel
import EventProofs
import Synchronization

extension PartitionedEventFiles.IndexAccess {
    fileprivate var isUnreadable: Bool {
        if case .unreadable = self { true } else { false }
    }
}

extension PartitionedEventFiles {
    /// A partition that is not where it should be.
    struct Gone {
        let entry: IndexedPartition
        /// How many events it held; nil when nobody knows.
        let count: UInt64?
        /// How it is reported.
        let finding: PartitionFinding
    }

    /// What the owner of a folder's sealed files found in it.
    struct Claimed {
        /// The files that need a walk.
        var unsealed: [PartitionID] = []
        /// What kept files from being claimed.
        var failures: [(any Error, PartitionID)] = []
        /// What should be there and is not.
        var missing: [Gone] = []
        /// All names of the folder; none when another instance owns it.
        var names: [String] = []
        /// The journals that lie there.
        var journals: Set<ObjectId> = []
        /// What the index says of the folder.
        var index: [ObjectId: IndexedPartition] = [:]
    }

    /// Claims the sealed files that no living process writes, and finds the ones that need a walk, or are gone.
    ///
    /// - Parameter access: How the index can be used; while it cannot be read, no file is claimed.
    /// - Returns: What was found; nothing when another instance owns the folder.
    /// - Throws: `FileSystemError` when the folder or the index cannot be read; what is wrong with one file is in the result.
    func claimSealed(_ access: IndexAccess) throws -> Claimed {
        try withFolderLocked {
            guard try ownsClaims() else { return Claimed() }
            var claimed = Claimed()
            claimed.names = try fileSystem.list(folder.path).sorted()
            claimed.journals = Self.journals(among: claimed.names)
            takeOverReserves(among: claimed.names)
            try removeOutlivedRecords(among: claimed.names)
            // Read behind the names and under the folder's lock: whoever deletes a file enters it before, under the same lock.
            if index.isAttached { claimed.index = try index.partitions() }
            let present = Present(claimed.names)
            let held = state.withLock { Set($0.held.keys) }
            for id in present.events {
                let partition = PartitionID(prefix: folder.prefix, id: id)
                guard !held.contains(partition) else { continue }
                do {
                    if case .unreadable(let error) = access, try isFree(partition) { throw error }
                    if access.isUnreadable { continue }
                    switch try claim(partition, present, claimed) {
                    case .held, .anothers: break
                    case .needsWalk: claimed.unsealed.append(partition)
                    }
                } catch {
                    claimed.failures.append((error, partition))
                }
            }
            for entry in claimed.index.values.sorted(by: { $0.id < $1.id }) where !present.events.contains(entry.id) {
                try settle(entry, present, &claimed)
            }
            for id in present.notes.subtracting(present.events).subtracting(present.aside) { removeOrphan(id) }
            // A copy that was sealed before a crash must be known before what it was made of is looked at.
            let isEntered = { (partition: PartitionID) in claimed.index[partition.id]?.seal != nil }
            claimed.unsealed = claimed.unsealed.filter(isEntered) + claimed.unsealed.filter { !isEntered($0) }
            return claimed
        }
    }

    /// Whether no living process writes a file.
    private func isFree(_ partition: PartitionID) throws -> Bool {
        let file = try fileSystem.open(path(partition.id, PartitionNames.events), .write)
        defer { file.close() }
        return try file.lock(waiting: false)
    }

    /// Removes a note about a partition that was deleted, left by a process that ended meanwhile; of no use to anybody.
    private func removeOrphan(_ id: ObjectId) {
        let path = path(id, PartitionNames.acknowledged)
        // What is not ours, or cannot be read, is left alone and reported as such.
        guard let isOurs = try? Acknowledgement.isNote(path, in: fileSystem), isOurs else { return }
        try? fileSystem.remove(path)
    }

    /// The ids of the files that lie in a folder, by their endings.
    struct Present {
        let events: Set<ObjectId>
        let aside: Set<ObjectId>
        let notes: Set<ObjectId>

        init(_ names: [String]) {
            func ids(_ ending: String) -> Set<ObjectId> {
                Set(names.compactMap { PartitionNames.id(in: $0, ending: ending) })
            }
            events = ids(PartitionNames.events)
            aside = ids(PartitionNames.quarantined)
            notes = ids(PartitionNames.acknowledged)
        }
    }

    /// Finds out why a partition of the index has no file under its own name.
    private func settle(_ entry: IndexedPartition, _ present: Present, _ claimed: inout Claimed) throws {
        let partition = PartitionID(prefix: folder.prefix, id: entry.id)
        switch entry.state {
        case .leaving:
            noteInIndex { try index.change(entry.id, to: nil, isSynced: false) }
        case .aside where present.aside.contains(entry.id), .missing:
            break
        case _ where state.withLock({ $0.deleted.contains(partition) }):
            noteInIndex { try index.change(entry.id, to: nil, isSynced: true) }
        case .begun, .entered, .sealed, .aside:
            let count = state.withLock { state in
                let count = state.held[partition]?.count ?? state.abandoned.removeValue(forKey: partition)?.count
                // The one that is written to finds out by itself.
                if state.current != partition { state.held[partition] = nil }
                return count
            }
            guard present.aside.contains(entry.id) else {
                let count = entry.seal?.count ?? count
                let path = path(entry.id, PartitionNames.events)
                let finding = PartitionFinding.missing(partition, count: count, path: path)
                return claimed.missing.append(Gone(entry: entry, count: count, finding: finding))
            }
            // Kept aside by nobody of us: it goes on where it was.
            let path = path(entry.id, PartitionNames.quarantined)
            try fileSystem.rename(path, to: self.path(entry.id, PartitionNames.events))
            try fileSystem.syncDirectory(folder.path)
            let finding = PartitionFinding.renamed(partition, path: path)
            state.withLock { $0.unreported.append(finding) }
            if case .needsWalk = try claim(partition, present, claimed) {
                claimed.unsealed.append(partition)
            }
        }
    }

    /// Whether this instance owns the sealed files of the folder; takes the lock of the claims when it is free.
    private func ownsClaims() throws -> Bool {
        if state.withLock({ $0.claims != nil }) { return true }
        let file = try fileSystem.open("\(folder.path)/\(PartitionNames.claims)", .writeOrCreate)
        guard try file.lock(waiting: false) else { return false }
        state.withLock { state in
            guard !state.isClosed else { return }
            state.claims = file
            for partition in state.held.keys { state.releaseDescriptor(of: partition, in: fileSystem) }
        }
        return true
    }

    private enum Claim {
        case held
        case needsWalk
        /// A living process writes it.
        case anothers
    }

    /// Claims a file if it is sealed, and is what the index says.
    private func claim(_ partition: PartitionID, _ present: Present, _ claimed: Claimed) throws -> Claim {
        var entry = claimed.index[partition.id]
        let path = path(partition.id, PartitionNames.events)
        let file = try fileSystem.open(path, .write)
        defer { file.close() }
        guard try file.lock(waiting: false) else { return .anothers }
        if entry?.state == .leaving {
            try removeFiles(of: partition)
            return .held
        }
        let size = try file.size()
        let seal =
            state.withLock({ $0.abandoned[partition] != nil })
            ? nil : try PartitionEnd.seal(of: partition, in: file, size: size)
        if seal != nil, entry?.seal == nil { entry = try index.partition(partition.id) }
        if let sealed = entry?.seal {
            // A file of another key or version is as it was sealed when this says so.
            guard let seal, sealed.isSame(as: seal), sealed.byteCount == size else { return .needsWalk }
        }
        try FrameOpener.check(file, partition: partition.id, path: path, key: encryptionKey)
        guard let seal else { return .needsWalk }
        if let owner = seal.owner, owner != folder.owner {
            throw PartitionError.notAsSealed(.foreign(partition, owner: owner, path: path))
        }
        if entry?.seal == nil { try welcome(seal, byteCount: size, at: path) }
        var held = HeldPartition(
            id: partition,
            path: path,
            file: ClosedFile(path, in: fileSystem),
            count: seal.count,
            byteCount: size
        )
        held.seal = seal
        held.losses = seal.losses
        held.journals = claimed.journals
        if present.notes.contains(partition.id) { try loadAcknowledgement(&held) }
        hold(held)
        if let entry, entry.seal != nil, entry.state != .sealed { confirmSeal(of: partition) }
        return .held
    }

    /// Takes a sealed file into the index that is not in it.
    private func welcome(_ seal: PartitionSeal, byteCount: UInt64, at path: String) throws {
        guard index.isAttached else { return }
        let wasDeleted = seal.number.map { $0 <= index.number } ?? true
        let finding: PartitionFinding =
            wasDeleted ? .returned(seal.partition, path: path) : .unknown(seal.partition, path: path)
        try index.adopt(seal, byteCount: byteCount)
        state.withLock { $0.unreported.append(finding) }
    }

    /// Enters what is gone in the ledger, and then in the index, so that it is reported once.
    func enter(_ missing: [Gone]) {
        guard !missing.isEmpty else { return }
        let now = clock.now().wall
        let losses = missing.map { gone in
            LossEntry(
                reason: .missing,
                count: gone.count ?? 1,
                noticed: now,
                partition: PartitionID(prefix: folder.prefix, id: gone.entry.id),
                sequences: gone.count.flatMap { $0 > 0 ? 1...$0 : nil },
                root: gone.entry.seal?.root
            )
        }
        state.withLock { state in
            state.unreported += missing.map(\.finding)
            state.unentered.note(losses)
        }
        guard enterNotedLosses() else { return }
        for gone in missing { noteInIndex { try index.change(gone.entry.id, to: .missing, isSynced: true) } }
    }

    /// Removes the file of a partition that the index says is going, and its side file.
    func removeFiles(of partition: PartitionID) throws {
        let path = path(partition.id, PartitionNames.events)
        // Somebody else may have removed it; then nothing is left to do.
        if try fileSystem.status(path) != nil { try fileSystem.remove(path) }
        try removeAcknowledgement(of: partition)
        try removeQuarantineNotes(of: partition)
        try fileSystem.syncDirectory(folder.path)
        noteInIndex { try index.change(partition.id, to: nil, isSynced: false) }
    }
}
