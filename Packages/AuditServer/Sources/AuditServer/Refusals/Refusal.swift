import EventModel

/// Why something is refused that no client of ours does, or too much of what it does: each has one sentence, and is counted.
///
/// Nothing is stored of what is refused, and nothing that was acknowledged is lost by it.
@nonexhaustive
public enum Refusal: String, Sendable, Hashable, CaseIterable {
    /// The seal of a stretch has more than `PartitionSeal.maximumBytes`.
    case longSeal
    /// The seal of a stretch was made for another app or user than the token's.
    case foreignSeal
}

extension Refusal {
    /// The code that the answer carries; the client decides by it what to do next.
    var code: TransportError.Code {
        switch self {
        case .longSeal, .foreignSeal: .rejected
        }
    }

    /// The sentence that the answer carries: what is wrong, and what helps.
    var sentence: String {
        switch self {
        case .longSeal:
            "The seal has more than \(PartitionSeal.maximumBytes) bytes: continue its ledger in the next seal."
        case .foreignSeal:
            "The seal was made for another app or user: upload it as the user whose events it seals."
        }
    }
}
