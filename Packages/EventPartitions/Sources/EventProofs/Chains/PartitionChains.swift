public import EventModel

/// Puts sealed partitions behind the ones that they follow, in whatever order they come, and knows which of those are missing.
///
/// Each seal of a device names the one before it. A partition that nobody has seen and that another one follows is a gap; two partitions
/// that follow the same one are a branch, which is what a device leaves that was put back to an earlier state. Whether a gap is a reason
/// to worry is for the caller to say: on a device, a partition goes when a server holds it.
///
/// ```swift
/// var chains = PartitionChains<PartitionID>()
/// for seal in seals { _ = chains.add(seal, of: owner, as: seal.partition) }
/// for gap in chains.gaps { print("the one before \(gap.follower) is missing") }
/// ```
public struct PartitionChains<Member: Sendable>: Sendable {
    /// What is remembered of the partitions that came.
    public enum Memory: Sendable, Hashable {
        /// All: a branch is distinguished from a gap.
        case all
        /// Those alone that no other one follows yet, so that memory grows with the devices and not with their partitions.
        ///
        /// A second partition that follows the same one is a gap then, until the caller finds that one elsewhere.
        case ends
    }

    /// Where a partition was put.
    public enum Place: Sendable {
        /// At a beginning: its seal names none before it.
        case first
        /// Behind one that came before.
        case behind(Member)
        /// Behind one that came before, and that another one follows already.
        case branch(Member)
        /// Behind one that did not come yet.
        case behindMissing
    }

    /// A partition that is missing, and one that follows it.
    public struct Gap: Sendable {
        /// What is missing.
        public let name: ChainName
        /// What follows it.
        public let follower: Member
    }

    private struct Known: Sendable {
        let member: Member
        var isFollowed = false
    }

    private struct Follower: Sendable {
        let member: Member
        /// Counts the partitions that came.
        let number: UInt64
    }

    private let memory: Memory
    private let maximumGaps: Int
    private var known: [ChainName: Known] = [:]
    private var waiting: [ChainName: Follower] = [:]
    private var count: UInt64 = 0

    /// Begins without partitions.
    ///
    /// - Parameters:
    ///   - memory: What is remembered; all by default.
    ///   - maximumGaps: How many gaps are remembered; of more, the oldest are forgotten.
    public init(remembering memory: Memory = .all, maximumGaps: Int = .max) {
        self.memory = memory
        self.maximumGaps = maximumGaps
    }

    /// Puts a partition into its chain.
    ///
    /// Of several with the same name the first one counts, and of several that wait for the same one the last.
    ///
    /// - Parameters:
    ///   - seal: The partition's seal; its signature is for the caller to check.
    ///   - owner: Whose partition it is.
    ///   - member: What the caller wants to know of it later.
    /// - Returns: Where it was put.
    /// - Complexity: O(1), and O(*n*) in the gaps when there are too many.
    public mutating func add(_ seal: PartitionSeal, of owner: EventOwner, as member: Member) -> Place {
        count += 1
        let place = follow(seal.previousName(of: owner), member)
        if let name = seal.chainName(of: owner) {
            let isAwaited = waiting.removeValue(forKey: name) != nil
            if known[name] == nil, memory == .all || !isAwaited {
                known[name] = Known(member: member, isFollowed: isAwaited)
            }
        }
        return place
    }

    private mutating func follow(_ previous: ChainName?, _ member: Member) -> Place {
        guard let previous else { return .first }
        guard let before = known[previous] else {
            waiting[previous] = Follower(member: member, number: count)
            if waiting.count > maximumGaps { forgetOldestGap() }
            return .behindMissing
        }
        switch memory {
        case .all: known[previous]?.isFollowed = true
        case .ends: known[previous] = nil
        }
        return before.isFollowed ? .branch(before.member) : .behind(before.member)
    }

    private mutating func forgetOldestGap() {
        if let oldest = waiting.min(by: { $0.value.number < $1.value.number }) { waiting[oldest.key] = nil }
    }

    /// The partitions that are missing, in the order in which those came that follow them.
    ///
    /// - Complexity: O(*n* log *n*) in the gaps.
    public var gaps: [Gap] {
        waiting.sorted { $0.value.number < $1.value.number }.map { Gap(name: $0.key, follower: $0.value.member) }
    }

    /// Forgets a gap: what is missing was found elsewhere, or is known to be gone.
    public mutating func settle(_ name: ChainName) {
        waiting[name] = nil
    }
}
