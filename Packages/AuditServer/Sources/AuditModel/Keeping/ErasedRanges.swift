import Crypto
public import EventModel

/// Ranges of erased events, as few as they can be, and the hash that a record of them carries.
public struct ErasedRanges: Sendable, Hashable {
    /// The ranges in the order of their partitions' bytes and of their sequences; neighbours are one.
    public private(set) var ranges: [ErasedRange] = []

    /// Puts ranges together.
    ///
    /// - Complexity: O(*n* log *n*) in the ranges.
    public init(_ ranges: some Sequence<ErasedRange>) {
        let sorted = ranges.map { (key: Array($0.partition.value.utf8), range: $0) }
            .sorted { left, right in
                left.key == right.key
                    ? left.range.first < right.range.first : left.key.lexicographicallyPrecedes(right.key)
            }
        for (_, range) in sorted {
            if let last = self.ranges.last, last.partition == range.partition, range.first <= last.last + 1 {
                self.ranges[self.ranges.count - 1] = ErasedRange(
                    partition: last.partition,
                    first: last.first,
                    last: max(last.last, range.last)
                )
            } else {
                self.ranges.append(range)
            }
        }
    }

    /// Puts the places of events together.
    package init(_ addresses: [EventAddress]) {
        self.init(addresses.map { ErasedRange(partition: $0.partition, first: $0.sequence, last: $0.sequence) })
    }

    /// How many events there are.
    public var count: UInt64 { ranges.reduce(0) { $0 + $1.last - $1.first + 1 } }

    /// The SHA-256 hash over a line `partition first last` for each range.
    public var digest: EventModel.Digest {
        var hash = SHA256()
        for range in ranges { hash.update(data: Array("\(range.partition.value) \(range.first) \(range.last)\n".utf8)) }
        guard let digest = EventModel.Digest(Array(hash.finalize())) else {
            preconditionFailure("SHA-256 has 32 bytes.")
        }
        return digest
    }

    /// Counts the events and hashes the ranges.
    package var result: ErasureRecord.Result { ErasureRecord.Result(events: count, digest: digest) }
}
