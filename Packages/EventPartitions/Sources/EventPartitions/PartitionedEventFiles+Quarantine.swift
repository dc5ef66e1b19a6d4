import EventModel
import EventProofs
import Synchronization

extension PartitionedEventFiles {
    /// Reads, and keeps the partition aside when that shows damage.
    ///
    /// A place that is known from before may be wrong itself, so that damage counts only when it shows from the front, too.
    func settingAsideDamage(
        _ held: HeldPartition,
        from cursor: inout PartitionCursor,
        _ body: (inout PartitionCursor) throws(PartitionError) -> Void
    ) throws {
        do throws(PartitionError) {
            do throws(PartitionError) {
                try body(&cursor)
            } catch {
                guard case .damaged = error else { throw error }
                cursor = PartitionCursor()
                try body(&cursor)
            }
        } catch {
            guard case .damaged = error else { throw error }
            if state.withLock({ $0.current }) == held.id { try seal() }
            try salvage(try self.held(held.id), reason: error.description)
            throw error
        }
    }

    /// Copies what can be read of a damaged partition into a new one, with the rest in its ledger, and keeps the file aside.
    ///
    /// The copy is sealed before the damaged file gets its other name, and names the partition that it was made of. So a
    /// crash in between neither loses an event nor stores one twice.
    ///
    /// - Parameters:
    ///   - held: The damaged partition.
    ///   - reason: What is wrong with it.
    ///   - sealed: What the index says of its seal, when the file does not hold that any more.
    /// - Throws: ``PartitionError`` when the copy cannot be written; the damaged file is then as it was.
    func salvage(_ held: HeldPartition, reason: String, sealed: IndexedSeal? = nil) throws {
        let copy = try naming { try earlierCopy(of: held.id.id) ?? makeCopy(of: held, sealed: sealed) }
        try setAside(held, .damaged, reason: reason, salvagedInto: copy)
    }

    private func makeCopy(of held: HeldPartition, sealed: IndexedSeal?) throws -> ObjectId? {
        var writer = try makeWriter(salvaging: held.id.id)
        do {
            var salvage = PartitionSalvage(of: held, sealed: sealed)
            try stage(held, &salvage, in: &writer)
            if salvage.isForged {
                // Every checksum is right and the signature is not: nobody knows which events are the device's own.
                writer.abandon()
                writer = try makeWriter(salvaging: held.id.id)
            }
            let losses = salvage.losses(noticed: clock.now().wall)
            let isTooLong = PartitionSeal.capacity(for: losses) < losses.count
            for loss in isTooLong ? losses.foldedByReason() : losses { try writer.stage(loss) }
            guard !writer.isEmpty else {
                writer.abandon()
                return nil
            }
            var copy = HeldPartition(id: writer.partition, path: writer.path, file: writer.file, count: 0, byteCount: 0)
            copy.seal = try seal(&writer)
            copy.count = writer.durableCount
            copy.byteCount = writer.durableBytes
            copy.losses = writer.losses
            copy.journals = held.journals
            let result = copy
            state.withLock { state in
                state.held[result.id] = result
                state.releaseDescriptor(of: result.id, in: fileSystem)
            }
            return copy.id.id
        } catch {
            writer.abandon()
            throw error
        }
    }

    private func stage(_ held: HeldPartition, _ salvage: inout PartitionSalvage, in writer: inout PartitionWriter)
        throws
    {
        var walk = try PartitionWalk(
            held.file,
            partition: held.id.id,
            path: held.path,
            key: encryptionKey,
            to: held.byteCount
        )
        while let item = try walk.next() {
            switch item {
            case .events(let frame):
                try stage(frame, in: salvage.range(of: frame), to: &writer)
                salvage.add(frame)
            case .loss(let loss): salvage.ledger.append(loss)
            case .seal(let seal): salvage.ledger = seal.losses
            case .start, .end, .damage, .tornTail, .reserved: break
            }
        }
        salvage.lossCount = walk.lossCount
    }

    private func stage(_ frame: EventFrame, in range: Range<Int>, to writer: inout PartitionWriter) throws {
        var block = EventBlock()
        for index in range {
            frame.withEvent(index) { bytes in
                // An event of a newer version cannot be decoded, only kept; the time of the salvage is the best known.
                let instant = (try? AuditEvent(encoded: bytes))?.timestamp ?? clock.now().wall
                block.append(encoded: bytes, at: instant)
            }
        }
        try writer.stage(block)
    }

    /// Finds the sealed copy that was made of a damaged partition before a crash.
    private func earlierCopy(of partition: ObjectId) throws -> ObjectId? {
        let candidates = state.withLock { $0.held.values.filter { $0.seal != nil } }.sorted { $0.id < $1.id }
        return try candidates.first { held in
            var walk = try PartitionWalk(
                held.file,
                partition: held.id.id,
                path: held.path,
                key: encryptionKey,
                to: held.byteCount
            )
            guard case .start(let start) = try walk.next() else { return false }
            return start.salvaged == partition
        }?
        .id.id
    }

    /// Whether a file without a seal is a copy of a damaged partition that a crash interrupted.
    ///
    /// The damaged file gets its other name only when its copy is sealed, so what an unsealed one holds is held elsewhere.
    func isUnfinishedSalvage(_ contents: PartitionContents, in partition: PartitionID) throws -> Bool {
        guard let original = contents.start?.salvaged else { return false }
        if try fileSystem.status(path(original, PartitionNames.events)) != nil { return true }
        guard try fileSystem.status(path(original, PartitionNames.quarantined)) != nil else { return false }
        return try quarantineRecord(of: original)?.salvagedInto != partition.id
    }

    /// Renames the file of a partition and says why beside it.
    func setAside(
        _ held: HeldPartition,
        _ cause: QuarantineRecord.Cause,
        reason: String,
        salvagedInto copy: ObjectId? = nil
    ) throws {
        let record = QuarantineRecord(
            reason: String(reason.prefix(4096)),
            count: held.count,
            isSealed: held.seal != nil,
            acknowledgedThrough: held.acknowledgement.cursor.count,
            salvagedInto: copy,
            cause: cause,
            since: clock.now().wall,
            program: program
        )
        let bytes = try FrameJSON.encode(record)
        try naming {
            try withFolderLocked {
                let note = try fileSystem.open(path(held.id.id, PartitionNames.quarantineRecord), .writeOrCreate)
                defer { note.close() }
                try note.overwrite(with: bytes)
                try note.synchronize()
                try index.change(held.id.id, to: .aside, isSynced: true)
                try fileSystem.rename(held.path, to: path(held.id.id, PartitionNames.quarantined))
                try removeAcknowledgement(of: held.id)
                try fileSystem.syncDirectory(folder.path)
            }
        }
        state.withLock { state in
            state.held[held.id] = nil
            state.unrecovered[held.id] = nil
        }
        notify(.setAside(path: held.path, reason: reason))
    }

    /// Removes the side record of a partition that goes.
    func removeAcknowledgement(of partition: PartitionID) throws {
        let path = path(partition.id, PartitionNames.acknowledged)
        if try fileSystem.status(path) != nil { try fileSystem.remove(path) }
    }

    /// Turns errors of the file system into this module's.
    func naming<Result>(_ body: () throws -> Result) throws -> Result {
        do {
            return try body()
        } catch let error as FileSystemError {
            throw PartitionError.fileSystem(error)
        }
    }
}
