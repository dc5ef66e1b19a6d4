import EventModel
import EventProofs
import Synchronization

extension PartitionedEventFiles {
    /// Takes over the files of the folder that nobody holds, and seals those that are not, so that all can be uploaded
    /// and deleted.
    ///
    /// One instance owns the sealed files of a folder: the one that has the lock of the folder's claims. So thousands of
    /// files cost no descriptor; the death of the process gives the lock to the next one that asks.
    ///
    /// - Throws: ``PartitionError/fileSystem(_:)`` when the folder cannot be listed. What goes wrong with one file is
    ///   noted, and the file is let go, so that it blocks nothing.
    func claimLeftovers() throws {
        let (unsealed, journals) = try naming { try claimSealed() }
        for partition in unsealed {
            do {
                guard let file = try naming({ try claimUnsealed(partition) }) else { continue }
                try naming { try recover(partition, file, beside: journals) }
                state.withLock { _ = $0.unrecovered.removeValue(forKey: partition) }
            } catch {
                note(error, for: partition)
            }
        }
    }

    private func note(_ error: any Error, for partition: PartitionID) {
        let reason = "\(error)"
        let isNew = state.withLock { $0.unrecovered.updateValue(reason, forKey: partition) != reason }
        if isNew { notify(.unrecovered(path: path(partition.id, PartitionNames.events), reason: reason)) }
    }

    /// Claims the sealed files that no living process writes, and finds the ones that need a walk.
    private func claimSealed() throws -> (unsealed: [PartitionID], journals: Set<ObjectId>) {
        let (unsealed, noted, names) = try withFolderLocked {
            guard try ownsClaims() else { return ([PartitionID](), [(any Error, PartitionID)](), [String]()) }
            let names = try fileSystem.list(folder.path).sorted()
            try removeOutlivedRecords(among: names)
            let held = state.withLock { Set($0.held.keys) }
            let acknowledged = Set(names.compactMap { PartitionNames.id(in: $0, ending: PartitionNames.acknowledged) })
            let journals = Self.journals(among: names)
            var unsealed: [PartitionID] = []
            var noted: [(any Error, PartitionID)] = []
            for name in names {
                guard let id = PartitionNames.id(in: name, ending: PartitionNames.events) else { continue }
                let partition = PartitionID(prefix: folder.prefix, id: id)
                guard !held.contains(partition) else { continue }
                do {
                    let isSealed = try claim(partition, mayBeAcknowledged: acknowledged.contains(id), beside: journals)
                    guard let isSealed else { continue }
                    if !isSealed { unsealed.append(partition) }
                } catch {
                    noted.append((error, partition))
                }
            }
            return (unsealed, noted, names)
        }
        for (error, partition) in noted { note(error, for: partition) }
        if !names.isEmpty { notice(names) }
        return (unsealed, Self.journals(among: names))
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

    /// Claims a file if it is sealed.
    ///
    /// - Returns: Whether it is sealed; nil when a living process writes it.
    private func claim(
        _ partition: PartitionID,
        mayBeAcknowledged: Bool,
        beside journals: Set<ObjectId>
    ) throws -> Bool? {
        let path = path(partition.id, PartitionNames.events)
        let file = try fileSystem.open(path, .write)
        defer { file.close() }
        guard try file.lock(waiting: false) else { return nil }
        try FrameOpener.check(file, partition: partition.id, path: path, key: encryptionKey)
        let size = try file.size()
        guard state.withLock({ $0.abandoned[partition] == nil }),
            let seal = try PartitionEnd.seal(of: partition, in: file, size: size)
        else { return false }
        var held = HeldPartition(
            id: partition,
            path: path,
            file: ClosedFile(path, in: fileSystem),
            count: seal.count,
            byteCount: size
        )
        held.seal = seal
        held.losses = seal.losses
        held.journals = journals
        if mayBeAcknowledged { try loadAcknowledgement(&held) }
        hold(held)
        return true
    }

    /// Opens and locks a file that needs a walk; nil when another process has it by now.
    private func claimUnsealed(_ partition: PartitionID) throws -> (any OpenFile)? {
        try withFolderLocked {
            guard state.withLock({ $0.held[partition] == nil }) else { return nil }
            let path = path(partition.id, PartitionNames.events)
            guard try fileSystem.status(path) != nil else { return nil }
            let file = try fileSystem.open(path, .write)
            return try file.lock(waiting: false) ? file : nil
        }
    }

    /// Makes a claimed file one of the held ones, keeps it aside if it is damaged, or removes it if it is empty.
    private func recover(_ partition: PartitionID, _ file: any OpenFile, beside journals: Set<ObjectId>) throws {
        let path = path(partition.id, PartitionNames.events)
        // Behind the last sync that succeeded, nobody knows what a failed one has left on the disk.
        let known = state.withLock { $0.abandoned[partition] } ?? .max
        let size = try min(file.size(), known)
        try FrameOpener.check(file, partition: partition.id, path: path, key: encryptionKey)
        let contents = try PartitionContents(
            file,
            partition: partition.id,
            path: path,
            key: encryptionKey,
            to: size
        )
        if contents.isForeign {
            throw PartitionError.unsafePath(path, reason: "it is not an event file and is left alone; move it away")
        }
        var held = HeldPartition(
            id: partition,
            path: path,
            file: file,
            count: contents.frontier.count,
            byteCount: size
        )
        held.losses = contents.losses
        held.journals = journals
        if let damage = contents.damages.first {
            try loadAcknowledgement(&held)
            return try salvage(held, reason: damage.description)
        }
        guard !contents.isEmpty, try !isUnfinishedSalvage(contents, in: partition) else {
            try withFolderLocked {
                try fileSystem.remove(path)
                try fileSystem.syncDirectory(folder.path)
            }
            state.withLock { _ = $0.abandoned.removeValue(forKey: partition) }
            return notify(.removedEmpty(path: path))
        }
        if let tail = contents.tornTail { notify(.cutOff(path: path, bytes: tail)) }
        held.seal = try seal(contents, of: partition, path: path, file: file, byteCount: &held.byteCount)
        held = HeldPartition(sealed: held, in: fileSystem)
        try loadAcknowledgement(&held)
        hold(held)
    }

    private func seal(
        _ contents: PartitionContents,
        of partition: PartitionID,
        path: String,
        file: any OpenFile,
        byteCount: inout UInt64
    ) throws -> PartitionSeal {
        do {
            var writer = try PartitionWriter(
                continuing: contents,
                of: partition,
                path: path,
                file: file,
                fileSystem: fileSystem,
                cipher: cipher(for: partition)
            )
            let seal = try writer.seal(with: key, of: folder.owner)
            byteCount = writer.durableBytes
            state.withLock { _ = $0.abandoned.removeValue(forKey: partition) }
            return seal
        } catch {
            // The seal may be there or not; the next attempt must not take it for one that is durable.
            state.withLock { $0.abandoned[partition] = contents.contentEnd }
            throw error
        }
    }

    /// Makes a partition one of the held ones, unless it is already.
    func hold(_ held: HeldPartition) {
        state.withLock { state in
            guard state.held[held.id] == nil else { return }
            state.held[held.id] = held
            if let root = held.seal?.root { state.previousRoot = root }
        }
    }

    private func loadAcknowledgement(_ held: inout HeldPartition) throws {
        held.acknowledgement = try Acknowledgement.load(
            path(held.id.id, PartitionNames.acknowledged),
            of: held.id.id,
            count: held.count,
            in: fileSystem
        )
    }

    /// Tells of files that are gone, and of those that are not ours.
    private func notice(_ names: [String]) {
        let present = Set(names.compactMap { PartitionNames.id(in: $0, ending: PartitionNames.events) })
        // A file that was made or sealed since the folder was listed is not among the names and not gone.
        let candidates = state.withLock { state in
            state.held.values.filter { $0.seal != nil && !present.contains($0.id.id) }.map { ($0.id, $0.path) }
        }
        for (partition, path) in candidates {
            // Only a folder that answers can say that a file is not there.
            guard case .success(nil) = Result(catching: { try fileSystem.status(path) }) else { continue }
            let wasHeld = state.withLock { $0.held.removeValue(forKey: partition) != nil }
            if wasHeld { notify(.vanished(path: path)) }
        }
        let isFirst = state.withLock { state in
            defer { state.hasLookedForStrays = true }
            return !state.hasLookedForStrays
        }
        guard isFirst else { return }
        // The folder was listed a moment ago; a second listing that fails is no reason to fail the first.
        guard let strays = try? PartitionFiles.strays(below: folder.path, in: fileSystem), !strays.isEmpty else {
            return
        }
        notify(.strays(folder: folder.path, files: strays))
    }
}

extension PartitionedEventFiles.State {
    /// Lets go of the descriptor of a sealed file, which belongs to the owner of the claims by that lock alone.
    mutating func releaseDescriptor(of partition: PartitionID, in fileSystem: any FileSystem) {
        guard claims != nil, let sealed = held[partition], sealed.seal != nil else { return }
        held[partition] = HeldPartition(sealed: sealed, in: fileSystem)
    }
}
