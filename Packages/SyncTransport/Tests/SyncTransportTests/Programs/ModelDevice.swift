import EventModel
import EventModelTesting

/// A device with one partition that trusts the upload: it deletes whatever it is asked to.
struct ModelDevice {
    private(set) var events: [[UInt8]] = []
    private(set) var isSealed = false
    private(set) var acknowledged: UInt64 = 0
    private var sealIsAcknowledged = false
    var isQuarantined = false
    var isDeleted = false

    /// Records an event of one to eight bytes, or closes the partition.
    mutating func grow(_ dice: inout SeededGenerator) {
        if dice.once(in: 12) || events.count == 60 {
            isSealed = true
        } else {
            events.append((0...dice.below(8)).map { _ in UInt8(dice.below(256)) })
        }
    }

    /// Whether the server has proven to hold all that there is to hold.
    var isDone: Bool { isDeleted || !isSealed && acknowledged == UInt64(events.count) }

    var summary: PartitionSummary? {
        if isDeleted { return nil }
        return PartitionSummary(
            partition: Sample.partition(),
            count: UInt64(events.count),
            isSealed: isSealed,
            acknowledgedThrough: acknowledged,
            byteCount: UInt64(events.joined().count),
            quarantineReason: isQuarantined ? "set aside" : nil,
            isSealAcknowledged: sealIsAcknowledged
        )
    }

    func read(from sequence: UInt64, maximumBytes: Int) -> PartitionStretch {
        var stretch = EncodedEvents()
        for event in events.dropFirst(Int(sequence) - 1) {
            guard stretch.isEmpty || stretch.bytes.count + event.count <= maximumBytes else { break }
            stretch.append(encoded: event)
        }
        let last = sequence + UInt64(stretch.count) - 1
        let root = SampleRoot.of(events.prefix(Int(last)))
        let isWhole = isSealed && last == events.count
        return PartitionStretch(
            partition: Sample.partition(),
            firstSequence: sequence,
            events: stretch,
            root: root,
            seal: isWhole ? EventTransportConformance.sampleSeal(Sample.partition(), last, root) : nil
        )
    }

    /// Notes a proof with our own root.
    ///
    /// - Returns: Whether the root is our own.
    mutating func acknowledge(_ proof: DurabilityProof) -> Bool {
        guard proof.durableThrough <= events.count,
            proof.root == SampleRoot.of(events.prefix(Int(proof.durableThrough)))
        else { return false }
        acknowledged = proof.durableThrough
        sealIsAcknowledged = proof.isSealed && isSealed
        return true
    }
}
