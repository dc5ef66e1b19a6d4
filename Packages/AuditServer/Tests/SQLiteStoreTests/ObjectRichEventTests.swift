import AuditServerTesting
import EventModel
import EventModelTesting
import Synchronization
import Testing

@testable import AuditModel
@testable import SQLiteStore

@Suite("Events with very many objects")
struct ObjectRichEventTests {
    /// A read of so many patients, `p0` and on.
    private static func read(_ count: Int) -> String {
        let objects = (0..<count).map { "{\"_id\":\"p\($0)\"}" }.joined(separator: ",")
        return "{\"type\":\"Patient\",\"value\":[\(objects)]}"
    }

    /// A device whose first event has more objects than terms, between others of few.
    private static func device() throws -> SampleDevice {
        var device = SampleDevice()
        device.record(device.event("Export", data: read(12_000)))
        device.record(device.event("Open chart", data: read(1)))
        device.record(device.event("Open chart", data: #"{"type":"Patient","value":[{"_id":"p11999"}]}"#))
        device.record(device.event("Open chart", data: #"{"type":"Visit","value":[{"_id":"p11999"}]}"#))
        return device
    }

    private static func filled() async throws -> (store: InMemoryEventStore, index: SearchIndex) {
        let (store, index) = (InMemoryEventStore(), try SearchIndex())
        _ = try await store.accept(device().upload(1...4))
        #expect(try await index.refresh(from: store))
        return (store, index)
    }

    @Test("an event has at most 10,000 terms of its objects, and one that says that there are more")
    func terms() throws {
        func terms(_ data: String, event: String = "read") -> Set<SearchTerm> {
            let device = SampleDevice()
            return SearchTerm.all(
                of: StoredEvent(
                    partition: device.partition,
                    sequence: 1,
                    owner: SampleDevice.owner,
                    event: device.event("a", event: event, data: data),
                    leaf: nil,
                    received: nil
                )
            )
        }
        let few = terms(Self.read(9_000))
        let many = terms(Self.read(12_000))
        let same = terms(
            "{\"type\":\"P\",\"value\":[\(Array(repeating: "{\"_id\":1}", count: 20_000).joined(separator: ","))]}"
        )
        let classes = terms("{\((0..<12_000).map { "\"C\($0)\":{}" }.joined(separator: ","))}", event: "write")

        #expect(few.count == 9_000 + 9 && !few.contains(SearchTerm(.more)))
        #expect(many.count == 10_001 && many.contains(SearchTerm(.more)))
        #expect(many.contains(SearchTerm(.objectKey, "p0")), "the first are entered")
        #expect(!same.contains(SearchTerm(.more)), "one object that is listed often is one")
        #expect(classes.count == 10_001 && classes.contains(SearchTerm(.more)))
    }

    @Test(
        "an event is found by each object that it shows, also by those without a term",
        arguments: [
            (EventFilter(objectKey: "p11999"), [1, 3, 4]), (EventFilter(objectKey: "p0"), [1, 2]),
            (EventFilter(objectKey: "p11998"), [1]), (EventFilter(objectKey: "p12000"), []),
            (EventFilter(objectClass: "Patient"), [1, 2, 3]), (EventFilter(objectClass: "Visit"), [4]),
            (EventFilter(objectClass: "Patient", objectKey: "p11999"), [1, 3]),
            (EventFilter(objectKey: "p11999", activity: "Open chart"), [3, 4]),
            (EventFilter(objectKey: "p11999", activity: "Export"), [1]),
            (EventFilter(objectClass: "Nobody", activity: "Export"), []),
        ] as [(EventFilter, [UInt64])]
    )
    func searching(filter: EventFilter, sequences: [UInt64]) async throws {
        let (store, index) = try await Self.filled()
        for isNewestFirst in [true, false] {
            var range = SearchRange(isNewestFirst: isNewestFirst, limit: 1)
            var found: [UInt64] = []
            repeat {
                let page = try await index.search(filter, range, in: store, clock: ManualClock())
                found += page.hits.map(\.stored.sequence)
                range.after = page.next
            } while range.after != nil
            #expect(found == (isNewestFirst ? sequences.reversed() : sequences))
        }
    }

    @Test("a count by an object says that it is not exact where an event has more objects than terms")
    func counting() async throws {
        let (_, index) = try await Self.filled()
        func isExact(_ filter: EventFilter) async throws -> [Bool] {
            [
                try await index.volume(of: filter, bars: 2, clock: ManualClock()).isExact,
                try await index.summary(of: filter, limit: 5, clock: ManualClock()).isExact,
            ]
        }

        #expect(try await isExact(EventFilter(objectClass: "Patient")) == [false, false])
        #expect(try await isExact(EventFilter(objectKey: "p11999")) == [false, false])
        #expect(try await isExact(EventFilter(activity: "Export")) == [true, true])
    }

    @Test("objects that lie deep in each other are found, and what is too deep hides nothing behind it")
    func nested() {
        func keys(_ data: String) -> [String] {
            EventObject.all(in: SampleDevice().event("a", data: data)).map(\.key)
        }
        let deep = (0..<100).map { "{\"_id\":\($0),\"next\":[" }.joined() + String(repeating: "]}", count: 100)
        let tooDeep = String(repeating: "{\"a\":[", count: 300) + String(repeating: "]}", count: 300)

        #expect(keys("{\"type\":\"P\",\"value\":[\(deep)]}") == (0..<100).map { "\($0)" })
        #expect(keys("{\"type\":\"P\",\"value\":[\(tooDeep),{\"_id\":\"behind\"}]}") == ["behind"])
    }

    @Test("one request enters a part of many large events, and the next ones the rest")
    func slices() async throws {
        let (store, index) = (InMemoryEventStore(), try SearchIndex())
        var device = SampleDevice()
        for _ in 0..<4 { device.record(device.event("a", data: String(repeating: " ", count: 2_000_000))) }
        _ = try await store.accept(device.upload(1...4))

        for number in 1...4 as ClosedRange<Int64> {
            let isCurrent = try await index.refresh(from: store, maximumEvents: IndexingBudget.request)
            #expect(try await index.lastNumber() == number)
            #expect(isCurrent == (number == 4))
        }
    }

    /// Cancels the task that enters the first events.
    private final class CancellingObserver: ArrivalObserver {
        private let isDone = Mutex(false)

        func willEnter(_ events: [StoredEvent]) async throws {
            guard isDone.withLock({ $0.swap(true) }) else { return }
            withUnsafeCurrentTask { $0?.cancel() }
        }
    }

    @Test("indexing ends with its task, and what it left is entered later")
    func cancellation() async throws {
        let (store, index) = (InMemoryEventStore(), try SearchIndex())
        for number in 1...3 as ClosedRange<UInt32> {
            var device = SampleDevice(number)
            device.record(device.event("a", data: String(repeating: " ", count: 2_000_000)))
            _ = try await store.accept(device.upload(1...1))
        }
        let observer = CancellingObserver()
        index.observe(by: observer)

        let outcome = await Task { try await index.refresh(from: store) }.result

        #expect(throws: CancellationError.self) { try outcome.get() }
        #expect(try await index.lastNumber() <= 1)
        #expect(try await index.refresh(from: store))
        #expect(try await index.lastNumber() == 3)
        withExtendedLifetime(observer) {}
    }
}

extension Bool {
    /// Sets another value; returns whether it was another one before.
    fileprivate mutating func swap(_ value: Bool) -> Bool {
        defer { self = value }
        return self != value
    }
}
