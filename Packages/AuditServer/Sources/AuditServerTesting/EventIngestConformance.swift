import AuditModel
import EventModel
import EventProofs

/// The contract of ``/AuditModel/EventIngest``: what is stored, what is refused, and what a seal ends.
struct EventIngestConformance: Sendable {
    let make: @Sendable () async throws -> any AuditStore

    /// Returns a sentence for each rule that the store breaks.
    ///
    /// - Throws: What the store throws where the contract says that it does not.
    func violations() async throws -> [String] {
        try await storing() + refusals() + sealing()
    }

    // MARK: - Storing

    private func storing() async throws -> [String] {
        let rules = Rules()
        let store = try await make()
        var device = SampleDevice()
        device.record(["a", "b", "c", "d", "e"])

        let uploads = [try device.upload(1...3), try device.upload(2...4)]
        let first = try await store.accept(uploads[0])
        rules.expect(first.durableThrough == 3, "a stretch is durable through its last event")
        rules.expect(first.root == device.frontier(through: 3).root, "the proof has the root at its position")
        let again = try await store.accept(device.upload(1...3))
        rules.expect(again == first, "sending again gives the same proof")
        let overlapping = try await store.accept(uploads[1])
        rules.expect(overlapping.durableThrough == 4, "an overlapping stretch adds what is new")
        let earlier = try await store.accept(device.upload(1...2))
        rules.expect(earlier == overlapping, "an earlier stretch is answered with the whole proof")
        device.record(["f", "g"])
        let gap = try await store.accept(device.upload(6...7))
        rules.expect(gap == overlapping, "a stretch behind a gap stores nothing and says where to resume")

        let record = try await store.partition(device.partition)
        rules.expect(record?.count == 4, "a partition counts its events")
        rules.expect(record?.owner == SampleDevice.owner, "a partition keeps its owner")
        let page = try await store.events(EventFilter(), after: nil, limit: 10, maximumBytes: 1_000_000)
        rules.expect(page.events.compactMap(\.event) == Array(device.events.prefix(4)), "events come back as they were")
        rules.expect(page.events.map(\.sequence) == [1, 2, 3, 4], "events keep their sequences")
        rules.expect(
            page.events.compactMap(\.leaf) == device.events.prefix(4).map { MerkleHash.leaf($0.encoded) },
            "each event keeps its leaf hash"
        )
        rules.expect(
            page.events.map(\.mark) == [.inside, .inside] + uploads.map { $0.mark(of: 2) },
            "the last event of what is new in a stretch has the receipt of the stretch"
        )
        let unknown = try await store.partition(SampleDevice(99).partition)
        rules.expect(unknown == nil, "nothing is known of a partition that never came")
        return rules.broken
    }

    // MARK: - Refusals

    private func refusals() async throws -> [String] {
        let rules = Rules()
        let store = try await make()
        var device = SampleDevice()
        device.record(["a", "b"])
        let stored = try await store.accept(device.upload(1...2))

        var other = SampleDevice()
        other.record(["a", "x", "c"])
        await rules.expect("another event at a stored sequence is a conflict", .conflict) {
            try await store.accept(other.upload(1...3))
        }
        await rules.expect("another history before the stretch is a conflict", .conflict) {
            try await store.accept(other.upload(3...3))
        }
        device.record(["c"])
        await rules.expect("another user's partition is forbidden", .forbidden) {
            try await store.accept(device.upload(1...3, owner: EventOwner(app: "ward-app", user: "bb")))
        }
        await rules.expect("the same user of another app is another user", .forbidden) {
            try await store.accept(
                device.upload(1...3, owner: EventOwner(app: "other", user: SampleDevice.owner.user))
            )
        }
        var stranger = SampleDevice(2)
        stranger.record(["x", "y"])
        await rules.expect("a stretch whose root is another one is a conflict", .conflict) {
            let stretch = PartitionStretch(
                partition: stranger.partition,
                firstSequence: 1,
                events: stranger.stretch(1...2).events,
                root: MerkleHash.empty
            )
            return try await store.accept(
                EventUpload(
                    stretch,
                    owner: SampleDevice.owner,
                    received: SampleDevice.received,
                    signedBy: SampleDevice.serverKey,
                    extendsSchema: true
                )
            )
        }
        let untouched = try await store.partition(stranger.partition)
        rules.expect(untouched == nil, "a refused stretch leaves nothing behind")
        let proof = try await store.accept(device.upload(1...2))
        rules.expect(proof == stored, "a refused stretch changes nothing")
        return rules.broken
    }

    // MARK: - Seals

    private func sealing() async throws -> [String] {
        let rules = Rules()
        let store = try await make()
        var device = SampleDevice()
        device.record(["a", "b"])
        let seal = try device.seal()

        await rules.expect("a seal over fewer events is a conflict", .conflict) {
            try await store.accept(device.upload(1...2, seal: device.seal(through: 1)))
        }
        let empty = try await store.partition(device.partition)
        rules.expect(empty == nil, "events with a refused seal are not stored")
        let proof = try await store.accept(device.upload(1...2, seal: seal))
        rules.expect(proof.isSealed, "the proof says that the seal is stored")
        let again = try await store.accept(device.upload(2...2, seal: seal))
        rules.expect(again == proof, "the same seal may come again")
        let record = try await store.partition(device.partition)
        rules.expect(record?.seal == seal, "the seal comes back as it was")
        await rules.expect("another seal is a conflict", .conflict) {
            try await store.accept(device.upload(1...2, seal: device.signed(by: DeviceKey())))
        }
        device.record(["c"])
        await rules.expect("an event behind the seal is a conflict", .conflict) {
            try await store.accept(device.upload(3...3))
        }
        let nothing = SampleDevice(3)
        let emptySeal = PartitionStretch(
            partition: nothing.partition,
            firstSequence: 1,
            events: EncodedEvents(),
            root: MerkleHash.empty,
            seal: try nothing.seal()
        )
        let sealed = try await store.accept(
            EventUpload(
                emptySeal,
                owner: SampleDevice.owner,
                received: SampleDevice.received,
                signedBy: SampleDevice.serverKey,
                extendsSchema: true
            )
        )
        rules.expect(sealed.isSealed && sealed.durableThrough == 0, "a partition without events can be sealed")
        return rules.broken
    }
}
