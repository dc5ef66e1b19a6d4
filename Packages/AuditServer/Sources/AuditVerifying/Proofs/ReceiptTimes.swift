import AuditModel
package import EventModel
package import EventProofs

/// Compares the times of receipt of a partition's events with what the server signed as it stored each stretch of them.
///
/// ```
///  event 1   event 2   event 3 │ event 4 │ event 5   event 6
///  10:00     10:00     10:00   │ 10:02   │ 10:07     10:07
///                      receipt │ receipt │           receipt
/// ```
/// All events of a stretch came at once. The receipt with the last one is over the root and the time, and neither lies beside it: they
/// are taken from the events.
package struct ReceiptTimes: Sendable, Hashable {
    /// How many events a version stored that kept no receipts.
    private(set) var unsignedCount: UInt64 = 0
    /// Whose partition it is shown as.
    private let owner: EventOwner
    private let partition: PartitionID
    /// The public keys of the server, that of now and earlier ones.
    private let keys: [[UInt8]]
    /// The first event of the stretch; nil between two of them.
    private var first: UInt64?
    /// When it came; nil when nobody can tell.
    private var received: EventInstant?
    /// Whether all events of the stretch came at the same time.
    private var isOne = true
    private var hasSigned = false

    package init(of partition: PartitionID, _ owner: EventOwner, signedBy keys: [[UInt8]]) {
        self.partition = partition
        self.owner = owner
        self.keys = keys
    }

    /// Looks at the next event.
    ///
    /// - Parameters:
    ///   - leaf: The event.
    ///   - frontier: The tree with it.
    /// - Returns: What is wrong, a sentence without its end; nil when nothing is.
    package mutating func add(_ leaf: StoredLeaf, _ frontier: MerkleFrontier) -> String? {
        if leaf.mark == .unsigned {
            unsignedCount += 1
            // What came later was stored by a version that signs.
            guard hasSigned || first != nil else { return nil }
            first = nil
            return "event \(leaf.sequence) is marked as older than the ones in front of it"
        }
        if first == nil {
            (first, received) = (leaf.sequence, leaf.received)
            isOne = true
        } else if received != leaf.received {
            isOne = false
        }
        guard leaf.mark != .inside else { return nil }
        defer { first = nil }
        hasSigned = true
        guard case .end(let receipt) = leaf.mark, isOne, let received, keys.contains(receipt.publicKey) else {
            return wrong(through: leaf.sequence)
        }
        let statement = StorageReceipt(
            receipt,
            of: owner,
            partition: partition,
            through: leaf.sequence,
            root: frontier.root,
            at: received
        )
        return statement.isSigned ? nil : wrong(through: leaf.sequence)
    }

    /// Says what is missing behind the last event.
    ///
    /// - Parameter last: The sequence of the last event.
    /// - Returns: What is wrong, a sentence without its end; nil when nothing is.
    package func finish(at last: UInt64) -> String? {
        first.map { "the time of receipt of \(Self.events($0, last)) is not signed" }
    }

    private func wrong(through last: UInt64) -> String {
        "the time of receipt of \(Self.events(first ?? last, last)) is not the one that this server signed"
    }

    private static func events(_ first: UInt64, _ last: UInt64) -> String {
        first == last ? "event \(first)" : "events \(first) to \(last)"
    }
}
