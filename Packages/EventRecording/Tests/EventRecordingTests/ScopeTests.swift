import EventModel
import EventModelTesting
import EventRecording
import EventRecordingTesting
import Synchronization
import Testing

@Suite("Scopes")
struct ScopeTests {
    private static let object = SampleClass("object")

    @Test("each event carries the name of its scope", .tags(.scenario43))
    func names() async throws {
        let fixture = try RecordingFixture()

        try await fixture.record("first") { $0.read(Self.object, 1) }
        try await fixture.record("second") { $0.read(Self.object, 2) }

        #expect(fixture.sink.events.map(\.activity) == ["first", "second"])
    }

    @Test("a nested scope stores its one event first, the outer one all three", .tags(.scenario44))
    func nested() async throws {
        let fixture = try RecordingFixture()

        let outer = fixture.events.beginScope(activity: "outer")
        fixture.store.read(Self.object, 1)
        let inner = fixture.events.beginScope(activity: "inner")
        fixture.store.read(Self.object, 2)
        try await inner.commit()
        fixture.store.read(Self.object, 3)
        try await outer.commit()

        #expect(fixture.payloads == ["object:2", "object:1", "object:2", "object:3"])
        #expect(fixture.sink.events.map(\.activity) == ["inner", "outer", "outer", "outer"])
        #expect(fixture.sink.events[0].timestamp == fixture.sink.events[2].timestamp)
    }

    @Test("overlapping scopes each have the events of their own time", .tags(.scenario45))
    func overlapping() async throws {
        let fixture = try RecordingFixture()

        let first = fixture.events.beginScope(activity: "first")
        fixture.store.read(Self.object, 1)
        let second = fixture.events.beginScope(activity: "second")
        fixture.store.read(Self.object, 2)
        try await first.commit()
        fixture.store.read(Self.object, 3)
        try await second.commit()

        #expect(fixture.payloads == ["object:1", "object:2", "object:2", "object:3"])
        #expect(fixture.sink.events.map(\.activity) == ["first", "first", "second", "second"])
    }

    @Test("a scope that is cancelled takes nothing from another one", .tags(.scenario46))
    func cancelledNeighbour() async throws {
        let fixture = try RecordingFixture()

        let kept = fixture.events.beginScope(activity: "kept")
        let cancelled = fixture.events.beginScope(activity: "cancelled")
        fixture.store.read(Self.object, 1)
        cancelled.cancel()
        try await kept.commit()

        #expect(fixture.sink.events.map(\.activity) == ["kept"])
    }

    @Test("a scope is active from its beginning to its end", .tags(.scenario47))
    func isActive() async throws {
        let fixture = try RecordingFixture()

        let committed = fixture.events.beginScope(activity: "committed")
        let cancelled = fixture.events.beginScope(activity: "cancelled")
        #expect(committed.isActive && cancelled.isActive && fixture.recorder.gate.isOpen)
        try await committed.commit()
        #expect(!committed.isActive && cancelled.isActive && fixture.recorder.gate.isOpen)
        cancelled.cancel()

        #expect(!cancelled.isActive && !fixture.recorder.gate.isOpen)
    }

    @Test("of a cancelled, a dropped and a committed scope only the committed one is stored", .tags(.scenario94))
    func lifetimes() async throws {
        let log = LogSpy()
        let fixture = try RecordingFixture(EventConfiguration(logger: log.logger))

        let cancelled = fixture.events.beginScope(activity: "cancelled")
        fixture.store.read(Self.object, 1)
        cancelled.cancel()
        var dropped: Events.Scope? = fixture.events.beginScope(activity: "dropped")
        fixture.store.read(Self.object, 2)
        #expect(dropped?.isActive == true)
        dropped = nil
        try await fixture.record("committed") { $0.read(Self.object, 3) }

        #expect(fixture.sink.events.map(\.activity) == ["committed"])
        #expect(log.warnings == ["Events: scope 2 'dropped' was dropped while active; its events are discarded"])
    }

    @Test("committing an ended scope throws an error that names it, and logs a warning", .tags(.scenario47))
    func commitTwice() async throws {
        let log = LogSpy()
        let fixture = try RecordingFixture(EventConfiguration(logger: log.logger))
        let committed = fixture.events.beginScope(activity: "committed")
        try await committed.commit()
        let cancelled = fixture.events.beginScope(activity: "cancelled")
        cancelled.cancel()

        await #expect(throws: RecordingError.scopeNotActive(id: 1)) { try await committed.commit() }
        await #expect(throws: RecordingError.scopeNotActive(id: 2)) { try await cancelled.commit() }
        committed.cancel()

        #expect(log.warnings.count == 3)
        #expect(fixture.events.statistics.scopesCommitted == 1)
        #expect(fixture.events.statistics.scopesCancelled == 1)
    }

    @Test("a scope keeps its realm alive and commits after the realm's variable is gone", .tags(.scenario94))
    func outlivesOwner() async throws {
        final class Owner {}
        let fixture = try RecordingFixture()
        var owner: Owner? = Owner()
        weak let watched = owner

        var scope: Events.Scope? = Events(recorder: fixture.recorder, owner: owner).beginScope(activity: "late")
        owner = nil
        #expect(watched != nil)
        fixture.store.read(Self.object, 1)
        try await scope?.commit()
        scope = nil

        #expect(watched == nil)
        #expect(fixture.payloads == ["object:1"])
    }

    @Test("a scope that recorded nothing succeeds without touching the sink")
    func emptyScope() async throws {
        let fixture = try RecordingFixture()

        try await fixture.record { _ in }

        #expect(fixture.sink.batchSizes == [])
        #expect(fixture.events.statistics.scopesCommitted == 1)
    }

    @Test("commit without an argument compiles in synchronous code and stores in the background")
    func synchronousCommit() throws {
        let fixture = try RecordingFixture()

        let scope = fixture.events.beginScope(activity: "synchronous")
        fixture.store.read(Self.object, 1)
        scope.commit()
        fixture.recorder.waitUntilIdle()

        #expect(fixture.payloads == ["object:1"])
    }

    @Test(
        "events carry the time of their capture, merged ones that of the first, and all that of the commit",
        .tags(.scenario48)
    )
    func timestamps() async throws {
        let fixture = try RecordingFixture(clock: ManualClock(start: EventInstant(microseconds: 0), step: 1))

        try await fixture.record { store in
            for key in 0..<Int64(10) {
                store.read(Self.object, key)
                store.read(Self.object, key)
            }
        }

        #expect(fixture.sink.events.map(\.timestamp.microseconds) == Array(stride(from: 0, to: 20, by: 2)))
        #expect(fixture.sink.events.allSatisfy { $0.scopeCommitted == EventInstant(microseconds: 20) })
    }

    @Test("the logger gets the name of a scope", .tags(.scenario88))
    func logging() async throws {
        let log = LogSpy()
        let fixture = try RecordingFixture(EventConfiguration(logger: log.logger))

        try await fixture.record("ward round") { $0.read(Self.object, 1) }

        #expect(log.messages.filter { $0.contains("ward round") }.count == 2)
    }

    @Test("reads and writes come in the order in which they happened", .tags(.scenario35))
    func order() async throws {
        let fixture = try RecordingFixture()

        try await fixture.record { store in
            store.read(Self.object, 1, version: 1)
            store.write(Self.object, deleting: [1], version: 1)
            store.write(Self.object, version: 2)
            store.read(Self.object, 2, version: 2)
            store.write(Self.object, inserting: [3], modifying: [2], version: 2)
        }

        #expect(fixture.texts == ["read object:1", "write object d1", "read object:2", "write object i3 m2"])
    }

    @Test("an empty transaction makes no event", .tags(.scenario9))
    func emptyTransaction() async throws {
        let fixture = try RecordingFixture()

        try await fixture.record { $0.write(Self.object) }

        #expect(fixture.sink.batchSizes == [])
    }

    @Test("captures of more than one segment of the log belong to exactly their scopes")
    func longLog() async throws {
        let fixture = try RecordingFixture()

        let outer = fixture.events.beginScope(activity: "outer")
        for key in 0..<Int64(1500) { fixture.store.read(Self.object, key) }
        let inner = fixture.events.beginScope(activity: "inner")
        for key in 1500..<Int64(4000) { fixture.store.read(Self.object, key) }
        try await inner.commit()
        fixture.store.read(Self.object, 4000)
        try await outer.commit()

        let expected = (1500..<4000).map { "object:\($0)" } + (0...4000).map { "object:\($0)" }
        #expect(fixture.payloads == expected)
    }

    @Test("a transaction belongs to the scopes that are active when it is committed", .tags(.scenario33))
    func membershipOfWrites() async throws {
        let fixture = try RecordingFixture()

        let early = fixture.events.beginScope(activity: "ends inside the transaction")
        let late = fixture.events.beginScope(activity: "begun inside the transaction")
        try await early.commit()
        fixture.store.write(Self.object, modifying: [1])
        try await late.commit()

        #expect(fixture.sink.events.map(\.activity) == ["begun inside the transaction"])
    }

    @Test("what no scope needs any more is released while another scope goes on", .tags(.scenario111))
    func release() async throws {
        let fixture = try RecordingFixture()
        weak var chunk: SnapshotChunk?

        let first = fixture.events.beginScope(activity: "first")
        do {
            let snapshot = Self.object.snapshot(1)
            chunk = snapshot.chunk
            fixture.store.read(snapshot)
        }
        #expect(chunk != nil)
        try await first.commit()
        let second = fixture.events.beginScope(activity: "second")
        await fixture.events.flush()

        #expect(chunk == nil)
        second.cancel()
    }
}
