import ChangeModel
import ChangeModelTesting
import EventModel
import Synchronization
import Testing

@Suite("Promises of a store that syncs")
struct SyncedStoreConformanceTests {
    /// A subject over a store in memory, whose clocks go on by a millisecond for each commit.
    private func subject(_ store: InMemorySyncedStore, as seam: any SyncedStore) -> SyncedStoreConformance.Subject {
        let time = Counter()
        return SyncedStoreConformance.Subject(
            store: seam,
            commit: { store.commit($0, reading: time.reading) },
            value: { store.contents[$0, $1] },
            close: { store.close() }
        )
    }

    @Test("the store in memory keeps every promise")
    func honest() async {
        let kit = SyncedStoreConformance {
            let store = InMemorySyncedStore()
            return subject(store, as: store)
        }

        #expect(await kit.brokenPromises() == [])
    }

    @Test(
        "a store that lies is found by the promise that it breaks",
        arguments: LyingStore.Lie.allCases.filter { $0 != .keepsNothingPending }
    )
    func liars(lie: LyingStore.Lie) async {
        let kit = SyncedStoreConformance {
            let store = InMemorySyncedStore()
            return subject(store, as: LyingStore(store, lie))
        }

        #expect(await kit.brokenPromises().contains { $0.hasPrefix(lie.rawValue) })
    }

    @Test("a store that shows what others wrote over a pending write is found")
    func keepsNothingPending() async {
        let kit = SyncedStoreConformance {
            let store = InMemorySyncedStore()
            return SyncedStoreConformance.Subject(
                store: store,
                // Commits at the beginning of time: everything of others is newer and is shown over it.
                commit: {
                    store.commit($0, reading: ClockReading(wall: .zero, monotonicNanoseconds: 0, boot: .sample))
                },
                value: { store.contents[$0, $1] },
                close: { store.close() }
            )
        }

        #expect(
            await kit.brokenPromises().contains { $0.hasPrefix(LyingStore.Lie.keepsNothingPending.rawValue) }
        )
    }
}

extension Boot {
    fileprivate static let sample = Boot(high: 0, low: 1)
}

extension EventInstant {
    fileprivate static let zero = EventInstant(microseconds: 0)
}

/// The clocks of a device in a test: a millisecond later at each look.
final class Counter: Sendable {
    private let milliseconds = Mutex<Int64>(1_000_000)

    var reading: ClockReading {
        let now = milliseconds.withLock { milliseconds in
            milliseconds += 1
            return milliseconds
        }
        return ClockReading(
            wall: EventInstant(microseconds: now * 1000),
            monotonicNanoseconds: UInt64(now) * 1_000_000,
            boot: .sample
        )
    }
}
