import EventModel
import EventProofs

/// The rules of what may be erased; a store asks it in the transaction that erases.
package struct ErasureJudge: Sendable {
    /// What is to be done with an event.
    package enum Verdict: Sendable, Hashable {
        /// It may go.
        case erase
        /// It is gone already.
        case erased
        /// A hold keeps it.
        case held(name: String)
        /// It is not what was received: whoever erased it would erase the evidence.
        case damaged
        /// It is one of the server's own records, which stay.
        case ours
    }

    private let holds: [LegalHold]

    /// Takes over the holds; those that were lifted keep nothing.
    package init(_ holds: [LegalHold]) {
        self.holds = holds.filter { $0.lifted == nil }
    }

    /// Judges an event.
    package func verdict(on stored: StoredEvent) -> Verdict {
        if stored.erasure != nil { return .erased }
        guard let owner = stored.owner, !owner.app.utf8.starts(with: "daybook/".utf8) else { return .ours }
        guard let event = stored.event, MerkleHash.leaf(event.encoded) == stored.leaf else { return .damaged }
        return holds.first { $0.filter.fits(stored) }.map { .held(name: $0.name) } ?? .erase
    }

    /// Judges events.
    ///
    /// - Returns: Those that may go, and what becomes of all.
    package func step(_ events: [StoredEvent]) -> (doomed: [StoredEvent], step: ErasureStep) {
        var step = ErasureStep()
        var doomed: [StoredEvent] = []
        for stored in events {
            switch verdict(on: stored) {
            case .erase:
                doomed.append(stored)
                step.erased += 1
            case .held(let name): step.held[name, default: 0] += 1
            case .damaged: step.damaged += 1
            case .erased, .ours: continue
            }
        }
        return (doomed, step)
    }
}
