public import EventModel
import EventProofs
import Synchronization

extension PartitionedEventFiles: PartitionSource {
    /// Lists the partitions that this process holds and those that are kept aside; claims what dead processes left.
    ///
    /// Files of other living processes are theirs and not listed. A file that cannot be recovered is listed with the
    /// reason and tried again at the next call.
    public func partitions() throws -> [PartitionSummary] {
        try checkOpen()
        // The upload must not be given events that a power cut may still take away.
        if policy.durability != .eachCommit { try synchronize() }
        closeIfDue()
        try claimLeftovers()
        var (held, unrecovered, current) = state.withLock { ($0.held, $0.unrecovered, $0.current) }
        // One that is kept aside since the state was read is in both; the folder, which is read later, is right.
        var aside = try quarantined()
        if try releaseRefused(among: aside) {
            try claimLeftovers()
            (held, unrecovered, current) = state.withLock { ($0.held, $0.unrecovered, $0.current) }
            aside = try quarantined()
        }
        var summaries = held.values.filter { $0.id != current }.map(\.summary)
        summaries += unrecovered.map { partition, reason in
            PartitionSummary(
                partition: partition,
                count: 0,
                isSealed: false,
                acknowledgedThrough: 0,
                byteCount: 0,
                quarantineReason: "It could not be recovered yet. \(reason)"
            )
        }
        let names = Set(aside.map(\.partition))
        summaries.removeAll { names.contains($0.partition) }
        summaries = (summaries + aside.map(\.summary)).sorted { $0.partition < $1.partition }
        if let current, let last = held[current], !names.contains(current) { summaries.append(last.summary) }
        return summaries
    }

    /// Reads events from a sequence on.
    ///
    /// A file that turns out to be damaged is kept aside at once: its events that can still be read and that no server
    /// has proven to hold are appended again, and the missing ones are entered in the loss ledger.
    ///
    /// - Complexity: O(*n*) in the bytes read, when reads follow each other; else in the bytes before them as well.
    public func read(
        _ partition: PartitionID,
        from sequence: UInt64,
        maximumBytes: Int
    ) throws -> PartitionStretch {
        let held = try held(partition)
        guard sequence >= 1, sequence - 1 <= held.count else {
            throw PartitionError.sequenceOutOfRange(partition, sequence: sequence, count: held.count)
        }
        var cursor = held.cursor(before: sequence)
        var events = EncodedEvents()
        try settingAsideDamage(held, from: &cursor) { cursor throws(PartitionError) in
            events = EncodedEvents()
            try cursor.advance(through: held.count, of: held) { event, number in
                guard number >= sequence else { return true }
                guard events.isEmpty || events.bytes.count + event.count <= maximumBytes else { return false }
                events.append(encoded: event)
                return true
            }
            try held.check(cursor)
        }
        let place = cursor
        state.withLock { $0.held[partition]?.cursor = place }
        return PartitionStretch(
            partition: partition,
            firstSequence: sequence,
            events: events,
            root: cursor.frontier.root,
            seal: cursor.count == held.count ? held.seal : nil
        )
    }

    /// Notes how far the server holds a partition.
    ///
    /// - Throws: ``PartitionError/rootMismatch(_:sequence:own:proven:)`` when the server holds other events, and
    ///   ``PartitionError/proofBeyondEnd(_:durableThrough:count:)`` when it claims more than there are.
    public func acknowledge(_ proof: DurabilityProof) throws {
        let held = try held(proof.partition)
        guard proof.durableThrough <= held.count else {
            throw PartitionError.proofBeyondEnd(
                proof.partition,
                durableThrough: proof.durableThrough,
                count: held.count
            )
        }
        var cursor = held.cursor(before: proof.durableThrough + 1)
        try settingAsideDamage(held, from: &cursor) { cursor throws(PartitionError) in
            try cursor.advance(through: proof.durableThrough, of: held)
        }
        let own = cursor.frontier.root
        guard own == proof.root else {
            throw PartitionError.rootMismatch(
                proof.partition,
                sequence: proof.durableThrough,
                own: own,
                proven: proof.root
            )
        }
        var acknowledgement = Acknowledgement()
        acknowledgement.cursor = cursor
        acknowledgement.includesSeal = proof.isSealed && held.seal != nil && cursor.count == held.count
        let noted = acknowledgement
        state.withLock { $0.held[proof.partition]?.acknowledgement = noted }
        store(noted, of: proof.partition)
    }

    /// Notes beside the file how far the server holds it.
    ///
    /// It only saves sending events again, so a full disk must not keep the upload from emptying it.
    private func store(_ acknowledgement: Acknowledgement, of partition: PartitionID) {
        let path = path(partition.id, PartitionNames.acknowledged)
        do {
            try acknowledgement.store(path, of: partition.id, key: key, in: fileSystem)
        } catch {
            notify(.acknowledgementNotStored(path: path, reason: "\(error)"))
        }
    }

    /// Deletes a partition that is sealed, and that the server has proven to hold together with its seal.
    ///
    /// - Throws: ``PartitionError/notDeletable(_:reason:)`` for every other one.
    public func delete(_ partition: PartitionID) throws {
        let held = try held(partition)
        func refusal(_ reason: String) -> PartitionError { .notDeletable(partition, reason: reason) }
        guard let seal = held.seal else { throw refusal("it is not sealed") }
        guard held.acknowledgement.cursor.count == seal.count else {
            throw refusal("the server has proven \(held.acknowledgement.cursor.count) of \(seal.count) events")
        }
        guard held.acknowledgement.cursor.frontier.root == seal.root else {
            throw refusal("the proven events are not the sealed ones")
        }
        guard held.acknowledgement.includesSeal else { throw refusal("the server has not proven to hold the seal") }
        try remove(held)
    }

    /// Keeps a partition aside: its file gets the ending `.quarantined`, with the reason in a JSON file beside it.
    ///
    /// It is offered again a day later, at the first look of another program than the one that was refused, and when somebody asks for
    /// it with ``PartitionFiles/release(_:in:)``.
    public func quarantine(_ partition: PartitionID, reason: String) throws {
        _ = try held(partition)
        if state.withLock({ $0.current }) == partition { try seal() }
        try setAside(try held(partition), .refused, reason: reason)
    }
}
