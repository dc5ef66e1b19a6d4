public import EventModel
public import EventProofs

extension PartitionFiles {
    /// Proves that an event lies in a file where it lies, for whoever has only the root or the device's key.
    ///
    /// The whole file is read once, and every hash is computed anew from the events.
    ///
    /// - Parameters:
    ///   - sequence: The event; the first has 1.
    ///   - path: The absolute path of the partition's file.
    ///   - encryptionKey: What encrypted events are read with; nil when they are not. The proof shows the event to everybody.
    ///   - fileSystem: Where the file lives.
    /// - Returns: The proof over all events of the file, with the seal if there is one.
    /// - Throws: ``PartitionError/sequenceOutOfRange(_:sequence:count:)`` when there is no such event, and what reading the
    ///   file throws; a damaged file proves nothing.
    /// - Complexity: O(*n*) time, where *n* is the size of the file; the memory of its largest frame.
    public static func proof(
        of sequence: UInt64,
        in path: String,
        encryptionKey: EventEncryptionKey? = nil,
        fileSystem: any FileSystem = POSIXFileSystem()
    ) throws(PartitionError) -> EventProof {
        let report = try intact(path, encryptionKey, in: fileSystem)
        guard sequence >= 1, sequence <= report.eventCount else {
            throw .sequenceOutOfRange(report.partition, sequence: sequence, count: report.eventCount)
        }
        var builder = InclusionProofBuilder(index: sequence - 1, count: report.eventCount)
        var event: [UInt8] = []
        try forEachEvent(of: report, encryptionKey, in: fileSystem) { stored in
            builder.append(stored.leaf)
            if stored.sequence == sequence { event = stored.event.encoded }
        }
        guard let inclusion = builder.proof else {
            throw .damaged(path: path, bytes: 0..<0, reason: "it became shorter while it was read")
        }
        return EventProof(
            partition: report.partition,
            sequence: sequence,
            event: event,
            inclusion: inclusion,
            root: report.root,
            seal: report.seal
        )
    }

    /// Proves that the first events of a file are the beginning of more of them.
    ///
    /// - Parameters:
    ///   - first: How many events the earlier root is over.
    ///   - second: How many events the later root is over; nil takes all.
    ///   - path: The absolute path of the partition's file.
    ///   - encryptionKey: What encrypted events are read with; nil when they are not.
    ///   - fileSystem: Where the file lives.
    /// - Returns: The proof with both roots.
    /// - Throws: ``PartitionError/sequenceOutOfRange(_:sequence:count:)`` when there are not so many events, or `first` is more
    ///   than `second`, and what reading the file throws.
    /// - Complexity: O(*n*) time, where *n* is the size of the file; the memory of its largest frame.
    public static func growthProof(
        from first: UInt64,
        to second: UInt64? = nil,
        in path: String,
        encryptionKey: EventEncryptionKey? = nil,
        fileSystem: any FileSystem = POSIXFileSystem()
    ) throws(PartitionError) -> GrowthProof {
        let report = try intact(path, encryptionKey, in: fileSystem)
        let second = second ?? report.eventCount
        guard second <= report.eventCount else {
            throw .sequenceOutOfRange(report.partition, sequence: second, count: report.eventCount)
        }
        guard first <= second else {
            throw .sequenceOutOfRange(report.partition, sequence: first, count: second)
        }
        var builder = ConsistencyProofBuilder(from: first, to: second)
        var frontier = MerkleFrontier()
        var roots = (first: frontier.root, second: frontier.root)
        try forEachEvent(of: report, encryptionKey, in: fileSystem) { stored in
            guard stored.sequence <= second else { return }
            builder.append(stored.leaf)
            frontier.append(stored.leaf)
            if stored.sequence == first { roots.first = frontier.root }
            if stored.sequence == second { roots.second = frontier.root }
        }
        guard let consistency = builder.proof else {
            throw .damaged(path: path, bytes: 0..<0, reason: "it became shorter while it was read")
        }
        return GrowthProof(
            partition: report.partition,
            firstRoot: roots.first,
            secondRoot: roots.second,
            consistency: consistency
        )
    }

    /// Verifies a file and throws the first thing that is wrong with it.
    private static func intact(
        _ path: String,
        _ encryptionKey: EventEncryptionKey?,
        in fileSystem: any FileSystem
    ) throws(PartitionError) -> PartitionVerification {
        let report = try verify(path, encryptionKey: encryptionKey, in: fileSystem)
        if let problem = report.problems.first { throw problem }
        return report
    }

    /// Reads the events that a report counted, and none that were appended since.
    private static func forEachEvent(
        of report: PartitionVerification,
        _ encryptionKey: EventEncryptionKey?,
        in fileSystem: any FileSystem,
        _ body: (FiledEvent) -> Void
    ) throws(PartitionError) {
        var reader = try PartitionFileReader(report.path, encryptionKey: encryptionKey, in: fileSystem)
        while let stored = try reader.next(), stored.sequence <= report.eventCount { body(stored) }
    }
}
