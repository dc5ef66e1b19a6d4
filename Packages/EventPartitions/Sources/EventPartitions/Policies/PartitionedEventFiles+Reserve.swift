import Dispatch
import EventModel
import EventProofs
import Synchronization

extension PartitionedEventFiles {
    /// Enters all losses that wait, those that are only counted included.
    ///
    /// What cannot be written into a partition is written into the room that was reserved for it.
    public func enterLosses() { enterNotedLosses(all: true) }

    /// Enters the losses that wait, and says whether they are on the disk.
    ///
    /// - Parameter all: Whether those count that are only due in a moment.
    /// - Returns: Whether they are in a partition, or in the reserved room.
    @discardableResult
    func enterNotedLosses(all: Bool = false) -> Bool {
        guard state.withLock({ !$0.unentered.isEmpty && !$0.isClosed }) else { return true }
        do {
            try submit(.enterLosses(all: all))
            return true
        } catch {
            return saveLosses(all: all)
        }
    }

    /// Writes what waits into the reserved room, when it has become enough more, or must be written.
    private func saveLosses(all: Bool) -> Bool {
        let now = clock.now().monotonicNanoseconds
        let (reserve, entries, isDue) = state.withLock { state in
            (state.reserve, state.unentered.entries, state.unentered.isSaveDue(now: now) || all)
        }
        guard let reserve, isDue else { return false }
        do {
            try reserve.store(LedgerReserve.Content(losses: entries))
            state.withLock { $0.unentered.didSave(now: now) }
            return true
        } catch {
            // They wait in memory, where ``losses()`` shows them, until something can be written again.
            return false
        }
    }

    /// Notes where losses that are in the reserved room are about to be entered, so that a crash does not enter them twice.
    func willEnter(behind count: Int, of partition: PartitionID) {
        guard let reserve = state.withLock({ $0.reserve }), !reserve.content.losses.isEmpty else { return }
        var content = reserve.content
        content.place = LedgerReserve.Place(partition: partition.id, count: count)
        // Without the note, a crash in the next moment would enter them twice, which says too much and not too little.
        try? reserve.store(content)
    }

    /// Empties the reserved room when what it held is in a partition.
    func didEnterLosses() {
        guard let reserve = state.withLock({ $0.reserve }), !reserve.content.losses.isEmpty else { return }
        let rest = state.withLock { $0.unentered.entries }
        try? reserve.store(LedgerReserve.Content(losses: rest))
    }

    /// Arranges that refused events, which are only counted, are entered after a while although nobody calls.
    func scheduleLedger() {
        let isNew = state.withLock { state in
            defer { state.isLedgerScheduled = true }
            return !state.isLedgerScheduled
        }
        guard isNew else { return }
        timer.schedule(afterNanoseconds: UnenteredLosses.patience) { [weak self] in
            self?.syncing
                .async {
                    self?.state.withLock { $0.isLedgerScheduled = false }
                    self?.enterLosses()
                }
        }
    }

    // MARK: - Files

    /// Takes over the rooms that dead instances left, with what is in them; called with the folder locked, by the owner of its files.
    func takeOverReserves(among names: [String]) {
        for id in names.compactMap({ PartitionNames.id(in: $0, ending: PartitionNames.ledger) }) {
            do {
                let path = path(id, PartitionNames.ledger)
                guard try fileSystem.status(path)?.kind == .file,
                    let found = try LedgerReserve.takeOver(id, at: path, key: key, in: fileSystem)
                else { continue }
                try merge(found)
            } catch {
                // It is tried again when the partitions are listed.
                continue
            }
        }
    }

    private func merge(_ found: LedgerReserve) throws {
        let losses = try isEntered(found.content) ? [] : found.content.losses
        let reserve = state.withLock { state in
            state.unentered.note(losses)
            if state.reserve == nil {
                state.reserve = found
                return nil as LedgerReserve?
            }
            return state.reserve
        }
        guard let reserve else {
            return try found.store(LedgerReserve.Content(losses: losses))
        }
        if !losses.isEmpty { try reserve.store(LedgerReserve.Content(losses: state.withLock { $0.unentered.entries })) }
        try found.remove()
    }

    /// Whether losses are in the partition that they were about to be entered in when their process ended.
    private func isEntered(_ content: LedgerReserve.Content) throws -> Bool {
        guard let place = content.place else { return false }
        for ending in [PartitionNames.events, PartitionNames.quarantined] {
            let path = path(place.partition, ending)
            guard try fileSystem.status(path)?.kind == .file else { continue }
            let file = try fileSystem.open(path, .read)
            defer { file.close() }
            var walk = try PartitionWalk(
                file,
                partition: place.partition,
                path: path,
                key: encryptionKey,
                to: try file.size()
            )
            var count = 0
            while let item = try walk.next() {
                if case .loss = item { count += 1 }
            }
            return count > place.count
        }
        // What the index knows was on the disk once, and somebody has taken care of it since.
        return try index.partition(place.partition) != nil
    }

    /// Makes room for the ledger of this instance, while there is some.
    func makeReserve() {
        guard state.withLock({ $0.reserve == nil && !$0.isClosed }) else { return }
        do {
            let reserve = try withFolderLocked {
                let id = ObjectId.random()
                let path = path(id, PartitionNames.ledger)
                let reserve = try LedgerReserve.make(id, at: path, key: key, in: fileSystem)
                try fileSystem.syncDirectory(folder.path)
                return reserve
            }
            state.withLock { $0.reserve = reserve }
        } catch {
            // A disk that is full already has no room for what is lost; it is tried again when the partitions are listed.
        }
    }
}
