import EventModel
import EventModelTesting
import EventRecordingTesting
import Synchronization
import Testing

@testable import EventRecording

@Suite("Scopes that are longer than memory")
struct SpillTests {
    private static let person = SampleClass("Person")
    private static let scan = ClassShape(
        name: "Scan",
        properties: [PropertyShape(name: "_id", kind: .int), PropertyShape(name: "image", kind: .data)],
        primaryKeySlot: 0
    )
    private static let rowBytes = 16 << 10

    /// Makes rows of 16 KiB, each in memory of its own.
    private func row(_ key: Int64) -> ObjectSnapshot {
        var writer = SnapshotWriter(shape: Self.scan, chunkByteCount: Self.rowBytes)
        writer.begin(key: key, version: 1, whole: true)
        writer.set(0, int: key)
        [UInt8](repeating: UInt8(truncatingIfNeeded: key), count: Self.rowBytes - 200)
            .withUnsafeBytes { writer.setBytes(1, $0) }
        return writer.finish()
    }

    private func heldBytes(_ fixture: JournalFixture) -> Int {
        fixture.recorder.state.withLock { $0.journal.heldBytes }
    }

    @Test("captures in memory stay below a bound, and every event is stored in order", arguments: [false, true])
    func bounded(hasRing: Bool) throws {
        let fixture = try JournalFixture()
        let store = hasRing ? fixture.store.instance() : fixture.store
        let scope = fixture.events.beginScope(activity: "long")
        let count = 3000
        var most = 0

        for key in 0..<Int64(count) {
            store.read(row(key))
            most = max(most, heldBytes(fixture))
        }
        fixture.settle()
        #expect(most <= JournalProgress.waitingBytes + JournalProgress.maximumUnwrittenBytes + Self.rowBytes)
        #expect(heldBytes(fixture) <= JournalProgress.maximumHeldBytes + JournalProgress.maximumUnwrittenBytes)
        scope.commit()
        fixture.recorder.waitUntilIdle()

        #expect(fixture.sink.events.map(\.dataText) == (0..<count).map { "Scan:\($0)" })
        #expect(fixture.sink.events.map(\.id) == fixture.sink.events.map(\.id).sorted())
        #expect(fixture.journals.count == 0)
        #expect(fixture.log.messages(.error) == [])
    }

    @Test("reads that were spilled and reads in memory are merged as if all were in memory")
    func mergedAcross() throws {
        let fixture = try JournalFixture()
        let scope = fixture.events.beginScope(activity: "long")
        fixture.store.query(Self.person, [3, 1])
        fixture.store.follow(Self.person, 1, to: Self.person, 3)
        spill(fixture)
        fixture.store.read(Self.person, 2)
        fixture.store.follow(Self.person, 2, to: Self.person, 1)
        spill(fixture)
        fixture.store.read(Self.person, 1)
        scope.commit()
        fixture.recorder.waitUntilIdle()

        #expect(fixture.sink.events.count == 1)
        #expect(fixture.stored == ["long Person:3,1+1(3),2+1(1)"])
    }

    /// Drops all that is journalled from memory.
    private func spill(_ fixture: JournalFixture) {
        fixture.advance(milliseconds: 100)
        fixture.recorder.state.withLock { _ = $0.dropWritten() }
    }

    @Test("scopes that begin, end and are cancelled around a spill have their own events")
    func overlapping() throws {
        let fixture = try JournalFixture()
        let first = fixture.events.beginScope(activity: "first")
        fixture.store.read(Self.person, 1)
        spill(fixture)
        let second = fixture.events.beginScope(activity: "second")
        let cancelled = fixture.events.beginScope(activity: "cancelled")
        fixture.store.read(Self.person, 2)
        spill(fixture)
        cancelled.cancel()
        first.commit()
        fixture.recorder.waitUntilIdle()
        fixture.store.read(Self.person, 3)
        spill(fixture)
        fixture.store.read(Self.person, 4)
        second.commit()
        fixture.recorder.waitUntilIdle()

        #expect(
            fixture.stored == [
                "first Person:1", "first Person:2", "second Person:2", "second Person:3", "second Person:4",
            ]
        )
        #expect(fixture.journals.count == 0)
    }

    @Test("scopes that overlap for ever do not let the journal grow for ever")
    func parts() throws {
        let fixture = try JournalFixture()
        var open: [Events.Scope] = []
        var most = 0
        for round in 0..<16 {
            open.append(fixture.events.beginScope(activity: "\(round)"))
            for key in 0..<Int64(200) { fixture.store.read(row(Int64(round) * 1000 + key)) }
            fixture.advance(milliseconds: 100)
            if open.count > 1 {
                open.removeFirst().commit()
                fixture.recorder.waitUntilIdle()
            }
            most = max(most, fixture.journals.readableBytes.reduce(0) { $0 + $1.count })
        }
        open = []
        fixture.settle()

        #expect(most <= 3 * JournalLog.partBytes)
        #expect(fixture.sink.events.count == 15 * 400)
        #expect(fixture.journals.count == 0)
    }

    @Test("a part of the journal that cannot be read back costs its captures, and the completion says so")
    func unreadable() throws {
        let fixture = try JournalFixture()
        let scope = fixture.events.beginScope(activity: "long")
        fixture.store.read(Self.person, 1)
        spill(fixture)
        fixture.store.read(Self.person, 2)
        fixture.journals.fail(next: .read, with: [InMemoryScopeJournals.BlockIsGone()])
        let failures = Mutex(0)

        scope.commit { error in failures.withLock { $0 += error is InMemoryScopeJournals.BlockIsGone ? 1 : 0 } }
        fixture.recorder.waitUntilIdle()

        #expect(fixture.stored == ["long Person:2"])
        #expect(failures.withLock(\.self) == 1)
        #expect(fixture.journals.count == 0)
    }

    @Test("a spilled scope is recovered after a crash, wholly")
    func spilledAndCrashed() throws {
        let fixture = try JournalFixture()
        let scope = fixture.events.beginScope(activity: "long")
        for key in 1...3 {
            fixture.store.read(Self.person, Int64(key))
            spill(fixture)
        }

        let next = try withExtendedLifetime(scope) { try fixture.crash() }

        #expect(next.stored == (1...3).map { "long Person:\($0) interrupted" })
    }

    @Test("writes behind a query wait for it up to a bound")
    func writesBehindQuery() throws {
        let fixture = try JournalFixture()
        let scope = fixture.events.beginScope(activity: "writes")
        fixture.store.query(Self.person, [1])
        for version in 0..<UInt64(ScopeCombiner.maximumWritesBehindQuery + 1) {
            fixture.store.write(Self.person, modifying: [1], version: version + 1)
        }
        fixture.store.read(Self.person, 2)
        scope.commit()
        fixture.recorder.waitUntilIdle()

        #expect(fixture.sink.events.count == ScopeCombiner.maximumWritesBehindQuery + 3)
        #expect(fixture.sink.events.last?.dataText == "Person:2")
    }
}
