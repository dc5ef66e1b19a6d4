import AuditServerTesting
import EventModel
import EventModelTesting
import EventProofs
import Synchronization
import Testing

@testable import AuditModel
@testable import AuditReview

@Suite("Gaps among the partitions that are stored")
struct StoredChainsTests {
    /// Partitions of one device, of which each follows the one that is named by its place; nil for the first.
    private static func chain(_ previous: Int?...) throws -> [(device: SampleDevice, seal: PartitionSeal)] {
        let key = DeviceKey()
        return try previous.enumerated()
            .reduce(into: []) { chain, next in
                var device = SampleDevice(UInt32(next.offset + 1))
                device.record(["partition \(next.offset)"])
                let root = next.element.map { chain[$0].seal.root }
                chain.append((device, try device.signed(by: key, after: root)))
            }
    }

    private static func store(
        _ chain: [(device: SampleDevice, seal: PartitionSeal)],
        without missing: Set<Int> = []
    ) async throws -> InMemoryEventStore {
        let store = InMemoryEventStore()
        for (place, link) in chain.enumerated() where !missing.contains(place) {
            _ = try await store.accept(link.device.upload(1...1, seal: link.seal))
        }
        return store
    }

    private static func gaps(_ store: InMemoryEventStore, _ access: EventAccess = .all) async throws -> [PartitionID] {
        try await StoredGaps(store: store, clock: ManualClock()).followers(access)
    }

    @Test("nothing is missing in a whole chain, nor where two partitions follow one that is there")
    func whole() async throws {
        #expect(try await Self.gaps(Self.store([])) == [])
        #expect(try await Self.gaps(Self.store(Self.chain(nil, 0, 1, 2))) == [])
        #expect(try await Self.gaps(Self.store(Self.chain(nil, 0, 0, 1))) == [])
    }

    @Test("each partition that follows one which is not stored is named, and no other one")
    func missing() async throws {
        let chain = try Self.chain(nil, 0, 1, 1, 3)
        let names = chain.map(\.device.partition)

        #expect(try await Self.gaps(Self.store(chain, without: [0])) == [names[1]])
        #expect(try await Self.gaps(Self.store(chain, without: [1])) == [names[2], names[3]])
        #expect(try await Self.gaps(Self.store(chain, without: [1, 3])) == [names[2], names[4]])
        #expect(try await Self.gaps(Self.store(chain, without: [4])) == [], "nobody can know of the last")
    }

    @Test("whoever may not read an app is told of no gap in it")
    func access() async throws {
        let store = try await Self.store(Self.chain(nil, 0), without: [0])

        #expect(try await Self.gaps(store, EventAccess(apps: ["other"])) == [])
        #expect(try await Self.gaps(store, EventAccess(apps: [SampleDevice.owner.app])).count == 1)
    }

    @Test("a partition that is stored is not missing for somebody who may not read it")
    func hiddenBefore() async throws {
        let key = DeviceKey()
        var first = SampleDevice(1, prefix: "night")
        first.record(["a"])
        let seal = try first.signed(by: key)
        var second = SampleDevice(2, prefix: "day")
        second.record(["b"])
        let store = InMemoryEventStore()
        _ = try await store.accept(first.upload(1...1, seal: seal))
        _ = try await store.accept(second.upload(1...1, seal: second.signed(by: key, after: seal.root)))
        let access = EventAccess(apps: nil, prefixes: [SampleDevice.owner.app: [try PrefixPattern("day")]])

        #expect(try await Self.gaps(store, access) == [])
    }

    /// Counts the listings that begin.
    private struct CountedListings: ForwardingEventStore {
        let inner: any AuditStore
        let counter: Counter

        final class Counter: Sendable {
            let count = Mutex(0)
        }

        func partitions(after: PartitionID?, limit: Int, maximumBytes: Int) async throws -> [PartitionRecord] {
            if after == nil { counter.count.withLock { $0 += 1 } }
            return try await inner.partitions(after: after, limit: limit, maximumBytes: maximumBytes)
        }
    }

    @Test("however many ask, the partitions are read by one of them, and not again within ten seconds")
    func shared() async throws {
        let chain = try Self.chain(nil, 0)
        let store = try await Self.store(chain)
        let counter = CountedListings.Counter()
        let clock = ManualClock()
        let gaps = StoredGaps(store: CountedListings(inner: store, counter: counter), clock: clock)
        func askMany() async throws -> Set<[PartitionID]> {
            try await withThrowingTaskGroup(of: [PartitionID].self) { group in
                for _ in 1...20 { group.addTask { try await gaps.followers(.all) } }
                return try await group.reduce(into: []) { $0.insert($1) }
            }
        }

        #expect(try await askMany() == [[]])
        clock.advance(microseconds: 9_999_999)
        #expect(try await askMany() == [[]])
        #expect(counter.count.withLock(\.self) == 1)
        clock.advance(microseconds: 1)
        #expect(try await askMany() == [[]])
        #expect(counter.count.withLock(\.self) == 2)
    }
}
