import AuditServerTesting
import EventModel
import EventModelTesting
import GRDB
import Synchronization
import Testing

@testable import AuditModel
@testable import SQLiteStore

@Suite("Volume and filling of the search index")
struct SearchVolumeTests {
    private static func device(_ number: UInt32, _ times: [Int64]) -> SampleDevice {
        var device = SampleDevice(number)
        for (index, time) in times.enumerated() {
            device.record(
                AuditEvent(
                    id: ObjectId(high: UInt64(number), low: UInt32(index)),
                    clock: ClockReading(
                        wall: EventInstant(microseconds: time),
                        monotonicNanoseconds: 1,
                        boot: Boot(high: 1, low: 2)
                    ),
                    activity: "Rounds",
                    event: index.isMultiple(of: 3) ? "write" : "read"
                )
            )
        }
        return device
    }

    // MARK: - Blocks

    /// The blocks of the term that most events have, as "start:count".
    private static func blocks(_ index: SearchIndex, _ text: String = "Rounds") async throws -> [String] {
        try await index.database.read { database in
            try String.fetchAll(
                database,
                sql: """
                    SELECT iif(start = -9223372036854775808, 'min', start) || ':' || Tally.count \
                    FROM Tally JOIN Term ON Term.id = term WHERE text = CAST(? AS BLOB) AND kind < 16 ORDER BY start
                    """,
                arguments: [text]
            )
        }
    }

    @Test("blocks are made of a term that many events have, cut where they grow, and not inside one time")
    func blocks() async throws {
        let store = InMemoryEventStore()
        let index = try SearchIndex(tallySize: 2)
        let times: [Int64] = [10, 20, 30, 40, 50, 60, 70, 70, 70, 70, 70, 15]
        let device = Self.device(1, times)
        func blocks(after count: Int, _ first: Int) async throws -> [String] {
            _ = try await store.accept(device.upload(first...count))
            index.didStore(device.partition)
            try await index.refresh(from: store)
            return try await Self.blocks(index)
        }

        #expect(try await blocks(after: 3, 1) == [])
        #expect(try await blocks(after: 4, 4) == ["min:2", "30:2"])
        #expect(try await blocks(after: 6, 5) == ["min:2", "30:2", "50:2"])
        #expect(try await blocks(after: 8, 7) == ["min:2", "30:2", "50:2", "70:2", "71:0"])
        #expect(try await blocks(after: 11, 9) == ["min:2", "30:2", "50:2", "70:5", "71:0"])
        #expect(try await blocks(after: 12, 12) == ["min:3", "30:2", "50:2", "70:5", "71:0"])
    }

    @Test("blocks count what their term has, also after events of it were erased")
    func sums() async throws {
        let store = InMemoryEventStore()
        let index = try SearchIndex(tallySize: 4)
        var generator = SeededGenerator(seed: 3)
        let device = Self.device(1, (0..<300).map { _ in Int64(generator.below(200)) })
        _ = try await store.accept(device.upload(1...300))
        try await index.refresh(from: store)
        #expect(try await Self.unequal(index) == [])
        #expect(try await Self.blocks(index, "write").count > 10)

        let act = LegalHold.Act(by: "a", at: SampleDevice.received, reason: "r")
        let order = ErasureOrder(kind: .request, begun: act, filter: KeepingFilter(activity: "Rounds"))
        let erasure = try await store.begin(order).number
        let places = (1...298).map { EventAddress(partition: device.partition, sequence: $0) }
        _ = try await store.erase(places, for: erasure)
        _ = try await store.finish(erasure)
        try await index.refresh(from: store)

        #expect(try await Self.unequal(index) == [])
        #expect(try await Self.blocks(index) == [])
        let erased = try await index.volume(of: EventFilter(outcome: .erased), bars: 2, clock: ManualClock())
        #expect(erased.counts == [298, 0])
    }

    /// The terms whose number, postings and blocks do not agree.
    private static func unequal(_ index: SearchIndex) async throws -> [Int64] {
        try await index.database.read { database in
            try Int64.fetchAll(
                database,
                sql: """
                    SELECT id FROM Term WHERE count <> (SELECT count(*) FROM Posting WHERE term = id) \
                    OR (count >= \(2 * index.tallySize)) <> EXISTS (SELECT 1 FROM Tally WHERE term = id) \
                    OR count <> (SELECT sum(count) FROM Tally WHERE term = id)
                    """
            )
        }
    }

    @Test("a count for which the time was not enough says so, and spans all that there may be")
    func lateness() async throws {
        let store = InMemoryEventStore()
        let index = try SearchIndex()
        var device = Self.device(1, (0..<2000).map { Int64($0) })
        device.record(device.event("Pause"))
        _ = try await store.accept(device.upload(1...2001))
        try await index.refresh(from: store)
        let received = EventFilter(activity: "Rounds", receivedSince: SampleDevice.received)

        let hurried = try await index.volume(of: received, bars: 2, clock: HurryingClock())
        let none = try await index.volume(
            of: EventFilter(activity: "Pause", event: "write"),
            bars: 2,
            clock: HurryingClock()
        )
        let single = try await index.volume(of: EventFilter(event: "read"), bars: 2, clock: HurryingClock())

        #expect(!hurried.isExact)
        #expect(hurried.counts.reduce(0, +) < 300 && hurried.counts[0] == 0)
        #expect(hurried.start == EventInstant(microseconds: 0))
        #expect(none.counts == [] && none.isExact)
        #expect(single.isExact && single.counts.reduce(0, +) == 1334)
    }

    @Test("what auditors do is counted where their app is named, and nowhere else")
    func trail() async throws {
        let store = InMemoryEventStore()
        let index = try SearchIndex(tallySize: 2)
        let (ours, theirs) = (Self.device(1, [1, 2, 3, 4, 5]), Self.device(2, [1, 2, 3]))
        _ = try await store.accept(ours.upload(1...5))
        _ = try await store.accept(theirs.upload(1...3, owner: EventOwner(app: TrailEvent.app, user: "a")))
        try await index.refresh(from: store)
        func count(_ filter: EventFilter) async throws -> Int64 {
            try await index.volume(of: filter, bars: 2, clock: ManualClock()).counts.reduce(0, +)
        }

        #expect(try await count(EventFilter()) == 5)
        #expect(try await count(EventFilter(activity: "Rounds")) == 5)
        #expect(try await count(EventFilter(app: TrailEvent.app)) == 3)
        #expect(try await count(EventFilter(app: TrailEvent.app, activity: "Rounds")) == 3)
        #expect(try await count(EventFilter(person: "a")) == 0)
        #expect(try await Set(index.values(.app, limit: 9).map(\.value)) == ["ward-app", TrailEvent.app])
        #expect(try await index.values(.activity, limit: 9).map(\.events) == [5])
    }

    // MARK: - Filling

    @Test("new events of many partitions are entered in one transaction, many of one in several", arguments: [0, 1])
    func transactions(seals: Int) async throws {
        let store = InMemoryEventStore()
        let index = try SearchIndex()
        let counter = TransactionCounter()
        index.database.add(transactionObserver: counter)
        for number in 1...300 as ClosedRange<UInt32> {
            let device = Self.device(number, [1, 2])
            _ = try await store.accept(device.upload(1...2, seal: seals == 1 ? device.seal() : nil))
            index.didStore(device.partition)
        }

        #expect(try await index.refresh(from: store))
        #expect(counter.count == 1)

        let large = Self.device(301, (0..<4500).map { Int64($0) })
        _ = try await store.accept(large.upload(1...4500))
        index.didStore(large.partition)
        #expect(try await index.refresh(from: store, maximumEvents: 100) == false)
        #expect(counter.count == 2)
        #expect(try await index.refresh(from: store))
        #expect(counter.count == 5)
        let volume = try await index.volume(of: EventFilter(), bars: 2, clock: ManualClock())
        #expect(volume.counts.reduce(0, +) == 5100)
        #expect(try await index.values(.device, limit: 500).count == 300 * seals)
    }

    /// Counts transactions that changed something.
    private final class TransactionCounter: TransactionObserver {
        private let state = Mutex((changes: 0, commits: 0))

        var count: Int { state.withLock { $0.commits } }

        func observes(eventsOfKind eventKind: DatabaseEventKind) -> Bool { true }

        func databaseDidChange(with event: DatabaseEvent) { state.withLock { $0.changes += 1 } }

        func databaseDidCommit(_ database: Database) {
            state.withLock { state in
                if state.changes > 0 { state.commits += 1 }
                state.changes = 0
            }
        }

        func databaseDidRollback(_ database: Database) { state.withLock { $0.changes = 0 } }
    }

    @Test("what could not be entered is entered the next time, each event once")
    func failure() async throws {
        let store = InMemoryEventStore()
        let index = try SearchIndex()
        for number in 1...5 as ClosedRange<UInt32> {
            let device = Self.device(number, [1, 2])
            _ = try await store.accept(device.upload(1...2))
            index.didStore(device.partition)
        }
        let observer = Objector()
        index.observe(by: observer)

        await #expect(throws: AuditServerError.self) { try await index.refresh(from: store) }
        #expect(try await index.volume(of: EventFilter(), bars: 2, clock: ManualClock()).counts == [])
        #expect(try await index.refresh(from: store))
        #expect(try await index.volume(of: EventFilter(), bars: 2, clock: ManualClock()).counts == [5, 5])
    }

    /// Throws at the third partition, once.
    private final class Objector: ArrivalObserver {
        private let calls = Mutex(0)

        func willEnter(_ events: [StoredEvent]) async throws {
            let call = calls.withLock { calls in
                calls += 1
                return calls
            }
            if call == 3 { throw AuditServerError.unavailable(reason: "a test") }
        }
    }

    @Test("an index of the version before is emptied and filled again")
    func upgrade() async throws {
        let folder = try TestFolder.made()
        let path = folder.file("search.sqlite")
        let store = InMemoryEventStore()
        let device = Self.device(1, [1, 2, 3])
        _ = try await store.accept(device.upload(1...3, seal: device.seal()))
        try await SearchIndex(path: path).refresh(from: store)
        try await DatabaseQueue.beside(path)
            .write { database in
                // The version before had no tallies, and the terms of auditors among the others.
                try database.execute(
                    sql: """
                        DROP TABLE Tally; DELETE FROM Posting; UPDATE Entry SET time = 9; UPDATE Shelf SET count = 3;
                        PRAGMA user_version = 4;
                        """
                )
            }

        let index = try SearchIndex(path: path)
        #expect(try await index.volume(of: EventFilter(), bars: 3, clock: ManualClock()).counts == [])
        #expect(try await index.refresh(from: store))
        #expect(try await index.volume(of: EventFilter(), bars: 3, clock: ManualClock()).counts == [1, 1, 1])
        #expect(try await index.values(.device, limit: 9).map(\.events) == [3])
    }
}
