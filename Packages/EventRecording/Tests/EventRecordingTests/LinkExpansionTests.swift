import EventModel
import EventModelTesting
import EventRecording
import EventRecordingTesting
import Synchronization
import Testing

/// Slot 1 is a to-one link, 2 a list, 3 a set, 4 a dictionary; `+2(4,5)` after a key: slot 2 is shown in full.
@Suite("Expansion of followed links")
struct LinkExpansionTests {
    private static let object = SampleClass("object", linkingTo: "target")
    private static let target = SampleClass("target")

    @Test("a link that is not followed is shown by key", .tags(.scenario17))
    func notFollowed() async throws {
        let fixture = try RecordingFixture()

        try await fixture.record { $0.read(Self.object, 1) }

        #expect(fixture.payloads == ["object:1"])
    }

    @Test("a followed to-one link shows its target in the parent, and the target is an event", .tags(.scenario19))
    func toOne() async throws {
        let fixture = try RecordingFixture()

        try await fixture.record { store in
            store.read(Self.object, 1)
            store.follow(Self.object, 1, to: Self.target, 4)
        }

        #expect(fixture.payloads == ["object:1+1(4)", "target:4"])
    }

    @Test(
        "one element that is reached shows every element of that collection",
        .tags(.scenario21, .scenario23, .scenario25),
        arguments: [SampleClass.listSlot, SampleClass.setSlot, SampleClass.mapSlot, SampleClass.anySlot]
    )
    func collection(slot: Int) async throws {
        let fixture = try RecordingFixture()

        try await fixture.record { store in
            store.read(Self.object, 1)
            store.follow(Self.object, 1, slot: slot, to: Self.target, [4, 5, 6], at: 1)
        }

        #expect(fixture.payloads == ["object:1+\(slot)(4,5,6)", "target:5"])
    }

    @Test("iterating a collection reads its targets from the store once", .tags(.scenario109))
    func iteration() async throws {
        let fixture = try RecordingFixture()
        let keys = Array(Int64(1)...100)
        let readCount = Mutex(0)

        try await fixture.record { store in
            store.read(Self.object, 1)
            for index in keys.indices {
                store.follow(Self.object, 1, slot: SampleClass.listSlot, to: Self.target, keys, at: index) {
                    readCount.withLock { $0 += 1 }
                }
            }
        }

        #expect(readCount.withLock { $0 } == 1)
        #expect(fixture.sink.events.count == 101)
        #expect(fixture.payloads[0] == "object:1+2(\(keys.map(String.init).joined(separator: ",")))")
    }

    @Test("a parent that was read before the scope gets no event of its own", .tags(.scenario29))
    func parentBeforeScope() async throws {
        let fixture = try RecordingFixture()
        fixture.store.read(Self.object, 1)

        try await fixture.record { $0.follow(Self.object, 1, to: Self.target, 4) }

        #expect(fixture.payloads == ["target:4"])
    }

    @Test("a link that another scope follows is not shown in full", .tags(.scenario30, .scenario31))
    func otherScope() async throws {
        let fixture = try RecordingFixture()

        try await fixture.record("first") { $0.read(Self.object, 1) }
        try await fixture.record("second") { $0.follow(Self.object, 1, to: Self.target, 4) }
        try await fixture.record("third") { store in
            store.read(Self.target, 4)
            store.read(Self.object, 1)
        }

        #expect(fixture.payloads == ["object:1", "target:4", "target:4", "object:1"])
        #expect(fixture.sink.events.map(\.activity) == ["first", "second", "third", "third"])
    }

    @Test("a link that is followed before the parent is read stays a key", .tags(.scenario32))
    func followedBefore() async throws {
        let fixture = try RecordingFixture()

        try await fixture.record { store in
            store.follow(Self.object, 1, to: Self.target, 4)
            store.read(Self.object, 1)
        }

        #expect(fixture.payloads == ["target:4", "object:1"])
    }

    @Test("a link of one of several objects of a query is shown in full")
    func withinQuery() async throws {
        let fixture = try RecordingFixture()

        try await fixture.record { store in
            store.query(Self.object, [1, 2, 3])
            store.follow(Self.object, 2, to: Self.target, 4)
        }

        #expect(fixture.payloads == ["object:1,2+1(4),3", "target:4"])
    }

    @Test("a followed link is shown in full even when the read of its target is folded into a query")
    func foldedTarget() async throws {
        let fixture = try RecordingFixture()

        try await fixture.record { store in
            store.query(Self.target, [1, 2])
            store.follow(Self.target, 1, to: Self.target, 2)
        }

        #expect(fixture.payloads == ["target:1+1(2),2"])
    }

    @Test("a filtered collection of links is a query event, and the parent keeps the keys", .tags(.scenario16))
    func filteredCollection() async throws {
        let fixture = try RecordingFixture()

        try await fixture.record { store in
            store.read(Self.object, 1)
            store.query(Self.target, [4, 6])
        }

        #expect(fixture.payloads == ["object:1", "target:4,6"])
    }

    @Test("a parent that is read again after its link was followed keeps the key there")
    func readAgain() async throws {
        let fixture = try RecordingFixture()

        try await fixture.record { store in
            store.read(Self.object, 1)
            store.follow(Self.object, 1, to: Self.target, 4)
            store.read(Self.object, 1)
        }

        #expect(fixture.payloads == ["object:1+1(4)", "target:4", "object:1"])
    }

    @Test("more collections than are remembered are all shown in full")
    func manyCollections() async throws {
        let fixture = try RecordingFixture()

        try await fixture.record { store in
            for key in 0..<Int64(300) {
                store.read(Self.object, key)
                store.follow(Self.object, key, slot: SampleClass.listSlot, to: Self.target, [key, key + 1], at: 0)
            }
        }

        let parents = fixture.payloads.filter { $0.hasPrefix("object") }
        #expect(parents == (0..<300).map { "object:\($0)+2(\($0),\($0 + 1))" })
    }

    @Test("links that are followed one after the other nest")
    func recursion() async throws {
        let fixture = try RecordingFixture()

        try await fixture.record { store in
            store.read(Self.target, 1)
            store.follow(Self.target, 1, to: Self.target, 2)
            store.follow(Self.target, 2, to: Self.target, 3)
        }

        #expect(fixture.payloads == ["target:1+1(2+1(3))", "target:2+1(3)", "target:3"])
    }

    @Test("a link that is followed after a write in the scope is shown in full", .tags(.scenario97), .bug(id: "E2"))
    func afterWrite() async throws {
        let fixture = try RecordingFixture()

        try await fixture.record { store in
            store.write(Self.object, modifying: [1], version: 1)
            store.read(Self.object, 1, version: 2)
            store.follow(Self.object, 1, to: Self.target, 4, version: 2)
        }

        #expect(fixture.texts == ["write object m1", "read object:1+1(4)", "read target:4"])
    }

    @Test("a link that is followed at another version is not shown in full")
    func otherVersion() async throws {
        let fixture = try RecordingFixture()

        try await fixture.record { store in
            store.read(Self.object, 1, version: 1)
            store.follow(Self.object, 1, to: Self.target, 4, version: 2)
        }

        #expect(fixture.payloads == ["object:1", "target:4"])
    }

    @Test("a cycle of followed links is cut at the repeated object", .tags(.scenario107), .bug(id: "E35"))
    func cycle() async throws {
        let fixture = try RecordingFixture()

        try await fixture.record { store in
            store.read(Self.target, 1)
            store.follow(Self.target, 1, to: Self.target, 2)
            store.follow(Self.target, 2, to: Self.target, 1)
            store.follow(Self.target, 1, to: Self.target, 2)
        }

        #expect(
            fixture.payloads == ["target:1+1(2+1())", "target:2+1(1+1())", "target:1+1(2)", "target:2"]
        )
    }

    @Test("an object that links to itself is cut at once", .bug(id: "E35"))
    func selfLink() async throws {
        let fixture = try RecordingFixture()

        try await fixture.record { store in
            store.read(Self.target, 1)
            store.follow(Self.target, 1, to: Self.target, 1)
        }

        #expect(fixture.payloads == ["target:1+1()"])
    }

    @Test("objects that all link to each other make an event of bounded size")
    func completeGraph() async throws {
        let fixture = try RecordingFixture()
        let keys = Array(Int64(1)...30)

        try await fixture.record { store in
            store.query(Self.target, keys)
            for key in keys {
                store.follow(Self.target, key, slot: SampleClass.listSlot, to: Self.target, keys, at: 0)
            }
        }

        #expect(fixture.sink.events.count == 1)
        #expect(fixture.sink.events[0].data?.count ?? .max < 100_000)
    }

    @Test("a long chain is shown in full for 32 levels")
    func longChain() async throws {
        let fixture = try RecordingFixture()

        try await fixture.record { store in
            store.read(Self.target, 0)
            for key in 0..<Int64(1000) { store.follow(Self.target, key, to: Self.target, key + 1) }
        }

        let levels = (1...32).map { "+1(\($0)" }.joined() + String(repeating: ")", count: 32)
        #expect(fixture.payloads[0] == "target:0" + levels)
        #expect(fixture.sink.events.count == 1001)
    }
}
