import AuditModel
import EventModel
import EventProofs

extension AuditTrail {
    /// Seals what was recorded since the last time, and what an earlier process or a failure left open.
    ///
    /// The seal is stored like that of a device, so that it is an entry of the log of sealed partitions from there on. Nothing is sealed
    /// when nothing was recorded. Records wait for it.
    ///
    /// - Throws: `conflict` when the store has another partition than was recorded, `unavailable` when it fails; all others were sealed
    ///   all the same, and the next call tries again.
    package func seal() async throws {
        try await turnstile.pass {
            var failure: (any Error)?
            do {
                for partition in try leftBehind() {
                    do {
                        try await sealLeft(partition)
                    } catch {
                        failure = failure ?? error
                    }
                }
            } catch {
                failure = error
            }
            for open in takeOpen() {
                do {
                    try await close(open)
                } catch {
                    // What is stored of it is found out the next time.
                    reopen(open)
                    failure = failure ?? error
                }
            }
            try writeFile()
            if let failure { throw failure }
        }
    }

    /// Seals a partition of this process, after a look at what the store has of it.
    private func close(_ open: OpenShelf) async throws {
        let shelf = open.after
        guard let kept = try await store.acknowledgedPartition(shelf.partition) else {
            // The only event of it was never stored.
            guard open.before.frontier.count == 0 else { throw Self.changed(shelf) }
            return
        }
        // By nobody else: the process that records is the one that seals.
        if let seal = kept.seal {
            guard seal.publicKey == trailKey.publicKey else { throw Self.changed(shelf) }
            return
        }
        // The last event may be stored or not, and nothing else may be different.
        let stored = [open.after, open.before]
            .first {
                $0.frontier.count == kept.count && $0.frontier.root == kept.root
            }
        guard let stored else { throw Self.changed(shelf) }
        try await close(stored)
    }

    private func close(_ shelf: TrailShelf) async throws {
        let seal = try shelf.seal(by: trailKey, behind: previousRoot)
        let stretch = PartitionStretch(
            partition: shelf.partition,
            firstSequence: shelf.frontier.count + 1,
            events: EncodedEvents([]),
            root: shelf.frontier.root,
            seal: seal
        )
        let upload = try EventUpload(stretch, owner: TrailEvent.owner, received: clock.now().wall, signedBy: key)
        _ = try await store.record(upload)
        index.didStore(shelf.partition)
        didSeal(shelf)
    }

    /// Seals a partition that an earlier process left, if it is what that process was answered for.
    private func sealLeft(_ partition: PartitionID) async throws {
        guard let kept = try await store.acknowledgedPartition(partition), kept.seal == nil else {
            return settle(partition)
        }
        var shelf = TrailShelf(partition)
        var last: StoredEvent?
        var cursor: EventCursor?
        repeat {
            let filter = EventFilter(partition: partition, includesRepeated: true)
            let page = try await store.events(filter, after: cursor, limit: 1000, maximumBytes: 8_388_608)
            for stored in page.events {
                guard stored.sequence == shelf.frontier.count + 1, let event = stored.event else {
                    throw Self.changed(shelf)
                }
                shelf = shelf.adding(event)
                last = stored
            }
            cursor = page.next
        } while cursor != nil
        // The database alone could be changed; the receipt of the last event needs the server's key.
        guard let last, kept.owner == TrailEvent.owner, isReceipted(shelf, last) else { throw Self.changed(shelf) }
        try await close(shelf)
        settle(partition)
    }

    /// Returns whether the server signed that it has the partition up to here.
    private func isReceipted(_ shelf: TrailShelf, _ last: StoredEvent) -> Bool {
        guard let receipt = last.mark.receipt, let received = last.received, receiptKeys.contains(receipt.publicKey)
        else {
            return false
        }
        let whole = StorageReceipt(
            app: TrailEvent.owner.app,
            user: TrailEvent.owner.user,
            partition: shelf.partition,
            durableThrough: shelf.frontier.count,
            root: shelf.frontier.root,
            isSealed: receipt.isSealed,
            issued: received,
            publicKey: receipt.publicKey,
            signature: receipt.signature
        )
        do throws(ProofError) {
            try whole.verifySignature()
            return true
        } catch {
            return false
        }
    }

    private static func changed(_ shelf: TrailShelf) -> AuditServerError {
        .conflict(
            partition: shelf.partition,
            sequence: shelf.frontier.count,
            reason: "the database has other events of the auditors' trail than were recorded; it is not sealed"
        )
    }
}
