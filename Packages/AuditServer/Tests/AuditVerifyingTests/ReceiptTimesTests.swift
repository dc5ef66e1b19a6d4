import AuditServerTesting
import EventModel
import EventProofs
import Testing

@testable import AuditModel
@testable import AuditVerifying

/// A thief alters when an event came, or what binds that time.
@Suite("Times of receipt")
struct ReceiptTimesTests {
    private static let times = [10, 20, 30].map { EventInstant(microseconds: Int64($0) * 60_000_000) }

    private static let device: SampleDevice = {
        var device = SampleDevice()
        device.record(["a", "b", "c", "d", "e", "f"])
        return device
    }()

    /// A partition of three stretches: two events, one, and three.
    private static func stored() async throws -> [StoredEvent] {
        let store = InMemoryEventStore()
        for (sequences, time) in zip([1...2, 3...3, 4...6], times) {
            let seal = try sequences.upperBound == 6 ? device.seal() : nil
            let upload = try EventUpload(
                device.stretch(sequences, seal: seal),
                owner: SampleDevice.owner,
                received: time,
                signedBy: SampleDevice.serverKey,
                extendsSchema: true
            )
            _ = try await store.accept(upload)
        }
        return try await store.events(EventFilter(), after: nil, limit: 10, maximumBytes: 1_000_000).events
    }

    /// What an audit says of the events.
    private static func problems(
        _ events: [StoredEvent],
        of owner: EventOwner = SampleDevice.owner,
        by keys: [[UInt8]] = [SampleDevice.serverKey.publicKey]
    ) throws -> (problems: [String], unsigned: UInt64) {
        var audit = PartitionAudit(partition: device.partition)
        audit.checkTimes(of: owner, signedBy: keys)
        for event in events { audit.add(StoredLeaf(event)) }
        let count = UInt64(events.count)
        audit.finish(count: count, root: device.frontier(through: events.count).root, seal: nil)
        return (audit.problems, audit.unsignedCount)
    }

    /// The event with another time or another mark.
    private static func altered(_ event: StoredEvent, at time: EventInstant? = nil, _ mark: StretchMark? = nil)
        -> StoredEvent
    {
        StoredEvent(
            partition: event.partition,
            sequence: event.sequence,
            owner: event.owner,
            event: event.event,
            leaf: event.leaf,
            received: time ?? event.received,
            mark: mark ?? event.mark
        )
    }

    private static func sentence(_ events: String) -> String {
        "Partition \(device.partition): the time of receipt of \(events) is not the one that this server signed."
    }

    @Test("what nobody altered holds, for each number of stretches")
    func untouched() async throws {
        let events = try await Self.stored()
        for count in [0, 2, 3, 6] {
            let found = try Self.problems(Array(events.prefix(count)))
            #expect(found.problems == [] && found.unsigned == 0)
        }
    }

    @Test("another time of any event, earlier or later, also of all events of a stretch, is a finding")
    func times() async throws {
        let events = try await Self.stored()
        let names = ["events 1 to 2", "events 1 to 2", "event 3", "events 4 to 6", "events 4 to 6", "events 4 to 6"]
        for time in Self.times + [0, 90].map({ EventInstant(microseconds: $0 * 60_000_000) }) {
            for index in events.indices where events[index].received != time {
                var changed = events
                changed[index] = Self.altered(events[index], at: time)
                #expect(try Self.problems(changed).problems == [Self.sentence(names[index])])
            }
            for stretch in [0...1, 2...2, 3...5] where events[stretch.lowerBound].received != time {
                var changed = events
                for index in stretch { changed[index] = Self.altered(events[index], at: time) }
                #expect(try Self.problems(changed).problems == [Self.sentence(names[stretch.lowerBound])])
            }
        }
    }

    @Test("a receipt that is cut off, put elsewhere, exchanged or another server's is a finding")
    func marks() async throws {
        let events = try await Self.stored()
        let marks = events.map(\.mark)
        for index in events.indices {
            for mark in marks + [.inside, .damaged] where mark != marks[index] {
                var changed = events
                changed[index] = Self.altered(events[index], mark)
                #expect(try !Self.problems(changed).problems.isEmpty)
            }
        }
        #expect(
            try Self.problems(Array(events.dropLast())).problems == [
                "Partition \(Self.device.partition): the time of receipt of events 4 to 5 is not signed."
            ]
        )
        let other = try SigningKey(SigningKey.makeKey()).publicKey
        #expect(try Self.problems(events, by: [other]).problems == [Self.sentence("events 1 to 2")])
        #expect(try Self.problems(events, by: [other, SampleDevice.serverKey.publicKey]).problems == [])
        let mallory = EventOwner(app: SampleDevice.owner.app, user: "mallory")
        #expect(try Self.problems(events, of: mallory).problems == [Self.sentence("events 1 to 2")])
    }

    @Test("events of an earlier version are counted, and none of them comes behind one that was signed")
    func unsigned() async throws {
        var events = try await Self.stored()
        for index in 0...1 { events[index] = Self.altered(events[index], .unsigned) }
        let found = try Self.problems(events)
        #expect(found.problems == [] && found.unsigned == 2)
        events[2] = Self.altered(events[2], .unsigned)
        #expect(try Self.problems(events).unsigned == 3)

        for index in 3...5 {
            var changed = events
            changed[2] = try await Self.stored()[2]
            changed[index] = Self.altered(events[index], .unsigned)
            #expect(
                try Self.problems(changed).problems == [
                    "Partition \(Self.device.partition): event \(index + 1) is marked as older than the ones in front of it."
                ]
            )
        }
    }

    @Test("what a store keeps of a receipt is read as it was, and nothing else is read as one")
    func bytes() async throws {
        let marks = try await Self.stored().map(\.mark)
        for receipt in marks.compactMap(\.receipt) {
            #expect(StretchMark(bytes: receipt.bytes) == .end(receipt))
            #expect(StretchMark(bytes: receipt.bytes + [0]) == .damaged)
            #expect(StretchMark(bytes: Array(receipt.bytes.dropLast())) == .damaged)
            #expect(StretchMark(bytes: [2] + receipt.bytes.dropFirst()) == .damaged)
        }
        #expect(marks.compactMap { $0.receipt?.isSealed } == [false, false, true])
        #expect(StretchMark(bytes: [0]) == .unsigned)
        #expect(StretchMark(bytes: []) == .damaged)
        #expect(StretchMark(bytes: [1]) == .damaged)
    }

    @Test("the receipt that a device gets is the one that lies with its events")
    func answer() async throws {
        let upload = try Self.device.upload(1...3)
        let receipt = try #require(upload.proof.receipt)
        try receipt.verifySignature()
        #expect(upload.mark(of: 2) == .end(StretchReceipt(receipt)))
        #expect(upload.mark(of: 1) == .inside)
        #expect(receipt.issued == upload.received && receipt.durableThrough == 3 && receipt.root == upload.root)
    }
}
