public import EventModel
import EventPartitions
import EventProofs
import Synchronization

extension InMemoryPartitions {
    /// Enters losses in the ledger of the partition that is written to.
    public func note(_ losses: [LossEntry]) {
        state.withLock { state in
            for loss in losses where !state.isClosed { try? enter(loss, &state) }
            if durability == .eachCommit { state.synchronize() }
        }
    }

    /// Does nothing: whatever is lost is in the ledger already.
    public func enterLosses() {}

    /// Reads the loss ledger of all partitions.
    ///
    /// - Throws: `PartitionError.closed` after ``close()``.
    public func losses() throws -> [LossEntry] {
        try state.withLock { state in
            try checkOpen(state)
            return state.partitions.flatMap(\.losses)
        }
    }

    /// Makes durable what was appended without being so.
    ///
    /// - Throws: `PartitionError.closed` after ``close()``.
    public func synchronize() throws {
        try state.withLock { state in
            try checkOpen(state)
            state.synchronize()
        }
    }

    /// Plays a power cut: what is not durable is gone, and what remains is closed, as recovery would do it.
    ///
    /// - Throws: What the system's cryptography throws when it cannot sign.
    public func powerCut() throws {
        try state.withLock { state in
            for index in state.partitions.indices where state.partitions[index].seal == nil {
                let synced = state.partitions[index].synced
                let events = state.partitions[index].events.prefix(synced.events)
                state.partitions[index].events = Array(events)
                state.partitions[index].tree = MerkleTree(leaves: events.map { MerkleHash.leaf($0) })
                state.partitions[index].losses = Array(state.partitions[index].losses.prefix(synced.losses))
            }
            state.partitions.removeAll { $0.seal == nil && $0.events.isEmpty && $0.losses.isEmpty }
            if let current = state.current { try seal(current, &state) }
        }
    }
}

// MARK: - Room

extension InMemoryPartitions {
    func enter(_ loss: LossEntry, _ state: inout State) throws {
        let current = try place(for: 0, &state)
        state.partitions[current].losses.append(loss)
    }

    /// Finds out whether there is room, and drops the oldest closed partitions if the quota's policy says so.
    func makeRoom(for byteCount: Int, _ state: inout State) throws -> Bool {
        while state.byteCount + UInt64(byteCount) > quota.bytes {
            guard quota.policy == .dropOldest else { return false }
            if !state.partitions.contains(where: { $0.seal != nil && !$0.events.isEmpty }), let current = state.current
            {
                try seal(current, &state)
            }
            let closed = state.partitions.filter { $0.seal != nil && $0.quarantineReason == nil && !$0.events.isEmpty }
            guard let oldest = closed.first(where: \.isWhollyProven) ?? closed.first else { return false }
            state.remove(oldest.id)
            if !oldest.isWhollyProven { try enterDrop(of: oldest, &state) }
        }
        return true
    }

    private func enterDrop(of oldest: Partition, _ state: inout State) throws {
        for loss in oldest.losses { try enter(loss, &state) }
        let proven = oldest.acknowledgedThrough
        try enter(
            LossEntry(
                reason: .quota,
                count: oldest.tree.count - proven,
                noticed: clock.now().wall,
                first: proven == 0 ? oldest.first : nil,
                last: oldest.last,
                partition: oldest.id,
                sequences: proven < oldest.tree.count ? (proven + 1)...oldest.tree.count : nil,
                root: oldest.tree.root
            ),
            &state
        )
    }
}
