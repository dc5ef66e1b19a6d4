import EventModel
import EventProofs
import Synchronization

extension AppendGroup {
    /// Finds out for how many events of a call there is room, by measuring and by what the app's policy allows to drop.
    ///
    /// - Returns: How many events, from the first on, can be stored; their room is taken.
    mutating func makeRoom(for batch: LeafBatch) throws -> Int {
        try files.measureRoom(for: batch.byteCount)
        while !files.takeRoom(batch.byteCount) {
            guard files.policy.quota.policy == .dropOldest, try dropOldest() else {
                return takeRoom(forPrefixOf: batch)
            }
            try files.measureRoom(for: batch.byteCount)
        }
        return batch.count
    }

    private func takeRoom(forPrefixOf batch: LeafBatch) -> Int {
        files.state.withLock { state in
            let count = batch.prefixCount(within: state.quota.granted)
            let bytes = batch.leaves[..<count].reduce(64) { $0 + UInt64($1.byteCount) + 8 }
            return count > 0 && state.quota.take(bytes) ? count : 0
        }
    }

    /// Counts the events that there is no room for, and says so.
    func refuse(_ batch: LeafBatch, from first: Int) -> [AppendReceipt.Rejection] {
        files.refuse(batch.leaves.dropFirst(first))
        let used = files.state.withLock { $0.quota.usedBytes }
        return batch.refusals(from: first, usedBytes: used, quota: files.policy.quota.bytes)
    }

    /// Drops the oldest closed partition, closing the one that is written to if there is no other.
    ///
    /// - Returns: Whether anything was dropped.
    private mutating func dropOldest() throws -> Bool {
        if files.oldestClosed() == nil {
            guard let count = writer?.frontier.count, count > 0 else { return false }
            try rollOver()
        }
        guard let oldest = files.oldestClosed() else { return false }
        return try drop(oldest, for: .quota)
    }

    /// Closes the partition that is written to if it is old, and drops the closed ones that are not to be kept.
    mutating func tidy() throws {
        let now = files.clock.now().wall
        if let first = writer?.first, files.state.withLock({ $0.retention.shouldClose(first: first, now: now) }) {
            try rollOver()
        }
        for held in files.outlivedPartitions() { _ = try drop(held, for: .retention) }
    }

    /// Deletes a partition after the ledger says durably what goes with it.
    ///
    /// - Returns: Whether it is gone; if not, the error was reported, and the next attempt does not enter it again.
    private mutating func drop(_ held: HeldPartition, for reason: LossEntry.Reason) throws -> Bool {
        guard let seal = held.seal else { return false }
        if !held.isWhollyProven, !files.isEntered(held.id) {
            let proven = held.acknowledgement.cursor.count
            let loss = LossEntry(
                reason: reason,
                count: seal.count - proven,
                noticed: files.clock.now().wall,
                first: proven == 0 ? seal.first : nil,
                last: seal.last,
                partition: held.id,
                sequences: proven < seal.count ? (proven + 1)...seal.count : nil,
                root: seal.root
            )
            try stageLosses(seal.losses.carriedOver() + (seal.count > 0 ? [loss] : []))
            try settle(isSynced: true)
        }
        do {
            try files.remove(held)
            return true
        } catch {
            files.report(error)
            return false
        }
    }

    /// Writes what waits to be entered in the ledger.
    mutating func enterLosses(all: Bool) throws {
        let losses = files.takeLosses(all: all)
        guard !losses.isEmpty else { return }
        entering += losses
        if writer == nil { writer = try files.makeWriter() }
        if let writer { files.willEnter(behind: writer.losses.count, of: writer.partition) }
        try stageLosses(losses)
    }

    /// Stages entries of the ledger; when a seal could not name them all, another partition goes on with them.
    mutating func stageLosses(_ losses: [LossEntry]) throws {
        for loss in losses {
            if let known = writer?.losses, known.count >= Self.fewLosses,
                PartitionSeal.capacity(for: known + [loss]) <= known.count
            {
                writer?.isLedgerContinued = true
                try rollOver()
            }
            if writer == nil { writer = try files.makeWriter() }
            try writer?.stage(loss)
        }
    }

    /// So many entries always fit into a seal, whatever they say.
    private static let fewLosses = 48
}
