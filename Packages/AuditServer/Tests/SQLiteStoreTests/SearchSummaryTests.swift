import AuditServerTesting
import EventModel
import EventModelTesting
import Testing

@testable import AuditModel
@testable import SQLiteStore

@Suite("Summary of a search")
struct SearchSummaryTests {
    private static func filled() async throws -> (SearchIndex, any AuditStore) {
        let store = InMemoryEventStore()
        var (first, second) = (SampleDevice(1), SampleDevice(2))
        let patient = #"{"type":"Patient","value":[{"_id":"p1"},{"_id":"p2"}]}"#
        first.record(first.event("Rounds", data: patient, metadata: try EventMetadata(["nurse": "ada"])))
        first.record(first.event("Rounds", event: "write", data: #"{"Patient":{"deletions":[{"_id":"p1"}]}}"#))
        first.record(first.event("Save", event: "button", data: nil))
        second.record(second.event("Rounds", data: #"{"type":"Visit","value":[{"_id":"p1"}]}"#))
        _ = try await store.accept(first.upload(1...3))
        _ = try await store.accept(second.upload(1...1, owner: EventOwner(app: "other", user: "bb")))
        let index = try SearchIndex()
        try await index.refresh(from: store)
        return (index, store)
    }

    private static func text(_ parts: SearchSummary.Parts) -> [String] {
        parts.most.map { "\($0.value.replacing("\u{0}", with: "=")) \($0.tally.events)" }
    }

    @Test("accounts, activities, types, metadata, classes and keys are counted with their times")
    func counting() async throws {
        let (index, _) = try await Self.filled()
        let summary = try await index.summary(of: EventFilter(), limit: 10, clock: ManualClock())

        let all = try #require(summary.all)
        #expect((all.events, all.reads, all.writes) == (4, 2, 1))
        #expect(all.first == EventInstant(microseconds: 1_700_000_000_000_001))
        #expect(all.last == EventInstant(microseconds: 1_700_000_000_000_003))
        #expect(summary.isExact)
        #expect(Self.text(summary.accounts) == ["\(SampleDevice.owner.user) 3", "bb 1"])
        #expect(summary.accounts.most.map(\.app) == ["ward-app", "other"])
        #expect(Self.text(summary.activities) == ["Rounds 3", "Save 1"])
        #expect(Set(Self.text(summary.types)) == ["read 2", "write 1", "button 1"])
        #expect(Self.text(summary.metadata) == ["nurse=ada 1"])
        #expect(Self.text(summary.classes) == ["Patient 2", "Visit 1"])
        #expect(Self.text(summary.keys) == ["p1 3", "p2 1"])
        #expect(summary.boots.count == 1)
        let rounds = try #require(summary.activities.most.first?.tally)
        #expect((rounds.reads, rounds.writes) == (2, 1))
    }

    @Test("no more values are named than asked for, and how many there are is told")
    func limit() async throws {
        let (index, _) = try await Self.filled()
        let summary = try await index.summary(of: EventFilter(), limit: 1, clock: ManualClock())
        #expect(Self.text(summary.activities) == ["Rounds 3"])
        #expect(summary.activities.count == 2)
        #expect(summary.keys.count == 2)
    }

    @Test("objects of another class with the same key are kept out of counts, which are not exact then")
    func classAndKey() async throws {
        let (index, _) = try await Self.filled()
        let filter = EventFilter(objectClass: "Patient", objectKey: "p1")
        let summary = try await index.summary(of: filter, limit: 10, clock: ManualClock())
        #expect(summary.all?.events == 2)
        #expect(!summary.isExact)
        let volume = try await index.volume(of: filter, bars: 2, clock: ManualClock())
        #expect(volume.counts.reduce(0, +) == 2)
        #expect(!volume.isExact)
        let key = EventFilter(objectClass: "Patient", objectKey: "0123456789abcdef01234567")
        #expect(key.isCountedExactly)
    }

    @Test("nothing is an answer, and so is a search for a text, which is not counted exactly")
    func edges() async throws {
        let (index, _) = try await Self.filled()
        let none = try await index.summary(of: EventFilter(person: "nobody"), limit: 10, clock: ManualClock())
        #expect(none.all == nil)
        #expect(none.isExact)
        #expect(none.accounts.most.isEmpty)
        let text = try await index.summary(of: EventFilter(text: "x"), limit: 10, clock: ManualClock())
        #expect(!text.isExact)
    }

    @Test("who may read a part has that part counted: of some apps, and of some partitions of an app")
    func bounded() async throws {
        let (index, _) = try await Self.filled()
        let pattern = try #require(try? PrefixPattern("nothing"))
        let accesses: [(EventAccess, Int64)] = [
            (EventAccess(apps: ["other"]), 1), (EventAccess(apps: ["ward-app", "third"]), 3),
            (EventAccess(apps: []), 0),
            (EventAccess(apps: nil, prefixes: ["ward-app": [pattern]]), 1),
            (EventAccess(apps: nil, prefixes: ["ward-app": [.all]]), 4),
        ]
        for (access, count) in accesses {
            let filter = EventFilter(access: access)
            let summary = try await index.summary(of: filter, limit: 10, clock: ManualClock())
            #expect(summary.all?.events ?? 0 == count)
            let volume = try await index.volume(of: filter, bars: 2, clock: ManualClock())
            #expect(volume.counts.reduce(0, +) == count)
            #expect(volume.isExact)
        }
    }

    @Test("the terms of an entry are read as they were written")
    func packing() {
        var packed = PackedTerms()
        let terms: [(Int64, SearchTerm.Kind)] = [(1, .all), (7, .boot), (8, .event), (1 << 40, .objectKey), (0, .app)]
        for (id, kind) in terms { packed.append(id, kind) }
        var found: [String] = []
        PackedTerms.visit(packed.bytes) { found.append("\($0) \($1)") }
        #expect(found == terms.map { "\($0) \($1)" })
        // A number that is cut off, and one that no kind has.
        PackedTerms.visit([0x80]) { _, _ in Issue.record("nothing is there") }
        PackedTerms.visit([0x0F]) { _, _ in Issue.record("no such kind") }
    }
}
