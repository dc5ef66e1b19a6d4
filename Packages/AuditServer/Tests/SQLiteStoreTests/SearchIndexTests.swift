import AuditModel
import AuditServerTesting
import EventModel
import EventModelTesting
import Foundation
import GRDB
import SQLiteStore
import Testing

@Suite("Search index")
struct SearchIndexTests {
    private static func read(_ name: String, _ keys: String...) -> String {
        let values = keys.map { "{\"_id\":\"\($0)\",\"name\":\"Ms <b>\($0)\"}" }
        return "{\"type\":\"\(name)\",\"value\":[\(values.joined(separator: ","))]}"
    }

    /// Two devices whose events take turns in time.
    private static func fill(_ store: any AuditStore) async throws {
        var first = SampleDevice(1)
        first.record(
            first.event("Rounds", data: read("Patient", "p1", "p2"), metadata: try EventMetadata(["nurse": "ada"]))
        )
        first.record(first.event("Rounds", event: "write", data: #"{"Patient":{"deletions":[{"_id":"p1"}]}}"#))
        first.record(first.event("Pressed Save", event: "button", data: nil))
        var second = SampleDevice(2)
        second.record(
            second.event("Handover", data: read("Visit", "p1"), metadata: try EventMetadata(["nurse": "bob"]))
        )
        second.record(
            AuditEvent(
                id: ObjectId(high: 9, low: 9),
                clock: second.event("x").clock,
                activity: "Handover",
                event: "read",
                data: Array(read("Ward", "w").utf8),
                marks: [.interrupted]
            )
        )
        _ = try await store.accept(first.upload(1...3))
        _ = try await store.accept(second.upload(1...2, owner: EventOwner(app: "other", user: "bb")))
    }

    private static func found(
        _ filter: EventFilter,
        _ range: SearchRange = SearchRange(isNewestFirst: false),
        _ index: SearchIndex,
        _ store: any AuditStore
    ) async throws -> [String] {
        try await index.search(filter, range, in: store, clock: ManualClock()).hits
            .map { "\($0.stored.partition.id.low).\($0.stored.sequence)" }
    }

    private static let questions: [(EventFilter, [String])] = [
        (EventFilter(), ["1.1", "2.1", "1.2", "2.2", "1.3"]),
        (EventFilter(app: "other"), ["2.1", "2.2"]),
        (EventFilter(person: SampleDevice.owner.user), ["1.1", "1.2", "1.3"]),
        (EventFilter(person: "ada"), ["1.1"]),
        (EventFilter(person: "Ada"), []),
        (EventFilter(objectClass: "Patient"), ["1.1", "1.2"]),
        (EventFilter(objectKey: "p1"), ["1.1", "2.1", "1.2"]),
        (EventFilter(objectClass: "Visit", objectKey: "p1"), ["2.1"]),
        (EventFilter(objectClass: "Visit", objectKey: "p2"), []),
        (EventFilter(activity: "Handover"), ["2.1", "2.2"]),
        (EventFilter(activity: "Handover", event: "write"), []),
        (EventFilter(event: "read"), ["1.1", "2.1", "2.2"]),
        (EventFilter(outcome: .interrupted), ["2.2"]),
        (EventFilter(metadata: ["nurse": "bob"]), ["2.1"]),
        (EventFilter(metadata: ["nurse": "bob", "shift": "1"]), []),
        (EventFilter(partition: SampleDevice(2).partition), ["2.1", "2.2"]),
        (EventFilter(boot: Boot(high: 1, low: 2).hex, text: "MS <B>P"), ["1.1", "2.1"]),
        (EventFilter(text: "save"), ["1.3"]),
        (EventFilter(text: "BOB"), ["2.1"]),
        (EventFilter(text: "nobody"), []),
        (EventFilter(since: EventInstant(microseconds: 1_700_000_000_000_002)), ["1.2", "2.2", "1.3"]),
        (EventFilter(until: EventInstant(microseconds: 1_700_000_000_000_002)), ["1.1", "2.1"]),
        (EventFilter(receivedSince: SampleDevice.received), ["1.1", "2.1", "1.2", "2.2", "1.3"]),
        (EventFilter(receivedUntil: SampleDevice.received), []),
    ]

    @Test("each filter finds exactly what fits, as reading all events does", arguments: [false, true])
    func filters(isInMemory: Bool) async throws {
        let folder = try TestFolder.made()
        let store: any AuditStore =
            try isInMemory ? InMemoryEventStore() : SQLiteEventStore(path: folder.file("db"))
        try await Self.fill(store)
        let index = try SearchIndex()
        #expect(try await index.refresh(from: store))
        let all = try await store.events(EventFilter(), after: nil, limit: 100, maximumBytes: 1_000_000).events

        for (filter, expected) in Self.questions {
            #expect(try await Self.found(filter, index: index, store) == expected, "\(filter)")
            let scanned = Set(all.filter(filter.matches).map { "\($0.partition.id.low).\($0.sequence)" })
            #expect(scanned == Set(expected), "\(filter)")
        }
    }

    private static func found(
        _ filter: EventFilter,
        index: SearchIndex,
        _ store: any AuditStore
    ) async throws -> [String] {
        try await found(filter, SearchRange(isNewestFirst: false), index, store)
    }

    @Test(
        "pages in both orders hold every event once, also of events of one time",
        arguments: [true, false],
        [1, 2, 3, 7]
    )
    func paging(isNewestFirst: Bool, limit: Int) async throws {
        let store = InMemoryEventStore()
        try await Self.fill(store)
        let index = try SearchIndex()
        try await index.refresh(from: store)
        var found: [String] = []
        var range = SearchRange(isNewestFirst: isNewestFirst, limit: limit)
        repeat {
            let page = try await index.search(EventFilter(), range, in: store, clock: ManualClock())
            #expect(page.hits.count <= limit)
            found += page.hits.map { "\($0.stored.partition.id.low).\($0.stored.sequence)" }
            range.after = page.next
        } while range.after != nil

        let expected = ["1.1", "2.1", "1.2", "2.2", "1.3"]
        #expect(found == (isNewestFirst ? expected.reversed() : expected))
    }

    @Test("new events are found once they are noted, and those of another server after the next sweep")
    func refreshing() async throws {
        let store = InMemoryEventStore()
        let index = try SearchIndex()
        #expect(try await index.refresh(from: store))
        var device = SampleDevice()
        device.record(["a", "b", "c", "d"])
        _ = try await store.accept(device.upload(1...2))

        try await index.refresh(from: store)
        #expect(try await Self.found(EventFilter(), index: index, store) == [])
        index.didStore(device.partition)
        #expect(try await index.refresh(from: store, maximumEvents: 1) == false)
        #expect(try await Self.found(EventFilter(), index: index, store) == ["1.1"])
        #expect(try await index.refresh(from: store))
        _ = try await store.accept(device.upload(3...4))
        index.invalidate()
        try await index.refresh(from: store)
        #expect(try await Self.found(EventFilter(), index: index, store) == ["1.1", "1.2", "1.3", "1.4"])
    }

    @Test("an event that was offered twice is found once")
    func repetition() async throws {
        let store = InMemoryEventStore()
        let index = try SearchIndex()
        var device = SampleDevice()
        device.record(["a"])
        device.record(device.events[0])
        _ = try await store.accept(device.upload(1...2))

        try await index.refresh(from: store)

        #expect(try await Self.found(EventFilter(), index: index, store) == ["1.1"])
    }

    @Test("an event that somebody changed is found under what it was, and marked")
    func changedEvent() async throws {
        let folder = try TestFolder.made()
        let store = try SQLiteEventStore(path: folder.file("db"))
        try await Self.fill(store)
        let index = try SearchIndex()
        try await index.refresh(from: store)
        try await DatabaseQueue.beside(folder.file("db"))
            .write { database in
                try database.execute(sql: "UPDATE AuditEvent SET activity = 'Pause' WHERE activity = 'Handover'")
                try database.execute(sql: "UPDATE AuditEvent SET _id = 'x' WHERE activity = 'Pressed Save'")
            }

        let page = try await index.search(
            EventFilter(activity: "Handover"),
            SearchRange(),
            in: store,
            clock: ManualClock()
        )
        let damaged = try await index.search(
            EventFilter(event: "button"),
            SearchRange(),
            in: store,
            clock: ManualClock()
        )

        #expect(page.hits.map(\.isChanged) == [true, true])
        #expect(page.hits.first?.stored.event?.activity == "Pause")
        #expect(damaged.hits.map(\.stored.outcome) == [.damaged])
        #expect(damaged.hits.map(\.isChanged) == [true])
    }

    @Test("an index on disk goes on where it was, and is made anew when it is lost, damaged or of another store")
    func reopening() async throws {
        let folder = try TestFolder.made()
        let path = folder.file("search.sqlite")
        let store = InMemoryEventStore()
        try await Self.fill(store)
        try await SearchIndex(path: path).refresh(from: store)

        let again = try SearchIndex(path: path)
        #expect(try await Self.found(EventFilter(), index: again, store).count == 5)

        let other = InMemoryEventStore()
        var device = SampleDevice(1)
        device.record(["only"])
        _ = try await other.accept(device.upload(1...1))
        #expect(try await again.refresh(from: other))
        #expect(try await Self.found(EventFilter(), index: again, other) == ["1.1"])

        try Data(repeating: 0x41, count: 8192).write(to: URL(fileURLWithPath: folder.file("broken")))
        let mended = try SearchIndex(path: folder.file("broken"))
        #expect(try await mended.refresh(from: store))
        #expect(try await Self.found(EventFilter(), index: mended, store).count == 5)
    }

    @Test("a page that takes long ends early and says where to go on")
    func budget() async throws {
        let store = InMemoryEventStore()
        var device = SampleDevice()
        device.record((1...1500).map { "a\($0)" })
        _ = try await store.accept(device.upload(1...1500))
        let index = try SearchIndex()
        try await index.refresh(from: store)
        var (pages, found) = (0, 0)
        var range = SearchRange(limit: 50)
        repeat {
            let page = try await index.search(EventFilter(text: "a7"), range, in: store, clock: HurryingClock())
            pages += 1
            found += page.hits.count
            range.after = page.next
        } while range.after != nil

        #expect(found == 111)
        #expect(pages > 3)
    }

    @Test("the volume counts events in bars of equal length, also of clocks that are far off")
    func volume() async throws {
        let store = InMemoryEventStore()
        let index = try SearchIndex()
        #expect(try await index.volume(of: EventFilter(), bars: 4, clock: ManualClock()).counts == [])
        try await Self.fill(store)
        try await index.refresh(from: store)

        let all = try await index.volume(of: EventFilter(), bars: 3, clock: ManualClock())
        let some = try await index.volume(of: EventFilter(event: "read"), bars: 2, clock: ManualClock())
        #expect(all.counts == [2, 2, 1])
        #expect(all.start == EventInstant(microseconds: 1_700_000_000_000_001))
        #expect(all.width == 1)
        #expect(some.counts == [2, 1])
        #expect(some.isExact)

        var device = SampleDevice(3)
        for time in [Int64.min, Int64.max] {
            let clock = ClockReading(
                wall: EventInstant(microseconds: time),
                monotonicNanoseconds: 1,
                boot: Boot(high: 1, low: 2)
            )
            device.record(AuditEvent(id: ObjectId(high: 3, low: time < 0 ? 1 : 2), clock: clock, activity: "far"))
        }
        _ = try await store.accept(device.upload(1...2))
        index.didStore(device.partition)
        try await index.refresh(from: store)
        #expect(try await index.volume(of: EventFilter(), bars: 4, clock: ManualClock()).counts.reduce(0, +) == 7)
    }

    @Test("the values of a kind are listed, the most frequent first")
    func values() async throws {
        let store = InMemoryEventStore()
        try await Self.fill(store)
        let index = try SearchIndex()
        try await index.refresh(from: store)

        #expect(try await index.values(.event, limit: 2).map(\.value) == ["read", "button"])
        #expect(try await index.values(.event, limit: 1).map(\.events) == [3])
        let nurses = try await index.values(.metadata, limit: 5)
        #expect(Set(nurses.map(\.value)) == ["nurse\u{0}ada", "nurse\u{0}bob"])
    }
}
