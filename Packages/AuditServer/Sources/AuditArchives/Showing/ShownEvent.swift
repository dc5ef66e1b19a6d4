package import AuditModel
import EventModel
package import EventProofs

/// One event with what it is about and how far it is proven: the object of `daybook show --json`.
package struct ShownEvent: Encodable {
    /// How far an event is proven.
    package enum Verdict: String, Encodable {
        /// The device has signed the partition, and the event is in it as it was.
        case proven
        /// Unchanged as far as the file or the server knows; the device signs when it closes the partition.
        case held
        /// The event, its neighbours or its proof were changed.
        case broken
        /// There is nothing to check, as for an event with masked values.
        case unchecked
    }

    /// The event.
    package let event: EventLine
    /// The objects that it shows or changes.
    package let objects: [EventObject]
    /// How the recording ended.
    package let outcome: EventOutcome
    /// The way from the event to the root; nil when there is none.
    package let proof: EventProof?
    /// How far it is proven, by this program's own check.
    package let verdict: Verdict
    /// What is wrong, a sentence.
    package let problem: String?

    /// Describes an event and checks its proof.
    ///
    /// - Parameters:
    ///   - event: The event as it is shown.
    ///   - objects: The objects that it shows or changes.
    ///   - outcome: How the recording ended.
    ///   - proof: What is said to prove it.
    ///   - problem: Why there is no proof, where that is known.
    package init(
        event: EventLine,
        objects: [EventObject],
        outcome: EventOutcome,
        proof: EventProof?,
        problem: String? = nil
    ) {
        self.event = event
        self.objects = objects
        self.outcome = outcome
        self.proof = proof
        if let problem {
            (verdict, self.problem) = (.broken, problem)
        } else if event.details.damaged {
            (verdict, self.problem) = (.broken, "The stored columns no longer make up an event.")
        } else if let proof {
            let wrong = Self.problem(with: proof, of: event)
            (verdict, self.problem) = (wrong == nil ? (proof.seal == nil ? .held : .proven) : .broken, wrong)
        } else {
            (verdict, self.problem) = (.unchecked, nil)
        }
    }

    /// Returns what is wrong with a proof; nil when it proves what is shown.
    private static func problem(with proof: EventProof, of line: EventLine) -> String? {
        guard proof.partition.value == line.partition, proof.sequence == line.details.sequence else {
            return "The proof is that of another event."
        }
        do {
            try proof.verify()
            let proven = try proof.decodedEvent()
            let stored = StoredEvent(
                partition: proof.partition,
                sequence: proof.sequence,
                owner: nil,
                event: proven,
                leaf: nil,
                received: nil
            )
            return EventLine(stored).saysTheSame(as: line) ? nil : "What is shown is not what the proof is of."
        } catch {
            return "\(error)"
        }
    }
}

extension EventLine {
    /// Returns whether two lines have the same recorded fields, whatever a server added.
    fileprivate func saysTheSame(as other: EventLine) -> Bool {
        id == other.id && activity == other.activity && event == other.event && data == other.data
            && timestamp == other.timestamp && metadata == other.metadata
            && details.scopeCommitted == other.details.scopeCommitted && details.boot == other.details.boot
            && details.sync == other.details.sync
    }
}
