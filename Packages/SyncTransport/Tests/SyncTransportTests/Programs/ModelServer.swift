import EventModel
import EventModelTesting

/// A server that keeps what it gets, answers badly as often as it is asked to, and is good for ever after.
struct ModelServer {
    private(set) var events: [[UInt8]] = []
    private(set) var isSealed = false
    /// Bad answers that are left.
    private var faults: Int
    private let mayLie: Bool
    /// Answers that are a good reason to set the partition aside.
    private(set) var reasonsToQuarantine = 0

    init(faults: Int, mayLie: Bool) {
        self.faults = faults
        self.mayLie = mayLie
    }

    private static let refusals: [TransportError] = [
        TransportError(.unreachable, message: ""),
        TransportError(.unauthorized, message: ""),
        TransportError(.unavailable, message: "", retryAfter: .seconds(7)),
        TransportError(.unavailable, message: ""),
        TransportError(.malformedAnswer, message: ""),
        TransportError(.forbidden, message: ""),
        TransportError(.invalidSchemaChange, message: ""),
    ]

    private var proof: DurabilityProof {
        DurabilityProof(
            partition: Sample.partition(),
            durableThrough: UInt64(events.count),
            root: SampleRoot.of(events),
            isSealed: isSealed
        )
        .receipted
    }

    /// Answers a request.
    mutating func answer(
        _ stretch: PartitionStretch,
        _ dice: inout SeededGenerator
    ) throws(TransportError) -> DurabilityProof {
        guard faults > 0, dice.once(in: 2) else { return try store(stretch) }
        faults -= 1
        switch dice.below(mayLie ? 6 : 5) {
        case 0:
            // Stored, and the answer is lost.
            _ = try store(stretch)
            throw Self.refusals[0]
        case 1:
            // Restored from a backup: it holds less than it did.
            events.removeLast(dice.below(events.count + 1))
            isSealed = false
            return proof
        case 2:
            if stretch.events.count <= 1 { reasonsToQuarantine += 1 }
            throw TransportError(.tooLarge, message: "")
        case 3, 4:
            throw Self.refusals[dice.below(Self.refusals.count)]
        default:
            // Another root than that of the events, and the claim to hold everything.
            reasonsToQuarantine += 1
            return DurabilityProof(
                partition: Sample.partition(),
                durableThrough: stretch.lastSequence,
                root: SampleRoot.of([[1, 2, 3, 4, 5, 6, 7, 8, 9, 10]]),
                isSealed: true
            )
            .receipted
        }
    }

    private mutating func store(_ stretch: PartitionStretch) throws(TransportError) -> DurabilityProof {
        guard stretch.firstSequence <= UInt64(events.count) + 1 else { return proof }
        var merged = events
        var agrees = true
        var index = Int(stretch.firstSequence) - 1
        stretch.events.withEachEvent { event in
            if index == merged.count {
                merged.append(Array(event))
            } else {
                agrees = agrees && merged[index].elementsEqual(event)
            }
            index += 1
        }
        guard agrees else { throw TransportError(.conflict, message: "") }
        events = merged
        if let seal = stretch.seal, seal.count == UInt64(events.count) { isSealed = true }
        return proof
    }
}
