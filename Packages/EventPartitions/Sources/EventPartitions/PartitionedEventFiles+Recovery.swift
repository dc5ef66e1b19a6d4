import EventModel
import EventProofs
import Synchronization

extension PartitionedEventFiles {
    /// Takes over the files of the folder that nobody holds, and seals those that are not, so that all can be uploaded
    /// and deleted.
    ///
    /// One instance owns the sealed files of a folder: the one that has the lock of the folder's claims. So thousands of
    /// files cost no descriptor; the death of the process gives the lock to the next one that asks. The owner compares what lies in
    /// the folder with the device's index.
    ///
    /// - Throws: ``PartitionError/fileSystem(_:)`` when the folder cannot be listed. What goes wrong with one file is
    ///   noted, and the file is closed, so that it blocks nothing.
    func claimLeftovers() throws {
        let access = attachIndex()
        let claimed = try naming { try claimSealed(access) }
        makeReserve()
        for (error, partition) in claimed.failures { note(error, for: partition) }
        if !claimed.names.isEmpty { noticeStrays() }
        for partition in claimed.unsealed {
            do {
                guard let file = try naming({ try claimUnsealed(partition) }) else { continue }
                // Read behind the lock of the file: nobody else changes now what the index says of it.
                let entry = try naming { try index.partition(partition.id) }
                try naming { try recover(partition, file, as: entry, beside: claimed.journals) }
                state.withLock { _ = $0.unrecovered.removeValue(forKey: partition) }
            } catch {
                note(error, for: partition)
            }
        }
        enter(claimed.missing)
        noteIndexFindings()
        enterNotedLosses()
        reportFindings()
        scheduleCheck()
    }

    private func note(_ error: any Error, for partition: PartitionID) {
        let reason = "\(error)"
        let isNew = state.withLock { $0.unrecovered.updateValue(reason, forKey: partition) != reason }
        guard isNew else { return }
        notify(.unrecovered(path: path(partition.id, PartitionNames.events), reason: reason))
        if case PartitionError.notAsSealed(let finding) = error { state.withLock { $0.unreported.append(finding) } }
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
    ///
    /// - Parameters:
    ///   - partition: The partition.
    ///   - file: Its file, which this process has locked.
    ///   - entry: What the index says of it.
    ///   - journals: The journals that lie in the folder.
    /// - Throws: ``PartitionError`` and `FileSystemError`; the file is then tried again the next time.
    private func recover(
        _ partition: PartitionID,
        _ file: any OpenFile,
        as entry: IndexedPartition?,
        beside journals: Set<ObjectId>
    ) throws {
        let path = path(partition.id, PartitionNames.events)
        // Behind the last sync that succeeded, nobody knows what a failed one has left on the disk.
        let known = state.withLock { $0.abandoned[partition]?.byteCount } ?? .max
        let size = try min(file.size(), known)
        let contents = try contents(of: file, partition, at: path, to: size, as: entry)
        if contents.isForeign {
            giveUp(entry, of: partition, because: "it is not an event file of this name", at: path)
            throw PartitionError.unsafePath(path, reason: "it is not an event file and is left alone; move it away")
        }
        if let owner = contents.start?.owner, owner != folder.owner {
            throw PartitionError.notAsSealed(.foreign(partition, owner: owner, path: path))
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
        if let seal = entry?.seal {
            return try resume(&held, contents, sealed: seal, isConfirmed: entry?.state != .entered)
        }
        if let damage = contents.damages.first {
            try loadAcknowledgement(&held)
            return try salvage(held, reason: damage.description)
        }
        guard !contents.isEmpty, try !isUnfinishedSalvage(contents, in: partition) else {
            try withFolderLocked {
                try fileSystem.remove(path)
                try fileSystem.syncDirectory(folder.path)
            }
            noteInIndex { try index.change(partition.id, to: nil, isSynced: false) }
            state.withLock { _ = $0.abandoned.removeValue(forKey: partition) }
            return notify(.removedEmpty(path: path))
        }
        if let tail = contents.tornTail { notify(.cutOff(path: path, bytes: tail)) }
        try close(&held, contents) { writer in try seal(&writer) }
        try loadAcknowledgement(&held)
        hold(held)
    }

    /// Reads a file that has no seal, or not the one that was entered.
    private func contents(
        of file: any OpenFile,
        _ partition: PartitionID,
        at path: String,
        to size: UInt64,
        as entry: IndexedPartition?
    ) throws -> PartitionContents {
        do throws(PartitionError) {
            try FrameOpener.check(file, partition: partition.id, path: path, key: encryptionKey)
            return try PartitionContents(
                file,
                partition: partition.id,
                path: path,
                key: encryptionKey,
                to: size,
                // A checkpoint is signed by nobody.
                trustsCheckpoints: entry?.seal == nil
            )
        } catch {
            guard entry?.seal != nil, entry?.state != .entered else { throw error }
            switch error {
            case .newerVersion, .encrypted, .wrongKey:
                giveUp(entry, of: partition, because: "its seal is not there, and it cannot be read", at: path)
            default: break
            }
            throw error
        }
    }

    /// Enters a sealed partition as missing in whose place something else lies, which stays where it is.
    private func giveUp(_ entry: IndexedPartition?, of partition: PartitionID, because reason: String, at path: String)
    {
        guard let entry, let seal = entry.seal, entry.state != .missing else { return }
        let finding = PartitionFinding.changed(partition, path: path, reason: reason)
        enter([Gone(entry: entry, count: seal.count, finding: finding)])
    }

    /// Goes on with a file whose seal was entered in the index: what was signed is written again, or the file is kept aside.
    ///
    /// Nothing is signed again.
    private func resume(
        _ held: inout HeldPartition,
        _ contents: PartitionContents,
        sealed: IndexedSeal,
        isConfirmed: Bool
    ) throws {
        try loadAcknowledgement(&held)
        guard contents.isWhole, let seal = contents.seal(sealed, of: held.id, folder.owner, by: key) else {
            // Events in the middle are missing where a frame is damaged; that is not a cut.
            let finding: PartitionFinding =
                contents.isWhole && contents.frontier.count < sealed.count
                ? .shortened(held.id, sealed: sealed.count, found: contents.frontier.count, path: held.path)
                : .changed(held.id, path: held.path, reason: contents.difference(from: sealed))
            state.withLock { $0.unreported.append(finding) }
            return try salvage(held, reason: finding.description, sealed: sealed)
        }
        try close(&held, contents) { writer in
            try writer.close(with: seal)
            return seal
        }
        if isConfirmed {
            let finding = PartitionFinding.unsealed(held.id, path: held.path)
            state.withLock { $0.unreported.append(finding) }
        } else {
            confirmSeal(of: held.id)
        }
        hold(held)
    }

    /// Continues a file and closes it.
    private func close(
        _ held: inout HeldPartition,
        _ contents: PartitionContents,
        _ body: (inout PartitionWriter) throws -> PartitionSeal
    ) throws {
        let partition = held.id
        do {
            var writer = try PartitionWriter(
                continuing: contents,
                of: partition,
                path: held.path,
                file: held.file,
                fileSystem: fileSystem,
                cipher: cipher(for: partition)
            )
            // What a dead process wrote may not have reached the disk, and must before its seal is entered anywhere.
            try held.file.synchronize()
            held.seal = try body(&writer)
            held.byteCount = writer.durableBytes
            state.withLock { _ = $0.abandoned.removeValue(forKey: partition) }
            held = HeldPartition(sealed: held, in: fileSystem)
        } catch {
            // The seal may be there or not; the next attempt must not take it for one that is durable.
            let abandoned = Abandoned(byteCount: contents.contentEnd, count: contents.frontier.count)
            state.withLock { $0.abandoned[partition] = abandoned }
            throw error
        }
    }

    /// Makes a partition one of the held ones, unless it is already.
    func hold(_ held: HeldPartition) {
        state.withLock { state in
            guard state.held[held.id] == nil else { return }
            state.held[held.id] = held
        }
    }

    func loadAcknowledgement(_ held: inout HeldPartition) throws {
        held.acknowledgement = try Acknowledgement.load(
            path(held.id.id, PartitionNames.acknowledged),
            of: held.id.id,
            count: held.count,
            key: key,
            in: fileSystem
        )
    }

    /// Reports once the files that are not ours.
    private func noticeStrays() {
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
    /// Closes the descriptor of a sealed file, which belongs to the owner of the claims by that lock alone.
    mutating func releaseDescriptor(of partition: PartitionID, in fileSystem: any FileSystem) {
        guard claims != nil, let sealed = held[partition], sealed.seal != nil else { return }
        held[partition] = HeldPartition(sealed: sealed, in: fileSystem)
    }
}

extension PartitionContents {
    /// Makes the seal that was entered for these contents again, with the signature that it had.
    ///
    /// - Returns: nil when it was entered for other contents.
    fileprivate func seal(
        _ sealed: IndexedSeal,
        of partition: PartitionID,
        _ owner: EventOwner,
        by key: DeviceKey
    ) -> PartitionSeal? {
        let seal = PartitionSeal(
            partition: partition,
            owner: sealed.statement.namesOwner ? owner : nil,
            number: sealed.statement.number,
            count: frontier.count,
            root: frontier.root,
            first: first,
            last: last,
            previousRoot: sealed.statement.previousRoot,
            losses: losses,
            ledgerPart: sealed.statement.ledgerPart,
            isLedgerContinued: sealed.statement.isLedgerContinued,
            publicKey: key.publicKey,
            signature: sealed.statement.signature
        )
        return sealed.isSame(as: seal) ? seal : nil
    }

    /// Whether nothing is wrong in front of the place of the seal, which may be torn like any last frame.
    fileprivate var isWhole: Bool {
        damages.allSatisfy { damage in
            if case .damaged(_, let bytes, _) = damage { bytes.lowerBound >= contentEnd } else { false }
        }
    }

    /// Says what is not as it was sealed, the middle of a sentence.
    fileprivate func difference(from sealed: IndexedSeal) -> String {
        if let damage = damages.first { return "it is damaged (\(damage.description.dropLast()))" }
        if frontier.count > sealed.count { return "it holds \(frontier.count) events, and \(sealed.count) were sealed" }
        return frontier.root == sealed.root
            ? "its loss ledger or its times are other ones" : "its events are not the ones that were sealed"
    }
}
