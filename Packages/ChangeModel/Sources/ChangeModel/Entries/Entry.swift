public import EventModel

/// One number of a realm's order: what came of one change, as literal values.
///
/// Every device applies the ``literals`` of all entries, in order and without comparing anything: so equal positions
/// are equal states, whatever the rules were. The author looks at the ``results``, too, and takes the ``corrections``.
public struct Entry: Sendable, Hashable {
    /// The number in the server's order, from 1.
    public let number: Int
    /// Which change of which file this is.
    public let change: ChangeReference
    /// The number of the user in the realm.
    public let user: UInt32
    /// The time under which the change was taken.
    public let clock: HybridClock
    /// When the server took it.
    public let received: EventInstant
    /// What became of each operation, in their order.
    public let results: [OperationResult]
    /// What changed, in an order in which it can be done, for everybody.
    public let literals: [ChangeOperation]
    /// What holds where an operation does not hold as sent, for the author: everybody else has it.
    ///
    /// In the order of the operations that they correct; ``correctionsInOrder`` says in which they can be done.
    public let corrections: [ChangeOperation]
    /// The SHA-256 of the change as it was uploaded.
    public let digest: Digest

    /// Creates an entry.
    public init(
        number: Int,
        change: ChangeReference,
        user: UInt32,
        clock: HybridClock,
        received: EventInstant,
        results: [OperationResult],
        literals: [ChangeOperation],
        corrections: [ChangeOperation],
        digest: Digest
    ) {
        self.number = number
        self.change = change
        self.user = user
        self.clock = clock
        self.received = received
        self.results = results
        self.literals = literals
        self.corrections = corrections
        self.digest = digest
    }

    /// The index of each refused operation with its reason, in order.
    public var refusals: [(index: Int, reason: OperationRefusal)] {
        results.enumerated()
            .compactMap { index, result in
                if case .refused(let reason) = result { (index, reason) } else { nil }
            }
    }
}
