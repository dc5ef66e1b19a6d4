import AuditModel
import EventModel
import EventProofs

/// The contract of ``/AuditModel/PartitionProving``: the hashes of a partition are those of its events.
struct PartitionProvingConformance: Sendable {
    let make: @Sendable () async throws -> any AuditStore

    /// Returns a sentence for each rule that the store breaks.
    ///
    /// - Throws: What the store throws where the contract says that it does not.
    func violations() async throws -> [String] {
        try await stretchEnds() + hashes()
    }

    private func stretchEnds() async throws -> [String] {
        let rules = Rules()
        let store = try await make()
        var device = SampleDevice()
        device.record(["a", "b", "c", "d", "e"])
        for sequences in [1...3, 2...4] as [ClosedRange<Int>] {
            _ = try await store.accept(device.upload(sequences))
        }
        let page = try await store.events(EventFilter(), after: nil, limit: 10, maximumBytes: 1_000_000)

        var ends: [StretchEnd?] = []
        for sequence in 1...5 as ClosedRange<UInt64> {
            ends.append(try await store.stretchEnd(of: EventAddress(partition: device.partition, sequence: sequence)))
        }
        let last = [3, 4].map { StretchEnd(sequence: $0, mark: page.events[Int($0) - 1].mark) }
        rules.expect(
            ends == [last[0], last[0], last[0], last[1], nil],
            "the end of a stretch is found from each of its events"
        )
        return rules.broken
    }

    private func hashes() async throws -> [String] {
        let rules = Rules()
        let store = try await make()
        var device = SampleDevice()
        device.record(["a", "b", "c", "d", "e", "f", "g"])
        for sequences in [1...3, 4...7] as [ClosedRange<Int>] {
            _ = try await store.accept(device.upload(sequences))
        }
        var tree = MerkleTree()
        for event in device.events { tree.append(MerkleHash.leaf(event.encoded)) }

        let leaves = device.events.map { MerkleHash.leaf($0.encoded) }
        let some = try await store.leaves(of: device.partition, 3...9)
        rules.expect(
            some == Array(leaves[2...]),
            "leaf hashes come in order, and those that are not stored are left out"
        )
        let peaks = try await store.hashes(of: MerkleNode.peaks(of: 7), in: device.partition)
        rules.expect(
            MerkleFrontier(count: 7, peaks: peaks)?.root == tree.root(at: 7),
            "the hashes of complete subtrees are those of the tree over the events"
        )
        let backwards = try await store.hashes(of: MerkleNode.peaks(of: 7).reversed(), in: device.partition)
        rules.expect(backwards == peaks.reversed(), "the hashes come in the order of the nodes")
        return rules.broken
    }
}
