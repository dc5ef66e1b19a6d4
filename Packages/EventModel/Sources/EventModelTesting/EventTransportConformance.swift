public import EventModel

/// Checks that a transport, with the server behind it, keeps the promises of its seam.
///
/// The kit makes partitions of its own and sends them; it needs a root and a seal that the server accepts, which is why
/// both are closures. It returns the rules that were broken, as sentences.
///
/// ```swift
/// let broken = await EventTransportConformance(transport: FakeTransport()).brokenRules()
/// #expect(broken == [])
/// ```
public struct EventTransportConformance: Sendable {
    private let transport: any EventTransport
    private let prefix: String
    private let ids: any ObjectIdSource
    private let events: [[UInt8]]
    private let root: @Sendable ([[UInt8]]) -> Digest
    private let seal: @Sendable (PartitionID, UInt64, Digest) -> PartitionSeal

    /// Creates the kit.
    ///
    /// - Parameters:
    ///   - transport: The transport; its user must be allowed to write partitions of the prefix.
    ///   - prefix: The prefix of the partitions that are sent.
    ///   - ids: Gives the ids of the partitions; the server must not know them yet.
    ///   - events: Canonical encodings of at least six different events.
    ///   - root: Computes the root over events as the server does.
    ///   - seal: Makes the seal of a partition from its count and root.
    public init(
        transport: any EventTransport,
        prefix: String = "events",
        ids: any ObjectIdSource = SequentialIds(),
        events: [[UInt8]] = EventTransportConformance.sampleEvents(6),
        root: @escaping @Sendable ([[UInt8]]) -> Digest = { SampleRoot.of($0) },
        seal: @escaping @Sendable (PartitionID, UInt64, Digest) -> PartitionSeal =
            EventTransportConformance.sampleSeal
    ) {
        precondition(events.count >= 6, "The kit sends six events.")
        self.transport = transport
        self.prefix = prefix
        self.ids = ids
        self.events = events
        self.root = root
        self.seal = seal
    }

    /// Sends stretches and returns the sentences of the rules that were broken; none when the transport conforms.
    public func brokenRules() async -> [String] {
        var broken: [String] = []
        broken += await check("A stretch is proven with its last sequence and its root", provesStretch)
        broken += await check("Sending a stretch again changes nothing", repeatsHarmlessly)
        broken += await check("A stretch that overlaps what is stored adds only what is new", takesOverlap)
        broken += await check("A stretch behind a gap is not stored and the answer says where to resume", namesGap)
        broken += await check("Other events at stored sequences are a conflict", refusesOtherEvents)
        broken += await check("A partition is sealed when its seal arrived, not before", seals)
        broken += await check("Partitions do not disturb each other", separates)
        return broken
    }

    private func check(_ rule: String, _ body: () async throws(TransportError) -> Bool) async -> [String] {
        do {
            return try await body() ? [] : ["\(rule)."]
        } catch {
            return ["\(rule); it failed instead: \(error)"]
        }
    }

    // MARK: - Rules

    private func provesStretch() async throws(TransportError) -> Bool {
        let partition = newPartition()
        let first = try await transport.send(stretch(partition, 1...2))
        let second = try await transport.send(stretch(partition, 3...6))
        return first == proof(partition, through: 2) && second == proof(partition, through: 6)
    }

    private func repeatsHarmlessly() async throws(TransportError) -> Bool {
        let partition = newPartition()
        let first = try await transport.send(stretch(partition, 1...3))
        let second = try await transport.send(stretch(partition, 1...3))
        return first == second && first == proof(partition, through: 3)
    }

    private func takesOverlap() async throws(TransportError) -> Bool {
        let partition = newPartition()
        _ = try await transport.send(stretch(partition, 1...3))
        let overlapping = try await transport.send(stretch(partition, 2...5))
        return overlapping == proof(partition, through: 5)
    }

    private func namesGap() async throws(TransportError) -> Bool {
        let partition = newPartition()
        _ = try await transport.send(stretch(partition, 1...2))
        let behindGap = try await transport.send(stretch(partition, 4...5))
        return behindGap == proof(partition, through: 2)
    }

    private func refusesOtherEvents() async throws(TransportError) -> Bool {
        let partition = newPartition()
        _ = try await transport.send(stretch(partition, 1...2))
        let other = PartitionStretch(
            partition: partition,
            firstSequence: 1,
            events: encoded([events[4], events[5]]),
            root: root([events[4], events[5]])
        )
        do {
            _ = try await transport.send(other)
            return false
        } catch {
            return error.code == .conflict
        }
    }

    private func seals() async throws(TransportError) -> Bool {
        let partition = newPartition()
        let open = try await transport.send(stretch(partition, 1...2))
        let root = root(Array(events[..<2]))
        let sealed = try await transport.send(
            PartitionStretch(
                partition: partition,
                firstSequence: 3,
                events: EncodedEvents(),
                root: root,
                seal: seal(partition, 2, root)
            )
        )
        return !open.isSealed && sealed == proof(partition, through: 2, isSealed: true)
    }

    private func separates() async throws(TransportError) -> Bool {
        let one = newPartition()
        let other = newPartition()
        _ = try await transport.send(stretch(one, 1...3))
        return try await transport.send(stretch(other, 1...1)) == proof(other, through: 1)
    }

    // MARK: - Samples

    /// Returns encodings of custom events that differ from each other.
    public static func sampleEvents(_ count: Int) -> [[UInt8]] {
        let clock = ManualClock(step: 1000)
        let ids = SequentialIds()
        return (0..<count)
            .map { number in
                AuditEvent(id: ids.next(), clock: clock.now(), activity: "activity \(number)", event: "custom").encoded
            }
    }

    /// Returns a seal with an empty signature, which only a server that does not check signatures takes.
    public static let sampleSeal: @Sendable (PartitionID, UInt64, Digest) -> PartitionSeal = {
        PartitionSeal(
            partition: $0,
            count: $1,
            root: $2,
            first: nil,
            last: nil,
            previousRoot: nil,
            losses: [],
            publicKey: [],
            signature: []
        )
    }

    private func newPartition() -> PartitionID {
        PartitionID(prefix: prefix, id: ids.next())
    }

    private func encoded(_ events: [[UInt8]]) -> EncodedEvents {
        var batch = EncodedEvents()
        for event in events { batch.append(encoded: event) }
        return batch
    }

    private func stretch(_ partition: PartitionID, _ sequences: ClosedRange<Int>) -> PartitionStretch {
        PartitionStretch(
            partition: partition,
            firstSequence: UInt64(sequences.lowerBound),
            events: encoded(Array(events[(sequences.lowerBound - 1)..<sequences.upperBound])),
            root: root(Array(events[..<sequences.upperBound]))
        )
    }

    private func proof(_ partition: PartitionID, through last: Int, isSealed: Bool = false) -> DurabilityProof {
        DurabilityProof(
            partition: partition,
            durableThrough: UInt64(last),
            root: root(Array(events[..<last])),
            isSealed: isSealed
        )
    }
}
