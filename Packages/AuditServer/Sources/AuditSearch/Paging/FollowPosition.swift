/// How far somebody who follows has seen what arrives, on each server that was asked.
///
/// Each server numbers arrivals in its own index. Behind a balancer another one may answer each time: whoever has a position on
/// each misses nothing, and gets some events twice.
package struct FollowPosition: Sendable, Hashable {
    /// How many servers are remembered.
    package static let maximumServers = 8

    /// The last number that was seen, by the generation of the index, the latest last.
    package private(set) var numbers: [(generation: UInt64, last: UInt64)] = []

    /// A position on no server.
    package init() {}

    /// Reads the bytes; nil when they are none.
    package init?(_ bytes: ArraySlice<UInt8>) {
        guard let all = PositionBytes.numbers(bytes), all.count.isMultiple(of: 2), all.count <= 2 * Self.maximumServers
        else {
            return nil
        }
        numbers = stride(from: 0, to: all.count, by: 2).map { (all[$0], all[$0 + 1]) }
    }

    /// The bytes.
    package var bytes: [UInt8] { PositionBytes.of(numbers.flatMap { [$0.generation, $0.last] }) }

    /// The last number that was seen of an index; nil when nothing was.
    package func last(in generation: UInt64) -> Int64? {
        numbers.first { $0.generation == generation }.map { Int64(clamping: $0.last) }
    }

    /// Goes on to a number of an index.
    package mutating func goOn(to last: Int64, in generation: UInt64) {
        numbers.removeAll { $0.generation == generation }
        numbers.append((generation, UInt64(clamping: last)))
        if numbers.count > Self.maximumServers { numbers.removeFirst() }
    }

    package static func == (left: FollowPosition, right: FollowPosition) -> Bool { left.bytes == right.bytes }

    package func hash(into hasher: inout Hasher) { hasher.combine(bytes) }
}
