import EventModel
import EventProofs
import Synchronization

extension PartitionedEventFiles {
    /// Reads, and keeps the partition aside when that shows damage.
    func settingAsideDamage(_ held: HeldPartition, _ body: () throws(PartitionError) -> Void) throws {
        do throws(PartitionError) {
            try body()
        } catch {
            guard case .damaged = error else { throw error }
            if state.withLock({ $0.current }) == held.id { try seal() }
            try salvage(try self.held(held.id), reason: error.description)
            throw error
        }
    }

    /// Appends again what can be read of a damaged partition, enters the rest in the ledger, and keeps the file aside.
    ///
    /// A crash in between repeats the work: events are then stored twice with the same id, which the server folds.
    func salvage(_ held: HeldPartition, reason: String) throws {
        try naming {
            var walk = try PartitionWalk(held.file, partition: held.id.id, to: held.byteCount)
            let proven = held.acknowledgement.cursor.count
            while let item = try walk.next() {
                switch item {
                case .events(let frame): try salvage(frame, after: proven)
                case .loss(let loss): try submit(.append(LeafBatch(losses: [loss])))
                case .start, .seal, .end, .damage, .tornTail: break
                }
            }
            if walk.lossCount > 0 {
                let loss = LossEntry(
                    reason: .damaged,
                    count: walk.lossCount,
                    noticed: clock.now().wall,
                    first: held.seal?.first,
                    last: held.seal?.last,
                    partition: held.id,
                    root: held.seal?.root
                )
                try submit(.append(LeafBatch(losses: [loss])))
            }
        }
        try setAside(held, reason: reason)
    }

    private func salvage(_ frame: PartitionWalk.EventFrame, after proven: UInt64) throws {
        var batch = LeafBatch()
        for index in frame.ranges.indices where frame.firstSequence + UInt64(index) > proven {
            frame.withEvent(index) { bytes in
                // An event of a newer version cannot be decoded, only kept; the time of the salvage is the best known.
                let instant = (try? AuditEvent(encoded: bytes))?.timestamp ?? clock.now().wall
                batch.append(encoded: bytes, at: instant)
            }
        }
        if !batch.isEmpty { try submit(.append(batch)) }
    }

    /// Renames the file of a partition and says why beside it.
    func setAside(_ held: HeldPartition, reason: String) throws {
        let record = QuarantineRecord(
            reason: reason,
            count: held.count,
            isSealed: held.seal != nil,
            acknowledgedThrough: held.acknowledgement.cursor.count
        )
        let bytes = try FrameJSON.encode(record)
        try naming {
            try withFolderLocked {
                let note = try fileSystem.open(path(held.id.id, PartitionNames.quarantineRecord), .writeOrCreate)
                defer { note.close() }
                try note.writeAll(bytes, at: 0)
                try note.truncate(to: UInt64(bytes.count))
                try note.synchronize()
                try fileSystem.rename(held.path, to: path(held.id.id, PartitionNames.quarantined))
                try removeAcknowledgement(of: held.id)
                try fileSystem.syncDirectory(folder.path)
            }
        }
        state.withLock { $0.held[held.id] = nil }
    }

    /// Describes the partitions of the folder that are kept aside.
    func quarantinedSummaries() throws -> [PartitionSummary] {
        try naming {
            try fileSystem.list(folder.path)
                .compactMap { name in
                    guard let id = PartitionNames.id(in: name, ending: PartitionNames.quarantined) else { return nil }
                    let size = try fileSystem.status("\(folder.path)/\(name)")?.size ?? 0
                    let record = try quarantineRecord(of: id)
                    return PartitionSummary(
                        partition: PartitionID(prefix: folder.prefix, id: id),
                        count: record?.count ?? 0,
                        isSealed: record?.isSealed ?? false,
                        acknowledgedThrough: record?.acknowledgedThrough ?? 0,
                        byteCount: size,
                        quarantineReason: record?.reason ?? "The note with the reason is missing."
                    )
                }
        }
    }

    private func quarantineRecord(of id: ObjectId) throws -> QuarantineRecord? {
        let path = path(id, PartitionNames.quarantineRecord)
        guard let size = try fileSystem.status(path)?.size else { return nil }
        let file = try fileSystem.open(path, .read)
        defer { file.close() }
        return FrameJSON.decode(QuarantineRecord.self, from: try file.bytes(at: 0, count: Int(size)))
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
