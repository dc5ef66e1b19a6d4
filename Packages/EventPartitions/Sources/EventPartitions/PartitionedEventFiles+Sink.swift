public import EventModel
import EventProofs
import Synchronization

extension PartitionedEventFiles: EventFiles {
    /// Appends events and returns when they are on the disk; calls in flight share one sync.
    ///
    /// - Throws: ``PartitionError`` when the events cannot be assumed durable. The file they were written to is not used
    ///   again; the next call starts another one.
    public func append(_ events: [AuditEvent]) throws -> AppendReceipt {
        let batch = LeafBatch(events, limits: limits, clock: clock)
        guard !batch.isEmpty else {
            try checkOpen()
            return AppendReceipt(places: [])
        }
        return try submit(.append(batch))
    }

    /// Enters losses in the ledger of the partition that is written to; what cannot be written now is with the next append.
    public func note(_ losses: [LossEntry]) {
        guard !losses.isEmpty else { return }
        state.withLock { $0.unentered.note(losses) }
        enterNotedLosses()
    }

    /// Checks that new events are encrypted with this key, for another one who wants to append to the same files.
    ///
    /// - Throws: `EventModelError.invalidParameter` when the files were opened with another key, or only one of both has one.
    public func requireKey(_ key: EventEncryptionKey?) throws(EventModelError) {
        guard key == encryptionKey else {
            let reason = "the files of this folder are open in this process with another key, or with none"
            throw .invalidParameter("encryptionKey", reason: reason)
        }
    }

    /// Makes durable what was appended without a sync.
    ///
    /// - Throws: ``PartitionError`` when nobody knows whether it is; the partition is not written to any more then, and its
    ///   ledger entry says what may be missing.
    public func synchronize() throws {
        try submit(.synchronize)
    }

    /// Closes the partition that is written to, so that it can be uploaded as a whole and deleted.
    ///
    /// Does nothing when no event was appended since the last one was closed.
    ///
    /// - Throws: ``PartitionError`` when the seal cannot be written; the events are safe, and recovery seals them.
    public func seal() throws {
        try submit(.seal)
    }

    /// Seals the partition that is written to and closes all files; every later call throws ``PartitionError/closed``.
    ///
    /// - Throws: ``PartitionError`` when the seal cannot be written; the files then stay open.
    public func close() throws {
        try submit(.close)
    }
}

// MARK: - Work of the leader

extension PartitionedEventFiles {
    /// Makes and locks the file of a new partition.
    ///
    /// - Parameter salvaged: The damaged partition whose events are to be stored there again, or nil.
    /// - Returns: The writer; nothing is on the disk before its first flush.
    /// - Throws: When the folder or the file cannot be used.
    func makeWriter(salvaging salvaged: ObjectId? = nil) throws -> PartitionWriter {
        try withFolderLocked {
            let partition = PartitionID(prefix: folder.prefix, id: ids.next())
            let path = path(partition.id, PartitionNames.events)
            let file = try fileSystem.open(path, .create)
            do {
                guard try file.lock(waiting: false) else {
                    throw FileSystemError(.lock, path: path, code: 0)
                }
                return try PartitionWriter(
                    creating: partition,
                    path: path,
                    file: file,
                    fileSystem: fileSystem,
                    cipher: cipher(for: partition),
                    created: clock.now().wall,
                    owner: folder.owner,
                    salvaged: salvaged,
                    mayReserve: policy.quota.bytes >= ReservedSpace.smallestQuota
                )
            } catch {
                // The first error says more than that of removing; recovery removes what holds no event.
                try? fileSystem.remove(path)
                throw error
            }
        }
    }

    /// Begins to encrypt a file that this instance opens for writing, if it has a key.
    func cipher(for partition: PartitionID) -> PartitionCipher? {
        encryptionKey.map { PartitionCipher($0, salt: PartitionCipher.randomSalt(), of: partition.id) }
    }

    /// Publishes what has become durable.
    func didFlush(_ writer: PartitionWriter) {
        let isFirst = writer.durableCount > 0 && state.withLock { $0.held[writer.partition]?.count ?? 0 } == 0
        if isFirst { noteInIndex { try index.enter(begun: writer.partition.id) } }
        publish(writer)
    }

    private func publish(_ writer: PartitionWriter) {
        let isBegun = state.withLock { $0.current == writer.partition && $0.begun != nil }
        if writer.promisedCount > 0, !isBegun { didBegin(writer.partition) }
        state.withLock { state in
            var held =
                state.held[writer.partition]
                ?? HeldPartition(id: writer.partition, path: writer.path, file: writer.file, count: 0, byteCount: 0)
            state.persistedCount += writer.durableCount - held.count
            held.count = writer.durableCount
            held.byteCount = writer.durableBytes
            held.losses = writer.losses
            state.quota.didWrite()
            state.held[writer.partition] = held
            state.current = writer.partition
            state.reservedBytes = writer.reservedBytes
        }
    }

    /// Publishes that a partition is closed for good.
    func didSeal(_ writer: PartitionWriter, _ seal: PartitionSeal) {
        // In the index it is further than begun, also when nothing of it was durable before.
        publish(writer)
        state.withLock { state in
            state.held[writer.partition]?.seal = seal
            state.releaseDescriptor(of: writer.partition, in: fileSystem)
            state.current = nil
            state.begun = nil
            state.retention.didSeal()
        }
    }

    /// Closes a file that a call has failed on: recovery treats it like one that a dead process left.
    func didAbandon(_ writer: PartitionWriter, after error: any Error) {
        writer.abandon()
        noteUnsynced(of: writer)
        state.withLock { state in
            // What callers took for stored without a sync may be there; the ledger says that nobody is certain.
            let abandoned = Abandoned(byteCount: writer.promisedBytes, count: writer.promisedCount)
            state.abandoned[writer.partition] = abandoned
            state.held[writer.partition] = nil
            if state.current == writer.partition {
                state.current = nil
                state.begun = nil
                state.reservedBytes = 0
            }
        }
        notify(.abandoned(path: writer.path, reason: "\(error)"))
    }

    /// Closes every file and gives back every lock.
    func didClose() {
        let listeners = state.withLock { state in
            defer {
                state.isClosed = true
                state.held = [:]
                state.claims = nil
                state.reserve = nil
                state.listeners = [:]
            }
            return Array(state.listeners.values)
        }
        for listener in listeners { listener.finish() }
    }
}
