import AuditServerTesting
import EventModel
import EventModelTesting
import Testing

@testable import AuditModel
@testable import SQLiteStore

@Suite("What the search index forgets of erased events")
struct SearchForgettingTests {
    private let store = InMemoryEventStore()
    private let device: SampleDevice

    init() async throws {
        var device = SampleDevice()
        device.record(["secret one", "secret two", "other", "secret three", "kept"])
        _ = try await store.accept(device.upload(1...5))
        self.device = device
    }

    private func begin() async throws -> Int64 {
        let act = LegalHold.Act(by: "a", at: SampleDevice.received, reason: "r")
        let order = ErasureOrder(kind: .request, begun: act, filter: KeepingFilter(activity: "secret"))
        return try await store.begin(order).number
    }

    private func erase(_ sequences: [UInt64], for erasure: Int64) async throws {
        let places = sequences.map { EventAddress(partition: device.partition, sequence: $0) }
        _ = try await store.erase(places, for: erasure)
    }

    private func activities(_ index: SearchIndex) async throws -> [String] {
        try await index.refresh(from: store)
        return try await index.values(.activity, limit: 10).map(\.value).sorted()
    }

    @Test("what an erasure took is forgotten although its server died in the middle of it, and later erasures, too")
    func died() async throws {
        let index = try SearchIndex()
        #expect(try await activities(index).count == 5)
        let unfinished = try await begin()
        try await erase([1], for: unfinished)
        #expect(try await activities(index) == ["kept", "other", "secret three", "secret two"])

        let later = try await begin()
        try await erase([3], for: later)
        _ = try await store.finish(later)
        #expect(try await activities(index) == ["kept", "secret three", "secret two"])
        try await erase([2], for: unfinished)
        #expect(try await activities(index) == ["kept", "secret three"])
        _ = try await store.finish(unfinished)
        let last = try await begin()
        try await erase([4], for: last)
        _ = try await store.finish(last)
        #expect(try await activities(index) == ["kept"])
        #expect(try await activities(index) == ["kept"])
    }

    @Test("an erasure that is under way here is forgotten at once, in the end, or when it failed")
    func underWay() async throws {
        let index = try SearchIndex()
        #expect(try await activities(index).count == 5)
        let erasure = try await begin()
        index.willErase(erasure)
        try await erase([1, 2], for: erasure)
        #expect(try await activities(index).count == 5)

        index.didErase(erasure)

        #expect(try await activities(index) == ["kept", "other", "secret three"])
    }

    @Test("an index that is opened again goes on where it was")
    func reopened() async throws {
        let folder = try TestFolder.made()
        let unfinished = try await begin()
        try await erase([1], for: unfinished)
        #expect(try await activities(SearchIndex(path: folder.file("search"))).count == 4)
        try await erase([2], for: unfinished)

        #expect(try await activities(SearchIndex(path: folder.file("search"))) == ["kept", "other", "secret three"])
    }
}
