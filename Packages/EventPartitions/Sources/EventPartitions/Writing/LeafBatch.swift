import EventModel
import EventProofs

/// The events of one call, encoded, hashed and packed on the caller's thread so that the leader of a group has little to do.
struct LeafBatch: Sendable {
    /// How many bytes of events share a frame at most, so that readers need little memory.
    static let blockBytes = 1 << 18
    /// With fewer bytes than these, a second core would gain less than waking it costs.
    private static let parallelBytes = 1 << 17

    /// The events that can be stored, encoded and hashed, in the order of the call.
    private(set) var blocks: [EventBlock] = []
    /// Events that were left out, as the receipt names them.
    private(set) var rejections: [AppendReceipt.Rejection] = []
    /// What is entered in the ledger.
    private(set) var losses: [LossEntry]

    /// Creates a batch of entries for the ledger alone.
    init(losses: [LossEntry] = []) {
        self.losses = losses
    }

    /// Encodes events and leaves out those that are larger than the limit.
    init(_ recorded: [AuditEvent], limits: PartitionLimits, clock: any EventClock) {
        self.init()
        let stretches = stretches(of: recorded, limits: limits)
        if stretches.reduce(0, { $0 + $1.byteCount }) < Self.parallelBytes {
            blocks = stretches.map { EventBlock(recorded[$0.events], sizes: $0.sizes, capacity: $0.byteCount) }
        } else if stretches.count == 1, let stretch = stretches.first, stretch.events.count == 1 {
            blocks = [EventBlock(large: recorded[stretch.events.lowerBound])]
        } else {
            blocks = Parallel.map(stretches.count) { index in
                let stretch = stretches[index]
                return EventBlock(recorded[stretch.events], sizes: stretch.sizes, capacity: stretch.byteCount)
            }
        }
        if !rejections.isEmpty {
            let instants = rejections.map { recorded[$0.index].timestamp }
            losses = [
                LossEntry(
                    reason: .tooLarge,
                    count: UInt64(rejections.count),
                    noticed: clock.now().wall,
                    first: instants.min(),
                    last: instants.max()
                )
            ]
        }
    }

    /// What is known of each event.
    ///
    /// - Complexity: O(*n*) in the number of events.
    var leaves: [EventBlock.Leaf] { blocks.flatMap(\.leaves) }

    /// How many events there are.
    var count: Int { blocks.reduce(0) { $0 + $1.leaves.count } }

    /// What the events take on the disk at most, about, with the frames around them.
    var byteCount: UInt64 { blocks.reduce(64) { $0 + UInt64($1.byteCount) + UInt64($1.leaves.count) * 8 } }

    /// The first events, in blocks; all blocks as they are when there are no more events.
    func blocks(first count: Int) -> [EventBlock] {
        var rest = count
        return blocks.compactMap { block in
            defer { rest -= min(rest, block.leaves.count) }
            if rest >= block.leaves.count { return block }
            return rest > 0 ? block.prefix(rest) : nil
        }
    }

    /// How many events from the first on take no more than so many bytes, as ``byteCount`` counts.
    func prefixCount(within limit: UInt64) -> Int {
        let leaves = leaves
        var sum: UInt64 = 64
        return leaves.firstIndex { leaf in
            sum += UInt64(leaf.byteCount) + 8
            return sum > limit
        } ?? leaves.count
    }

    /// What a receipt says of the events behind the first ones, when there is no room for them.
    func refusals(from first: Int, usedBytes: UInt64, quota: UInt64) -> [AppendReceipt.Rejection] {
        let leaves = leaves
        let rejected = Set(rejections.map(\.index))
        let indices = (0..<(leaves.count + rejected.count)).filter { !rejected.contains($0) }
        return zip(leaves, indices).dropFirst(first)
            .map { leaf, index in
                .init(index: index, byteCount: leaf.byteCount, usedBytes: usedBytes, quota: quota)
            }
    }

    /// Whether there is nothing to write.
    var isEmpty: Bool { blocks.isEmpty && losses.isEmpty }

    /// Takes over an encoding that was read from a file.
    mutating func append(encoded event: UnsafeRawBufferPointer, at instant: EventInstant) {
        if blocks.isEmpty || blocks[blocks.count - 1].byteCount + event.count > Self.blockBytes {
            blocks.append(EventBlock())
        }
        blocks[blocks.count - 1].append(encoded: event, at: instant)
    }

    /// Decides which events share a block, and which are left out.
    private mutating func stretches(of recorded: [AuditEvent], limits: PartitionLimits) -> [Stretch] {
        // In small partitions a block must not be most of the file, or files would end long before their limit.
        let room = min(Self.blockBytes, Int(clamping: limits.partitionBytes / 8))
        var stretches: [Stretch] = []
        var isOpen = false
        for (index, event) in recorded.enumerated() {
            let count = event.encodedByteCount
            guard count <= limits.eventBytes else {
                rejections.append(.init(index: index, byteCount: count, limit: limits.eventBytes))
                isOpen = false
                continue
            }
            // The length in front of an event takes five bytes at most.
            if isOpen, stretches[stretches.count - 1].byteCount + count + 5 <= room {
                stretches[stretches.count - 1].append(count)
            } else {
                stretches.append(Stretch(events: index..<index + 1, byteCount: count + 5, sizes: [count]))
                isOpen = true
            }
        }
        return stretches
    }

    /// Events of one block, and how many bytes they take at most.
    private struct Stretch: Sendable {
        var events: Range<Int>
        var byteCount: Int
        /// The size of the encoding of each event: to find it out takes as long as a third of encoding it.
        var sizes: [Int]

        mutating func append(_ count: Int) {
            events = events.lowerBound..<events.upperBound + 1
            byteCount += count + 5
            sizes.append(count)
        }
    }
}
