import Dispatch
public import EventModel
import EventProofs
import Synchronization

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

// MARK: - Quota

extension PartitionedEventFiles {
    /// Takes room for bytes from what is granted already.
    func takeRoom(_ bytes: UInt64) -> Bool {
        state.withLock { $0.quota.take(bytes) }
    }

    /// Measures the folder of the user, unless it was found full a moment ago.
    ///
    /// - Parameter bytes: What is needed.
    /// - Throws: What the file system throws when it cannot list or look.
    func measureRoom(for bytes: UInt64) throws {
        let now = clock.now().monotonicNanoseconds
        guard state.withLock({ $0.quota.mayMeasure(now: now) }) else { return }
        let used = try usedBytes()
        state.withLock { $0.quota.didMeasure(used, needed: bytes, now: now) }
    }

    /// Adds up the sizes of all files of the user: two levels of folders, links not followed.
    ///
    /// Space that this instance has reserved takes no room; that of others cannot be distinguished from events.
    private func usedBytes() throws -> UInt64 {
        var sum: UInt64 = 0
        let user = FilePaths.parent(of: folder.path)
        for name in try fileSystem.list(user) {
            let prefix = "\(user)/\(name)"
            guard try fileSystem.status(prefix)?.kind == .directory else { continue }
            for name in try fileSystem.list(prefix) where !name.hasSuffix(PartitionNames.ledger) {
                // A file that another process has removed meanwhile is not there, and takes no room.
                if let status = try fileSystem.status("\(prefix)/\(name)"), status.kind == .file { sum += status.size }
            }
        }
        return sum - min(sum, state.withLock(\.reservedBytes))
    }

    /// The oldest partition that can be dropped: closed, with events, a wholly proven one before others.
    func oldestClosed() -> HeldPartition? {
        let closed = closedPartitions().filter { $0.count > 0 }
        return closed.first(where: \.isWhollyProven) ?? closed.first
    }

    /// The closed partitions that this process holds, oldest first.
    func closedPartitions() -> [HeldPartition] {
        state.withLock { state in
            state.held.values.filter { $0.seal != nil && $0.id != state.current }.sorted { $0.id < $1.id }
        }
    }

    /// Deletes the file of a partition, whatever the server has; who calls it has entered the loss.
    ///
    /// The index says first that it goes, so that nobody takes it for stolen after a crash.
    func remove(_ held: HeldPartition) throws {
        try naming {
            let record = try deletionRecord(of: held)
            try withFolderLocked {
                if let record { try store(record.record, for: record.journals, of: held.id) }
                let isEntered = try enterLeaving(of: held.id)
                try removeFiles(of: held.id)
                // Before the folder's lock goes: whoever compares folder and index next must not look for it.
                state.withLock { state in
                    state.held[held.id] = nil
                    state.quota.didFree()
                }
                guard !isEntered else { return }
                // Now there should be room; if not, it is entered when the folder is compared with the index.
                state.withLock { _ = $0.deleted.insert(held.id) }
                noteInIndex { try index.change(held.id.id, to: nil, isSynced: true) }
            }
        }
    }

    /// Enters in the index that a partition goes.
    ///
    /// - Returns: False when the disk is so full that the partition must go first.
    private func enterLeaving(of partition: PartitionID) throws -> Bool {
        do {
            try index.change(partition.id, to: .leaving, isSynced: true)
            return true
        } catch let error as FileSystemError where error.code == ENOSPC || error.code == EDQUOT {
            return false
        }
    }
}

// MARK: - Loss ledger

extension PartitionedEventFiles {
    /// Reads the loss ledger: what is missing and why, in the order in which it was entered.
    ///
    /// Of the partitions that this process holds, and what waits in memory to be entered. Entries of partitions that were
    /// uploaded and deleted are in the seals that the server has.
    ///
    /// - Throws: ``PartitionError/closed`` after the files were closed.
    public func losses() throws -> [LossEntry] {
        try checkOpen()
        return state.withLock { state in
            state.held.values.sorted { $0.id < $1.id }.flatMap(\.losses) + state.unentered.entries
        }
    }

    /// Whether an entry on the disk says already that a partition goes.
    func isEntered(_ partition: PartitionID) -> Bool {
        state.withLock { state in
            state.held.values.contains { held in
                held.losses.contains { $0.partition == partition && $0.root == state.held[partition]?.seal?.root }
            }
        }
    }

    /// Takes the losses that are to be written now.
    func takeLosses(all: Bool) -> [LossEntry] {
        guard state.withLock({ !$0.unentered.isEmpty && !$0.isClosed }) else { return [] }
        let now = clock.now().monotonicNanoseconds
        return state.withLock { $0.unentered.take(now: now, all: all) }
    }

    /// Counts events that there is no room for.
    func refuse(_ leaves: ArraySlice<EventBlock.Leaf>) {
        let instants = leaves.map(\.instant)
        let loss = LossEntry(
            reason: .quota,
            count: UInt64(leaves.count),
            noticed: clock.now().wall,
            first: instants.min(),
            last: instants.max()
        )
        state.withLock { $0.unentered.refuse(loss) }
        scheduleLedger()
    }

    /// Enters what callers take for stored and what no sync has confirmed, when a partition is given up.
    ///
    /// The events may well be in the file, which recovery reads; the entry says of which ones nobody is certain.
    func noteUnsynced(of writer: PartitionWriter) {
        guard writer.promisedCount > writer.durableCount else { return }
        let loss = LossEntry(
            reason: .writeFailed,
            count: writer.promisedCount - writer.durableCount,
            noticed: clock.now().wall,
            partition: writer.partition,
            sequences: (writer.durableCount + 1)...writer.promisedCount
        )
        state.withLock { $0.unentered.note([loss]) }
    }
}

// MARK: - Durability

extension PartitionedEventFiles {
    /// Arranges that what was written without a sync is synced in time.
    func scheduleSync() {
        guard let delay = state.withLock({ $0.syncs.didWrite() }) else { return }
        timer.schedule(afterNanoseconds: delay) { [weak self] in
            self?.syncing.async { self?.syncNow() }
        }
    }

    private func syncNow() {
        state.withLock { $0.syncs.timerDidFire() }
        do {
            try synchronize()
        } catch PartitionError.closed {
            // Closing has synced everything.
        } catch {
            report(error)
        }
    }

    /// Syncs what the timer would have synced, which does not find these files any more.
    func syncBeforeTheEnd() {
        guard case .interval = policy.durability,
            var writer = state.withLock({ state in
                defer { state.writer = nil }
                return state.writer
            }), writer.hasUnsynced
        else { return }
        do {
            try writer.flush()
        } catch {
            report(error)
        }
    }

    /// Waits until the syncs that were due have happened.
    func waitUntilSynced() {
        syncing.sync {}
    }
}

// MARK: - Retention

extension PartitionedEventFiles {
    /// Lets partitions go that the retention does not keep, when it is time to look.
    func tidyIfDue() {
        guard policy.retention != .everything else { return }
        let now = clock.now().monotonicNanoseconds
        let isDue = state.withLock { state in
            guard state.retention.isDue(now: now), !state.isClosed else { return false }
            state.retention.didLook(now: now)
            return true
        }
        guard isDue else { return }
        do {
            try submit(.tidy)
        } catch {
            report(error)
        }
    }

    /// The closed partitions that the retention does not keep.
    func outlivedPartitions() -> [HeldPartition] {
        let closed = closedPartitions()
        let candidates = closed.map { held in
            RetentionSchedule.Candidate(
                partition: held.id,
                byteCount: held.byteCount,
                count: held.count,
                last: held.seal?.last
            )
        }
        let now = clock.now().wall
        let victims = Set(state.withLock { $0.retention.victims(of: candidates, now: now) })
        return closed.filter { victims.contains($0.id) }
    }
}
