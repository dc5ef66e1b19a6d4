public import AuditModel
import EventModel
import EventProofs

/// The contract of a store, checked against any implementation.
///
/// ```swift
/// let broken = try await EventStoreConformance { InMemoryEventStore() }.violations()
/// #expect(broken == [])
/// ```
public struct EventStoreConformance: Sendable {
    private let make: @Sendable () async throws -> any EventStore

    /// Creates a check.
    ///
    /// - Parameter make: Makes an empty store.
    public init(make: @escaping @Sendable () async throws -> any EventStore) {
        self.make = make
    }

    /// Returns a sentence for each rule that the store breaks.
    ///
    /// - Throws: What the store throws where the contract says that it does not.
    public func violations() async throws -> [String] {
        var violations: [String] = []
        violations += try await storing()
        violations += try await refusals()
        violations += try await sealing()
        violations += try await repetition()
        violations += try await listing()
        violations += try await columns()
        violations += try await ConflictConformance(make: make).violations()
        violations += try await SchemaConformance(make: make).violations()
        violations += try await LogConformance(make: make).violations()
        violations += try await KeepingConformance(make: make).violations()
        violations += try await SearchConformance(make: make).violations()
        violations += try await VolumeConformance(make: make).violations()
        return violations
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
        var ends: [StretchEnd?] = []
        for sequence in 1...5 as ClosedRange<UInt64> {
            ends.append(try await store.stretchEnd(of: EventAddress(partition: device.partition, sequence: sequence)))
        }
        let last = [3, 4].map { StretchEnd(sequence: $0, mark: page.events[Int($0) - 1].mark) }
        rules.expect(
            ends == [last[0], last[0], last[0], last[1], nil],
            "the end of a stretch is found from each of its events"
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

    // MARK: - Repetition

    private func repetition() async throws -> [String] {
        let rules = Rules()
        let store = try await make()
        var device = SampleDevice()
        device.record(["a"])
        device.record(device.events[0])
        let proof = try await store.accept(device.upload(1...2))
        rules.expect(proof.durableThrough == 2, "an event that was recorded twice is a leaf twice")
        var next = SampleDevice(2)
        next.record(device.events[0])
        _ = try await store.accept(next.upload(1...1))
        let once = try await store.events(EventFilter(), after: nil, limit: 10, maximumBytes: 1_000_000)
        rules.expect(once.events.count == 1, "an event that was recorded twice is listed once")
        let places = try await store.addresses(of: device.events[0].id)
        rules.expect(
            places == [EventAddress(partition: device.partition, sequence: 1)],
            "an event that was recorded twice is found by its id where it came first"
        )
        let nowhere = try await store.addresses(of: ObjectId(high: 9, low: 9))
        rules.expect(nowhere == [], "an id that no event has is found nowhere")
        let all = try await store.events(
            EventFilter(includesRepeated: true),
            after: nil,
            limit: 10,
            maximumBytes: 1_000_000
        )
        rules.expect(all.events.map(\.isRepeated) == [false, true, true], "every leaf can be listed")
        return rules.broken
    }

    // MARK: - Listing

    private func listing() async throws -> [String] {
        let rules = Rules()
        let store = try await make()
        var younger = SampleDevice(2)
        younger.record(["a", "b", "a"])
        var older = SampleDevice(1)
        older.record(["a", "b"])
        _ = try await store.accept(younger.upload(1...3))
        _ = try await store.accept(older.upload(1...2))

        let records = try await store.partitions(after: nil, limit: 10)
        rules.expect(records.map(\.partition) == [older.partition, younger.partition], "partitions are listed by age")
        let second = try await store.partitions(after: older.partition, limit: 10)
        rules.expect(second.map(\.partition) == [younger.partition], "a page of partitions starts behind the last")
        let none = try await store.partitions(after: younger.partition, limit: 10)
        rules.expect(none.isEmpty, "there is nothing behind the last partition")
        var sealedOnes: [PartitionID] = []
        for number in 11...13 as ClosedRange<UInt32> {
            let device = SampleDevice(number)
            let stretch = PartitionStretch(
                partition: device.partition,
                firstSequence: 1,
                events: EncodedEvents(),
                root: MerkleHash.empty,
                seal: try device.seal()
            )
            _ = try await store.accept(
                EventUpload(
                    stretch,
                    owner: SampleDevice.owner,
                    received: SampleDevice.received,
                    signedBy: SampleDevice.serverKey
                )
            )
            let last = sealedOnes.last ?? younger.partition
            sealedOnes += try await store.partitions(after: last, limit: 10, maximumBytes: 1).map(\.partition)
        }
        let first = try await store.partitions(after: younger.partition, limit: 10, maximumBytes: 1)
        rules.expect(
            sealedOnes.count == 3 && first.count == 1,
            "a page of partitions has the first, however few bytes its seals may have, and no other"
        )

        var listed: [StoredEvent] = []
        var cursor: EventCursor?
        repeat {
            let page = try await store.events(EventFilter(), after: cursor, limit: 2, maximumBytes: 1_000_000)
            rules.expect(page.events.count <= 2, "a page holds at most its limit")
            listed += page.events
            cursor = page.next
        } while cursor != nil
        rules.expect(
            listed.compactMap(\.event) == older.events + younger.events,
            "pages together hold every event once, by age and sequence"
        )
        let small = try await store.events(EventFilter(), after: nil, limit: 10, maximumBytes: 1)
        rules.expect(small.events.count == 1 && small.next != nil, "a page holds an event that exceeds its bytes")
        let filtered = try await store.events(
            EventFilter(partition: younger.partition, activity: "a"),
            after: nil,
            limit: 10,
            maximumBytes: 1_000_000
        )
        rules.expect(filtered.events.map(\.sequence) == [1, 3], "a filter selects by partition and activity")
        let later = try await store.events(
            EventFilter(since: older.events[1].timestamp, until: younger.events[2].timestamp),
            after: nil,
            limit: 10,
            maximumBytes: 1_000_000
        )
        rules.expect(later.events.count == 2, "the start of a time is inclusive and its end is not")
        var sealed = SampleDevice(3)
        sealed.record(["a"])
        _ = try await store.accept(sealed.upload(1...1, seal: sealed.seal()))
        let ofDevice = try await store.events(
            EventFilter(device: sealed.key.publicKey),
            after: nil,
            limit: 10,
            maximumBytes: 1_000_000
        )
        rules.expect(ofDevice.events.map(\.partition) == [sealed.partition], "a device has the events that it sealed")
        return rules.broken
    }

    // MARK: - Columns

    private func columns() async throws -> [String] {
        let rules = Rules()
        var device = SampleDevice()
        device.record(
            device.event("a", metadata: try EventMetadata(["userId": "1", "USERID": "2", "drop\"; --": "3"]))
        )
        device.record(device.event("b", event: nil, data: nil, metadata: try EventMetadata(["userId": ""])))
        device.record(
            device.event("zero \u{0} byte", event: "", data: "", metadata: try EventMetadata(["a\"b'c": "\u{0}"]))
        )

        let open = try await make()
        _ = try await open.accept(device.upload(1...3))
        let columns = try await open.metadataColumns(of: SampleDevice.owner.app)
        rules.expect(
            columns.map { Set($0) } == ["userId", "USERID", "drop\"; --", "a\"b'c"],
            "a column is added for each key, whatever its text"
        )
        let page = try await open.events(EventFilter(), after: nil, limit: 10, maximumBytes: 1_000_000)
        rules.expect(page.events.compactMap(\.event) == device.events, "metadata comes back as it was, also when empty")
        return rules.broken
    }
}
