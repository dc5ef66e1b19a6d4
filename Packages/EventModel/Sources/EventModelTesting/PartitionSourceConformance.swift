public import EventModel

/// The rules that every partition source keeps, to be run against live sources and fakes alike.
///
/// ```swift
/// let kit = PartitionSourceConformance(make: { try source(holding: $0) }, seal: { try $0.seal() })
/// #expect(kit.brokenRules() == [])
/// ```
public struct PartitionSourceConformance<Source: PartitionSource> {
    private typealias Rule = (sentence: String, check: (Source) throws -> String?)

    private static var eventCount: Int { 6 }

    private let make: ([AuditEvent]) throws -> Source
    private let seal: (Source) throws -> Void
    private let root: ([[UInt8]]) -> Digest
    private let events: [AuditEvent]

    /// Creates the kit.
    ///
    /// - Parameters:
    ///   - make: Makes a new source for each rule, with one open partition that holds exactly these events.
    ///   - seal: Closes that partition.
    ///   - root: Computes the root that the source must give for the encodings of the first events of the partition.
    public init(
        make: @escaping ([AuditEvent]) throws -> Source,
        seal: @escaping (Source) throws -> Void,
        root: @escaping ([[UInt8]]) -> Digest = { SampleRoot.of($0) }
    ) {
        self.make = make
        self.seal = seal
        self.root = root
        events = (1...UInt32(Self.eventCount))
            .map { number in
                AuditEvent(
                    id: ObjectId(high: 0, low: number),
                    clock: ClockReading(
                        wall: EventInstant(microseconds: Int64(number)),
                        monotonicNanoseconds: UInt64(number),
                        boot: Boot(high: 1, low: 2)
                    ),
                    activity: "event \(number)",
                    data: [UInt8](repeating: 0x61, count: Int(number) * 20)
                )
            }
    }

    /// Runs every rule on a source of its own and returns those that are broken, as sentences.
    public func brokenRules() -> [String] {
        let rules: [Rule] = [
            ("A partition is listed with its count, open, with nothing acknowledged.", listing),
            ("Reading piece by piece gives every event once, in order, with the root up to there.", reading),
            ("A stretch stays within its bytes, except that it has at least one event.", bounds),
            ("One past the end is empty, and beyond that an error.", theEnd),
            ("The seal comes with the end of a sealed partition, and only there.", theSeal),
            ("A proof with another root is refused and notes nothing.", wrongRoot),
            ("A proof may come twice, and a lower one is accepted.", lowerProof),
            ("Nothing is deleted before all of it is proven with its seal.", earlyDeletion),
            ("A wholly proven partition is deleted and then unknown.", deletion),
            ("A quarantined partition is listed with its reason and never deleted.", quarantine),
        ]
        return rules.compactMap { rule in
            do {
                return try rule.check(make(events)).map { "\(rule.sentence) \($0)" }
            } catch {
                return "\(rule.sentence) It threw: \(error)"
            }
        }
    }

    // MARK: - Reading

    private func listing(_ source: Source) throws -> String? {
        let summary = try only(source)
        let isRight =
            summary.count == UInt64(events.count) && !summary.isSealed && summary.acknowledgedThrough == 0
            && summary.quarantineReason == nil && !summary.isSealAcknowledged
        return isRight ? nil : "It was \(summary)."
    }

    private func reading(_ source: Source) throws -> String? {
        let partition = try only(source).partition
        for maximumBytes in [1, 150, 10_000] {
            var read: [AuditEvent] = []
            while read.count < events.count {
                let first = UInt64(read.count + 1)
                let stretch = try source.read(partition, from: first, maximumBytes: maximumBytes)
                guard stretch.partition == partition, stretch.firstSequence == first, !stretch.events.isEmpty else {
                    return "The stretch from \(first) was \(stretch.firstSequence) to \(stretch.lastSequence)."
                }
                read += try stretch.events.decoded()
                guard stretch.root == root(events.prefix(read.count).map(\.encoded)) else {
                    return "The root at \(read.count) was another one."
                }
            }
            guard read == events else { return "With \(maximumBytes) bytes the events differ." }
        }
        return nil
    }

    private func bounds(_ source: Source) throws -> String? {
        let partition = try only(source).partition
        let two = events[2].encoded.count + events[3].encoded.count
        let stretch = try source.read(partition, from: 3, maximumBytes: two)
        guard stretch.events.count == 2 else { return "\(stretch.events.count) events came where two fit exactly." }
        let one = try source.read(partition, from: 3, maximumBytes: two - 1)
        guard one.events.count == 1 else { return "\(one.events.count) events came where one fits." }
        let large = try source.read(partition, from: 3, maximumBytes: 0)
        return large.events.count == 1 ? nil : "\(large.events.count) events came where none fits."
    }

    private func theEnd(_ source: Source) throws -> String? {
        let partition = try only(source).partition
        let end = try source.read(partition, from: UInt64(events.count) + 1, maximumBytes: 1000)
        guard end.events.isEmpty, end.root == root(events.map(\.encoded)) else { return "The end was \(end)." }
        guard throwsError({ _ = try source.read(partition, from: UInt64(events.count) + 2, maximumBytes: 1000) }) else {
            return "A sequence that is not there yet could be read."
        }
        return throwsError({ _ = try source.read(partition, from: 0, maximumBytes: 1000) })
            ? nil : "Sequence 0 could be read."
    }

    private func theSeal(_ source: Source) throws -> String? {
        let partition = try only(source).partition
        let count = UInt64(events.count)
        guard try source.read(partition, from: 1, maximumBytes: .max).seal == nil else {
            return "An open partition had one."
        }
        try seal(source)
        guard try only(source).isSealed else { return "The partition is not listed as sealed." }
        guard try source.read(partition, from: 1, maximumBytes: 1).seal == nil else { return "It came early." }
        let withEvents = try source.read(partition, from: 1, maximumBytes: .max).seal
        let alone = try source.read(partition, from: count + 1, maximumBytes: 1).seal
        guard let seal = withEvents, seal == alone else { return "It did not come." }
        guard seal.partition == partition, seal.count == count, seal.root == root(events.map(\.encoded)) else {
            return "It speaks of \(seal.count) events of \(seal.partition)."
        }
        return nil
    }

    // MARK: - Proofs

    private func wrongRoot(_ source: Source) throws -> String? {
        let before = try only(source)
        let other = root(events.prefix(2).map(\.encoded))
        guard
            throwsError({
                try source.acknowledge(
                    DurabilityProof(partition: before.partition, durableThrough: 3, root: other, isSealed: false)
                )
            })
        else { return "It was accepted." }
        guard
            throwsError({
                try source.acknowledge(
                    DurabilityProof(partition: before.partition, durableThrough: 7, root: other, isSealed: false)
                )
            })
        else { return "A proof of more events than there are was accepted." }
        let after = try only(source)
        return after == before ? nil : "The summary became \(after)."
    }

    private func lowerProof(_ source: Source) throws -> String? {
        let partition = try only(source).partition
        for position in [4, 4, 2, 0, 5] {
            try source.acknowledge(proof(partition, through: position, isSealed: false))
            let noted = try only(source).acknowledgedThrough
            guard noted == UInt64(position) else { return "After \(position), \(noted) was noted." }
        }
        return nil
    }

    private func earlyDeletion(_ source: Source) throws -> String? {
        let partition = try only(source).partition
        func isRefused() -> Bool { throwsError { try source.delete(partition) } }
        guard isRefused() else { return "An open partition was deleted." }
        try source.acknowledge(proof(partition, through: events.count, isSealed: true))
        guard isRefused() else { return "An open partition whose events are all proven was deleted." }
        try seal(source)
        guard isRefused() else { return "A seal that the server cannot hold yet was taken as proven." }
        try source.acknowledge(proof(partition, through: events.count - 1, isSealed: true))
        guard isRefused() else { return "A partition was deleted one event too early." }
        try source.acknowledge(proof(partition, through: events.count, isSealed: false))
        guard isRefused() else { return "A partition was deleted before its seal was proven." }
        return try only(source).count == UInt64(events.count) ? nil : "Events are missing."
    }

    private func deletion(_ source: Source) throws -> String? {
        let partition = try only(source).partition
        try seal(source)
        try source.acknowledge(proof(partition, through: events.count, isSealed: true))
        guard try only(source).isSealAcknowledged else { return "The proof of the seal was not noted." }
        try source.delete(partition)
        guard try source.partitions().isEmpty else { return "It is still listed." }
        return throwsError({ _ = try source.read(partition, from: 1, maximumBytes: 1) }) ? nil : "It can still be read."
    }

    private func quarantine(_ source: Source) throws -> String? {
        let partition = try only(source).partition
        try seal(source)
        try source.acknowledge(proof(partition, through: events.count, isSealed: true))
        try source.quarantine(partition, reason: "A reason.")
        guard try only(source).quarantineReason == "A reason." else { return "The reason is not listed." }
        guard throwsError({ try source.delete(partition) }) else { return "It was deleted." }
        return try only(source).count == UInt64(events.count) ? nil : "Its count changed."
    }

    // MARK: - Parts of rules

    private func only(_ source: Source) throws -> PartitionSummary {
        let summaries = try source.partitions()
        guard summaries.count == 1, let summary = summaries.first else {
            throw ConformanceFailure(description: "There are \(summaries.count) partitions instead of one.")
        }
        return summary
    }

    private func proof(_ partition: PartitionID, through position: Int, isSealed: Bool) -> DurabilityProof {
        DurabilityProof(
            partition: partition,
            durableThrough: UInt64(position),
            root: root(events.prefix(position).map(\.encoded)),
            isSealed: isSealed
        )
    }

    private func throwsError(_ body: () throws -> Void) -> Bool {
        do {
            try body()
            return false
        } catch {
            return true
        }
    }
}

/// Ends a rule whose partition is not there.
private struct ConformanceFailure: Error, CustomStringConvertible {
    let description: String
}
