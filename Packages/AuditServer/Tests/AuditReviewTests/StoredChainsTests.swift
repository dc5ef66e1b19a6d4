import AuditServerTesting
import EventModel
import EventProofs
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
        try await StoredChains(store: store, access: access).gaps()
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
}
