public import AuditModel
public import EventModel
public import EventProofs

/// Recomputes the proof of one partition from its events, and collects what is wrong and where.
///
/// ```swift
/// var audit = PartitionAudit(partition: partition)
/// for leaf in leaves { audit.add(leaf) }
/// audit.finish(count: record.count, root: record.root, seal: record.seal)
/// print(audit.problems)
/// ```
public struct PartitionAudit: Sendable, Hashable {
    /// The partition.
    public let partition: PartitionID
    /// The tree over the events as they are now.
    public private(set) var frontier = MerkleFrontier()
    /// A sentence for everything that is wrong, in the order of the events; empty when every proof holds.
    public private(set) var problems: [String] = []
    /// The sequence of the last event that was looked at; 0 before the first.
    public private(set) var lastSequence: UInt64 = 0

    /// How many events have masked values, so that their hashes are the server's word.
    public private(set) var maskedCount: UInt64 = 0

    /// What the server signed for the partition and did not show yet, the furthest first.
    private var receipts: [StorageReceipt]

    /// Compares the times of receipt; nil when nobody asked for it.
    private var times: ReceiptTimes?

    /// The events that were erased, by the erasures that took them; their hashes stand for them in the tree.
    public private(set) var erased: [Int64: [ErasedRange]] = [:]

    /// Starts an audit.
    ///
    /// - Parameters:
    ///   - partition: The partition.
    ///   - receipts: What the server signed for it; receipts of other partitions are left out.
    public init(partition: PartitionID, receipts: [StorageReceipt] = []) {
        self.partition = partition
        self.receipts = receipts.filter { $0.partition == partition }.sorted { $0.durableThrough > $1.durableThrough }
        settleReceipts()
    }

    /// Compares the times of receipt, too, with what a server signed; before the first event.
    ///
    /// - Parameters:
    ///   - owner: Whose partition it is shown as.
    ///   - keys: The public keys of the server, that of now and earlier ones.
    public mutating func checkTimes(of owner: EventOwner, signedBy keys: [[UInt8]]) {
        times = ReceiptTimes(of: partition, owner, signedBy: keys)
    }

    /// Of how many events nothing binds the time of receipt, because a version stored them that kept no receipts.
    public var unsignedCount: UInt64 { times?.unsignedCount ?? 0 }

    /// How many events were looked at.
    public var count: UInt64 { frontier.count }

    /// Looks at the next event.
    ///
    /// - Complexity: O(*n*), where *n* is the size of the event.
    public mutating func add(_ leaf: StoredLeaf) {
        addContent(leaf)
        // Behind a problem the root is another one, and no receipt fits any more.
        if problems.isEmpty, let problem = times?.add(leaf, frontier) { report(problem) }
    }

    private mutating func addContent(_ leaf: StoredLeaf) {
        if leaf.sequence > lastSequence + 1 {
            report("events \(lastSequence + 1) to \(leaf.sequence - 1) are missing")
        } else if leaf.sequence <= lastSequence {
            report("event \(leaf.sequence) comes after event \(lastSequence)")
        }
        lastSequence = leaf.sequence

        if let erasure = leaf.erasure, leaf.encoded == nil, let hash = leaf.leafHash {
            note(leaf.sequence, takenBy: erasure)
            frontier.append(hash)
            return settleReceipts()
        }
        if leaf.maskedHash != nil { maskedCount += 1 }
        guard let hash = leaf.maskedHash ?? leaf.encoded.flatMap(Hexadecimal.bytes).map({ MerkleHash.leaf($0) }) else {
            report("the columns of event \(leaf.sequence) no longer make up an event")
            // The stored hash keeps the places of the events behind it; the problem is noted already.
            frontier.append(leaf.leafHash ?? MerkleHash.empty)
            return settleReceipts()
        }
        if hash != leaf.leafHash { report("event \(leaf.sequence) is not what was received: its leaf hash differs") }
        frontier.append(hash)
        settleReceipts()
    }

    /// How many events were erased.
    public var erasedCount: UInt64 {
        erased.values.reduce(0) { $0 + $1.reduce(0) { $0 + $1.last - $1.first + 1 } }
    }

    private mutating func note(_ sequence: UInt64, takenBy erasure: Int64) {
        let last = erased[erasure]?.last
        let first = last.map { $0.last + 1 == sequence ? $0.first : sequence } ?? sequence
        if first < sequence { erased[erasure]?.removeLast() }
        erased[erasure, default: []].append(ErasedRange(partition: partition, first: first, last: sequence))
    }

    /// Compares the tree with the receipts for as many events as it has.
    private mutating func settleReceipts() {
        while let receipt = receipts.last, receipt.durableThrough == frontier.count {
            receipts.removeLast()
            if receipt.root != frontier.root {
                report("the server has signed for other events than the first \(frontier.count)")
            }
        }
    }

    /// Compares the tree with what is kept of the whole partition.
    public mutating func finish(count: UInt64, root: Digest, seal: PartitionSeal?) {
        if count > lastSequence {
            report("events \(lastSequence + 1) to \(count) are missing")
        } else if count < self.count {
            report("there are \(self.count) events, and \(count) were received")
        }
        if root != frontier.root { report("the root over the events differs from the stored one") }
        do throws(ProofError) {
            try seal?.verify(over: frontier)
        } catch {
            problems.append("\(error)")
        }
        for receipt in receipts {
            report("the server has signed for \(receipt.durableThrough) events, and \(self.count) are there")
        }
        if problems.isEmpty, let problem = times?.finish(at: lastSequence) { report(problem) }
        if let seal, seal.partition != partition { report("its seal is the one of \(seal.partition)") }
    }

    /// Notes a problem that was found elsewhere.
    public mutating func report(_ problem: String) {
        problems.append("Partition \(partition): \(problem).")
    }
}
