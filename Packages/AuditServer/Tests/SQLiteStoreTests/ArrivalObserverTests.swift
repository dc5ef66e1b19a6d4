import AuditServerTesting
import EventModel
import EventModelTesting
import Synchronization
import Testing

@testable import AuditModel
@testable import SQLiteStore

@Suite("Who sees what arrives")
struct ArrivalObserverTests {
    /// Stores another partition when it sees the first events, as a watch records what it raises.
    private final class RecordingObserver: ArrivalObserver {
        private let store: any AuditStore
        private let index: SearchIndex
        private let count = Mutex(0)

        init(_ store: any AuditStore, _ index: SearchIndex) {
            (self.store, self.index) = (store, index)
        }

        func willEnter(_ events: [StoredEvent]) async throws {
            let isFirst = count.withLock { count in
                count += 1
                return count == 1
            }
            guard isFirst else { return }
            var own = SampleDevice(2)
            own.record(own.event("seen"))
            index.didStore(try await store.accept(own.upload(1...1)).partition)
        }
    }

    @Test("what is stored while events are entered is for the next time, and those before it are all there")
    func storedMeanwhile() async throws {
        let (store, index) = (InMemoryEventStore(), try SearchIndex())
        let observer = RecordingObserver(store, index)
        index.observe(by: observer)
        var device = SampleDevice(1)
        device.record(device.event("Rounds"))
        _ = try await store.accept(device.upload(1...1))

        func activities() async throws -> [String] {
            try await index.search(EventFilter(), SearchRange(isNewestFirst: false), in: store, clock: ManualClock())
                .hits.compactMap { $0.stored.event?.activity }
        }
        #expect(try await index.refresh(from: store))
        #expect(try await activities() == ["Rounds"])
        #expect(try await index.refresh(from: store))
        #expect(try await activities().sorted() == ["Rounds", "seen"])
        withExtendedLifetime(observer) {}
    }
}
