import EventModel
import EventModelTesting
import EventRecording
import EventRecordingTesting
import Testing

@Suite("Combining of reads and queries")
struct CombiningTests {
    private static let object = SampleClass("object", linkingTo: "target")
    private static let target = SampleClass("target")

    @Test("a query without matches makes no event", .tags(.scenario10))
    func emptyQuery() async throws {
        let fixture = try RecordingFixture()

        try await fixture.record { $0.query(Self.object, []) }

        #expect(fixture.sink.batchSizes == [])
    }

    @Test("a query with five matches makes one event with five values", .tags(.scenario11))
    func query() async throws {
        let fixture = try RecordingFixture()

        try await fixture.record { $0.query(Self.object, [1, 2, 3, 4, 5]) }

        #expect(fixture.texts == ["read object:1,2,3,4,5"])
    }

    @Test("the order of a query is kept")
    func queryOrder() async throws {
        let fixture = try RecordingFixture()

        try await fixture.record { $0.query(Self.object, [3, 1, 2]) }

        #expect(fixture.payloads == ["object:3,1,2"])
    }

    @Test(
        "reads of the same class after a query are folded into it, whether or not it matched them",
        .tags(.scenario12)
    )
    func foldedReads() async throws {
        let fixture = try RecordingFixture()

        try await fixture.record { store in
            store.query(Self.object, [1, 2, 3, 4, 5])
            store.read(Self.object, 3)
            store.read(Self.object, 9)
        }

        #expect(fixture.payloads == ["object:1,2,3,4,5,9"])
    }

    @Test("a read of another class is an event of its own and ends the folding", .tags(.scenario13, .scenario14))
    func otherClass() async throws {
        let fixture = try RecordingFixture()

        try await fixture.record { store in
            store.query(Self.object, [1, 2, 3, 4, 5])
            store.read(Self.target, 1)
            store.read(Self.object, 9)
        }

        #expect(fixture.payloads == ["object:1,2,3,4,5", "target:1", "object:9"])
    }

    @Test("a commit between query and read keeps them apart", .tags(.scenario15))
    func newVersion() async throws {
        let fixture = try RecordingFixture()

        try await fixture.record { store in
            store.query(Self.object, [1, 2], version: 1)
            store.read(Self.object, 1, version: 2)
        }

        #expect(fixture.payloads == ["object:1,2", "object:1"])
    }

    @Test(
        "an empty transaction makes no event and no version, and yet keeps the reads around it apart",
        .tags(.scenario15)
    )
    func emptyTransaction() async throws {
        let fixture = try RecordingFixture()

        try await fixture.record { store in
            store.query(Self.object, [1, 2])
            store.commit(CommitChanges(versionBefore: 1, versionAfter: 1, classes: []))
            store.read(Self.object, 1)
            store.commit(CommitChanges(versionBefore: 1, versionAfter: 1, classes: []))
            store.read(Self.object, 1)
        }

        #expect(fixture.payloads == ["object:1,2", "object:1", "object:1"])
    }

    @Test("adjacent queries of one class at one version are one event, each object once")
    func mergedQueries() async throws {
        let fixture = try RecordingFixture()

        try await fixture.record { store in
            store.query(Self.object, [1, 2])
            store.query(Self.object, [4, 2, 3])
        }

        #expect(fixture.payloads == ["object:1,2,4,3"])
    }

    @Test("a write does not end the folding of reads at the old version")
    func writeBetween() async throws {
        let fixture = try RecordingFixture()

        try await fixture.record { store in
            store.query(Self.object, [1])
            store.write(Self.object, modifying: [1], version: 1)
            store.read(Self.object, 2, version: 1)
            store.read(Self.object, 2, version: 2)
        }

        #expect(fixture.texts == ["read object:1,2", "write object m1", "read object:2"])
    }

    @Test("consecutive reads of one object are one event")
    func repeatedReads() async throws {
        let fixture = try RecordingFixture()

        try await fixture.record { store in
            store.read(Self.object, 1)
            store.read(Self.object, 1)
            store.read(Self.object, 2)
            store.read(Self.object, 1)
        }

        #expect(fixture.payloads == ["object:1", "object:2", "object:1"])
    }

    @Test("a read that is folded after an earlier repeat was dropped is not lost", .tags(.scenario96), .bug(id: "E1"))
    func foldedAfterDropped() async throws {
        let fixture = try RecordingFixture()

        try await fixture.record { store in
            store.read(Self.target, 1)
            store.read(Self.target, 1)
            store.query(Self.object, [1, 2])
            store.read(Self.object, 3)
        }

        #expect(fixture.payloads == ["target:1", "object:1,2,3"])
    }

    @Test(
        "a result that is looked at again adds nothing, in memory or in the event",
        .tags(.scenario100),
        .bug(id: "E5")
    )
    func repeatedResult() async throws {
        let fixture = try RecordingFixture()
        let matches = Self.object.snapshots(1...1000)

        try await fixture.record { store in
            for _ in 0..<1000 { store.query(Self.object, matches: matches) }
        }

        #expect(fixture.payloads == ["object:" + (1...1000).map(String.init).joined(separator: ",")])
    }

    @Test("alternating reads are all events", .tags(.scenario56))
    func alternatingReads() async throws {
        let fixture = try RecordingFixture()
        let snapshots = [Self.object.snapshot(1), Self.object.snapshot(2)]

        try await fixture.record { store in
            for index in 0..<30_000 { store.read(snapshots[index % 2]) }
        }

        #expect(fixture.sink.events.count == 30_000)
        #expect(fixture.payloads[29_999] == "object:2")
        #expect(fixture.sink.batchSizes.reduce(0, +) == 30_000)
    }

    @Test(
        "instances at three versions each record what they see, and repeats are dropped once they agree",
        .tags(.scenario55)
    )
    func threeVersions() async throws {
        let fixture = try RecordingFixture()

        try await fixture.record { store in
            for version: UInt64 in [1, 2, 3, 1, 2, 3, 3, 3] { store.read(Self.object, 7, version: version) }
        }

        #expect(fixture.sink.events.count == 6)
    }

    @Test("with recordsEmptyQueries a search in vain is an event that nothing is folded into")
    func recordedEmptyQuery() async throws {
        let fixture = try RecordingFixture(EventConfiguration(recordsEmptyQueries: true))

        try await fixture.record { store in
            store.query(Self.object, [1])
            store.query(Self.object, [])
            store.query(Self.object, [])
            store.read(Self.object, 2)
        }

        #expect(fixture.payloads == ["object:1", "object:", "object:2"])
    }

    @Test("searches in vain say what they asked for, and are folded into one that asked for the same alone")
    func termsOfEmptyQueries() async throws {
        let fixture = try RecordingFixture(EventConfiguration(recordsEmptyQueries: true))
        let ann = SearchTerms(predicate: "name == 'Ann'", sort: [.init("name"), .init("age", ascending: false)])

        try await fixture.record { store in
            store.query(Self.object, [], terms: ann)
            store.query(Self.object, [], terms: ann)
            store.query(Self.object, [], terms: SearchTerms(predicate: "name == 'Bob'"))
            store.query(Self.object, [1], terms: ann)
            store.query(Self.object, [], terms: ann)
        }

        let searched = "object: where name == 'Ann' by name by age down"
        #expect(fixture.payloads == [searched, "object: where name == 'Bob'", "object:1", searched])
    }
}
