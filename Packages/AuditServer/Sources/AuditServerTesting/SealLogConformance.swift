import AuditModel
import EventModel
import EventProofs

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The contract of ``/AuditModel/SealLog``: sealed partitions in a tree that only grows, and the keys of devices.
struct SealLogConformance: Sendable {
    let make: @Sendable () async throws -> any AuditStore

    /// Returns a sentence for each rule that the store breaks.
    func violations() async throws -> [String] {
        try await log() + deviceKeys()
    }

    // MARK: - Log

    private func log() async throws -> [String] {
        let rules = Rules()
        let store = try await make()
        let empty = try await store.withLog(durably: true) { tree in try (tree.count, tree.root(at: 0)) }
        rules.expect(empty == (0, MerkleHash.empty), "a new log is empty")

        var seals: [PartitionSeal] = []
        for number in 1...7 as ClosedRange<UInt32> {
            var device = SampleDevice(number)
            device.record(["a", "b"])
            seals.append(try device.seal())
            _ = try await store.accept(device.upload(1...1))
            if number == 2 {
                let none = try await store.logEntry(of: device.partition)
                rules.expect(none == nil, "a partition is in the log when it is sealed, and not before")
            }
            _ = try await store.accept(device.upload(2...2, seal: seals.last))
            _ = try await store.accept(device.upload(1...2, seal: seals.last))
        }
        let entries = try await store.logEntries(from: 0, limit: 100)
        rules.expect(entries.map(\.seal) == seals, "a sealed partition is in the log once, in the order of the seals")
        rules.expect(entries.map(\.index) == Array(0...6), "the log counts from 0, without gaps")
        rules.expect(
            entries.allSatisfy { entry in
                entry.owner == SampleDevice.owner
                    && entry.received == SampleDevice.received
            },
            "an entry keeps the owner and when the seal was received"
        )
        let page = try await store.logEntries(from: 2, limit: 3)
        rules.expect(page == Array(entries[2..<5]), "a page of the log starts at its place and has at most its limit")
        var small: [PartitionLogEntry] = []
        while let next = try await store.logEntries(from: UInt64(small.count), limit: 3, maximumBytes: 1).first {
            small.append(next)
        }
        rules.expect(small == entries, "a page of the log has its first entry, however few bytes it may have")
        let bytes = try JSONEncoder().encode(seals[0]).count
        let two = try await store.logEntries(from: 0, limit: 100, maximumBytes: 3 * bytes + bytes / 2)
        rules.expect(
            two.count > 1 && two.count < 7 && two == Array(entries.prefix(two.count)),
            "a page of the log ends where its seals would have more bytes than it may"
        )
        let beyond = try await store.logEntries(from: .max, limit: 1)
        rules.expect(beyond == [], "there is nothing behind the end of the log")
        let fourth = try await store.logEntry(of: entries[3].partition)
        rules.expect(fourth == entries[3], "a partition's entry is found by the partition")
        try await proofs(of: entries, in: store, rules)
        try await refusedSeal(in: store, rules)
        return rules.broken
    }

    private func proofs(of entries: [PartitionLogEntry], in store: any SealLog, _ rules: Rules) async throws {
        var tree = MerkleTree()
        for entry in entries { tree.append(entry.leaf) }
        let expected = tree
        let arePermanent = try await store.withLog(durably: false) { stored in
            guard stored.count == expected.count else { return false }
            for count in 0...stored.count {
                guard try stored.root(at: count) == expected.root(at: count),
                    try stored.consistencyProof(from: count, to: stored.count)
                        == expected.consistencyProof(from: count, to: stored.count)
                else { return false }
            }
            return try (0..<stored.count)
                .allSatisfy {
                    try stored.inclusionProof(of: $0, in: stored.count) == expected.inclusionProof(of: $0, in: 7)
                }
        }
        rules.expect(arePermanent, "the stored tree has the roots and proofs of RFC 6962 at every size")
    }

    private func refusedSeal(in store: any AuditStore, _ rules: Rules) async throws {
        var device = SampleDevice(9)
        device.record(["a", "b"])
        await rules.expect("a seal over fewer events is a conflict", .conflict) {
            try await store.accept(device.upload(1...2, seal: device.seal(through: 1)))
        }
        let count = try await store.withLog(durably: false) { $0.count }
        rules.expect(count == 7, "a refused seal is not in the log")
    }

    // MARK: - Keys

    private func deviceKeys() async throws -> [String] {
        let rules = Rules()
        let store = try await make()
        let (own, thief) = (DeviceKey(), DeviceKey())
        var root: Digest?
        for (number, key) in [(1, own), (2, own), (3, thief), (4, thief)] as [(UInt32, DeviceKey)] {
            var device = SampleDevice(number)
            device.record(["a"])
            let seal = try device.signed(by: key, after: root)
            root = seal.root
            _ = try await store.accept(device.upload(1...1, seal: seal))
        }
        let other = EventOwner(app: "ward-app", user: "bb")
        for number in [5, 6] as [UInt32] {
            // All partitions without events have one root, which therefore says nothing of the one before.
            let device = SampleDevice(number)
            let key = number == 5 ? own : thief
            let seal = try device.signed(by: key, of: other, after: number == 5 ? nil : MerkleHash.empty)
            let stretch = PartitionStretch(
                partition: device.partition,
                firstSequence: 1,
                events: EncodedEvents(),
                root: MerkleHash.empty,
                seal: seal
            )
            _ = try await store.accept(
                EventUpload(stretch, owner: other, received: SampleDevice.received, signedBy: SampleDevice.serverKey)
            )
        }

        let keys = try await store.deviceKeys(from: 0, limit: 10)
        rules.expect(
            keys.map(\.publicKey) == [own, thief, own, thief].map(\.publicKey),
            "the first seal of a user and a key registers the key"
        )
        rules.expect(
            keys.map(\.user) == [SampleDevice.owner.user, SampleDevice.owner.user, "bb", "bb"],
            "a key has a user"
        )
        rules.expect(keys.map(\.partitions) == [2, 2, 1, 1], "a key counts its partitions")
        rules.expect(keys.map(\.firstEntry) == [0, 2, 4, 5], "a key names its first entry")
        rules.expect(
            keys.allSatisfy { $0.firstSeen == SampleDevice.received && $0.lastSeen == SampleDevice.received },
            "a key was seen when its seals were received"
        )
        rules.expect(
            keys.map(\.replaced) == [nil, own.publicKey, nil, nil],
            "a key that goes on with the chain of another one is reported, and nothing else is"
        )
        let page = try await store.deviceKeys(from: 1, limit: 2)
        rules.expect(page == Array(keys[1...2]), "a page of keys starts at a place of the log")
        return rules.broken
    }
}
