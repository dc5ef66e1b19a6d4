import AuditModel
import AuditVerifying
import EventModel
import EventProofs

/// The contract of ``/AuditModel/EventReading``: how partitions and events are listed and found.
struct EventReadingConformance: Sendable {
    let make: @Sendable () async throws -> any AuditStore

    /// Returns a sentence for each rule that the store breaks.
    ///
    /// - Throws: What the store throws where the contract says that it does not.
    func violations() async throws -> [String] {
        try await repetition() + listing() + holdings() + ConflictConformance(make: make).violations()
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

    // MARK: - Holdings

    private func holdings() async throws -> [String] {
        let rules = Rules()
        let store = try await make()
        var entries: [PartitionLogEntry?] = []
        for number in 1...3 as ClosedRange<UInt32> {
            var device = SampleDevice(number)
            device.record(["a", "b"])
            _ = try await store.accept(device.upload(1...2, seal: device.seal()))
            entries.append(try await store.logEntry(of: device.partition))
        }
        let asked = [SampleDevice(3).partition, SampleDevice(99).partition, SampleDevice(1).partition]
        let holdings = try await store.holdings(of: asked)
        rules.expect(
            holdings.map(\.record?.partition) == [asked[0], nil, asked[2]] && holdings.map(\.eventCount) == [2, 0, 2],
            "what is there of partitions is returned in their order, also of one that is not there"
        )
        let problems = zip(holdings, [entries[2], nil, entries[0]])
            .flatMap { holding, entry in
                holding.record.map { RecordCheck.problems(of: $0, entry) } ?? []
            }
        rules.expect(problems == [], "what is there of a sealed partition is what the log says")
        let none = try await store.holdings(of: [])
        rules.expect(none == [], "of no partitions there is nothing")
        return rules.broken
    }
}
