import Dispatch
import EventModel
import EventModelTesting
import EventRecordingTesting
import Testing

@testable import EventRecording

@Suite("A process that ends while scopes are active")
struct CrashTests {
    private struct DiskFull: Error {}

    private static let person = SampleClass("Person")

    /// Begins the scope "chart" whose read of the first person is in the journal.
    private static func journalledScope() throws -> (JournalFixture, Events.Scope) {
        let fixture = try JournalFixture()
        let scope = fixture.events.beginScope(activity: "chart")
        fixture.store.read(person, 1)
        fixture.advance(milliseconds: 100)
        return (fixture, scope)
    }
    private static let visit = SampleClass("Visit")

    @Test("what was captured 100 ms before is stored by the next process, marked interrupted")
    func interrupted() throws {
        let fixture = try JournalFixture()
        try fixture.events.replaceMetadata(["user": "nurse"])
        let scope = fixture.events.beginScope(activity: "chart")
        fixture.store.read(Self.person, 1)
        fixture.store.query(Self.visit, [4, 5])
        fixture.advance(milliseconds: 100)
        fixture.store.read(Self.person, 9)

        let next = try withExtendedLifetime(scope) { try fixture.crash() }

        #expect(fixture.sink.events.isEmpty)
        #expect(next.log.messages(.error) == [])
        #expect(next.stored == ["chart Person:1 interrupted", "chart Visit:4,5 interrupted"])
        let event = try #require(next.sink.events.first)
        #expect(event.metadata.dictionary == ["user": "nurse"])
        #expect(event.timestamp == EventInstant(microseconds: 1_700_000_000_000_000))
        #expect(event.clock.boot == fixture.clock.now().boot)
        #expect(event.scopeCommitted == nil)
        #expect(next.events.statistics.scopesRecovered == 1)
        #expect(next.events.statistics.eventsPersisted == 2)
        #expect(next.log.warnings.count == 1)
        #expect(fixture.journals.count == 0)
    }

    @Test("followed links, merged reads and writes are recovered as they would have been stored")
    func sameEvents() throws {
        func work(_ store: FakeStore) {
            store.query(Self.person, [1, 2])
            store.read(Self.person, 3)
            store.follow(Self.person, 1, to: Self.visit, 7)
            store.write(Self.person, inserting: [4], modifying: [1])
            store.read(Self.person, 1, version: 2)
        }
        let stored = try JournalFixture()
        let committed = stored.events.beginScope(activity: "same")
        work(stored.store)
        committed.commit()
        stored.recorder.waitUntilIdle()
        let fixture = try JournalFixture()
        let scope = fixture.events.beginScope(activity: "same")
        work(fixture.store)
        fixture.advance(milliseconds: 100)

        let next = try withExtendedLifetime(scope) { try fixture.crash() }

        #expect(stored.sink.events.count == 4)
        #expect(next.sink.events.map(\.dataText) == stored.sink.events.map(\.dataText))
        #expect(next.sink.events.map(\.event) == stored.sink.events.map(\.event))
    }

    @Test("with the policy discard, open scopes leave nothing")
    func discard() throws {
        let (fixture, scope) = try Self.journalledScope()

        let next = try withExtendedLifetime(scope) { try fixture.crash(policy: .discard) }

        #expect(next.stored == [])
        #expect(fixture.journals.count == 0)
        #expect(next.sink.losses.map(\.reason) == [.interrupted])
        #expect(next.sink.losses.map(\.count) == [1])
    }

    @Test(
        "a committed scope that was not stored is recovered whole and not marked, under either policy",
        arguments: [EventConfiguration.CrashPolicy.keep, .discard]
    )
    func committed(policy: EventConfiguration.CrashPolicy) throws {
        let fixture = try JournalFixture()
        let scope = fixture.events.beginScope(activity: "committed")
        let open = fixture.events.beginScope(activity: "open")
        fixture.store.read(Self.person, 1)
        fixture.advance(milliseconds: 100)
        fixture.store.read(Self.person, 2)
        // The background queue is kept busy, so that the commit is not processed before the end.
        let next = try fixture.recorder.queue.sync {
            scope.commit()
            fixture.store.read(Self.person, 3)
            fixture.advance(milliseconds: 100)
            return try withExtendedLifetime(open) { try fixture.crash(policy: policy) }
        }

        let whole = ["committed Person:1", "committed Person:2"]
        let interrupted = (1...3).map { "open Person:\($0) interrupted" }
        #expect(next.stored == whole + (policy == .keep ? interrupted : []))
        #expect(next.sink.events.first?.scopeCommitted == EventInstant(microseconds: 1_700_000_000_100_000))
    }

    @Test("a committed scope whose last captures are missing is marked interrupted")
    func committedInPart() throws {
        let (fixture, scope) = try Self.journalledScope()
        fixture.store.read(Self.person, 2)
        let next = try fixture.recorder.queue.sync {
            scope.commit()
            fixture.advance(milliseconds: 100)
            let last = fixture.journals.blocks(ofJournal: 0).indices
                .last { index in
                    fixture.journals.blocks(ofJournal: 0)[index]?.first == JournalBlockKind.captures.rawValue
                }
            fixture.journals.replaceBlock(last ?? 0, ofJournal: 0, by: nil)
            return try fixture.crash()
        }

        #expect(next.stored == ["chart Person:1 interrupted"])
    }

    @Test("cancel leaves nothing of a scope")
    func cancel() throws {
        let (fixture, scope) = try Self.journalledScope()
        #expect(fixture.journals.count == 1)

        scope.cancel()

        #expect(fixture.journals.count == 0)
        #expect(try fixture.crash().stored == [])
    }

    @Test("cancel leaves nothing readable of what only that scope needed, and the rest of the others")
    func cancelBesideOthers() throws {
        let fixture = try JournalFixture()
        let secret = fixture.events.beginScope(activity: "secret")
        fixture.store.read(Self.person, 111)
        let kept = fixture.events.beginScope(activity: "kept")
        fixture.store.read(Self.person, 222)
        fixture.advance(milliseconds: 100)
        let (hidden, shown) = (bytes(of: 111), bytes(of: 222))
        #expect(contains(fixture, hidden) && contains(fixture, shown))

        secret.cancel()

        #expect(!contains(fixture, hidden))
        #expect(contains(fixture, shown))
        let next = try withExtendedLifetime(kept) { try fixture.crash() }
        #expect(next.stored == ["kept Person:222 interrupted"])
    }

    /// How a row of a key begins.
    private func bytes(of key: Int64) -> [UInt8] {
        let row = Self.person.snapshot(key)
        return withExtendedLifetime(row) { Array(row.rowBytes.prefix(16)) }
    }

    private func contains(_ fixture: JournalFixture, _ part: [UInt8]) -> Bool {
        fixture.journals.readableBytes.contains { bytes in
            bytes.indices.contains { bytes[$0...].starts(with: part) }
        }
    }

    @Test("a scope that ends within 100 ms never touches a journal, whatever came before it")
    func shortScopes() throws {
        let fixture = try JournalFixture()

        for _ in 0..<10 {
            let scope = fixture.events.beginScope(activity: "short")
            fixture.store.read(Self.person, 1)
            fixture.advance(milliseconds: 60)
            scope.commit()
            fixture.recorder.waitUntilIdle()
        }
        fixture.advance(milliseconds: 1000)

        #expect(fixture.journals.callCount(.begin) == 0)
        #expect(fixture.sink.events.count == 10)
        #expect(fixture.timer.waitingCount == 0)
    }

    @Test("an idle scope sets no timer again")
    func idleScope() throws {
        let fixture = try JournalFixture()
        let scope = fixture.events.beginScope(activity: "idle")
        fixture.store.read(Self.person, 1)
        fixture.advance(milliseconds: 100)

        #expect(fixture.timer.waitingCount == 0)
        let blocks = fixture.journals.callCount(.append)
        fixture.advance(milliseconds: 10_000)
        #expect(fixture.journals.callCount(.append) == blocks)
        scope.cancel()
    }

    @Test("256 KiB are journalled at once, whatever the time")
    func bySize() throws {
        let fixture = try JournalFixture()
        let scope = fixture.events.beginScope(activity: "large")
        for key in 0..<Int64(4000) { fixture.store.read(Self.person, key) }

        let next = try withExtendedLifetime(scope) { try fixture.crash() }

        let rowBytes = Self.person.snapshot(0).byteCount + JournalProgress.bytesPerCapture
        let least = 4000 - JournalProgress.maximumUnwrittenBytes / rowBytes - 1
        #expect(next.stored.count >= least)
        #expect(next.sink.events.allSatisfy { $0.marks == .interrupted })
    }

    @Test("the journal goes when the scope is stored")
    func stored() throws {
        let (fixture, scope) = try Self.journalledScope()
        fixture.store.read(Self.person, 2)
        scope.commit()
        fixture.recorder.waitUntilIdle()

        #expect(fixture.stored == ["chart Person:1", "chart Person:2"])
        #expect(fixture.journals.count == 0)
        #expect(try fixture.crash().stored == [])
    }

    @Test("of two scopes, the stored one is not stored again")
    func storedBesideOpen() throws {
        let fixture = try JournalFixture()
        let scope = fixture.events.beginScope(activity: "stored")
        let open = fixture.events.beginScope(activity: "open")
        fixture.store.read(Self.person, 1)
        fixture.advance(milliseconds: 100)
        scope.commit()
        fixture.recorder.waitUntilIdle()

        let next = try withExtendedLifetime(open) { try fixture.crash() }

        #expect(fixture.stored == ["stored Person:1"])
        #expect(next.stored == ["open Person:1 interrupted"])
    }

    @Test("a sink that fails during recovery leaves everything for the next attempt, with the same ids")
    func failingSink() throws {
        let (fixture, scope) = try Self.journalledScope()
        let full = InMemoryEventSink()
        full.failNextAppends(with: [DiskFull(), DiskFull()])
        let seen = InMemoryEventSink()

        let second = try withExtendedLifetime(scope) { try fixture.crash(sink: full) }
        #expect(second.stored == [])
        #expect(fixture.journals.count == 1)
        let third = try second.crash(sink: seen)

        #expect(third.stored == ["chart Person:1 interrupted"])
        #expect(third.sink.events.map(\.id) == [ObjectId(high: 0, low: 500_000)])
        #expect(fixture.journals.count == 0)
    }

    @Test("events of an ended scope that there is no room for are reported and in the ledger, and their journal goes")
    func quotaDuringRecovery() throws {
        let (fixture, scope) = try Self.journalledScope()

        let next = try withExtendedLifetime(scope) {
            try fixture.crash(sink: InMemoryEventSink(quota: EventQuota(bytes: 1)))
        }

        #expect(next.stored == [])
        #expect(next.sink.losses.map(\.reason) == [.quota])
        #expect(next.log.messages(.error).count == 1)
        #expect(fixture.journals.count == 0)
    }

    @Test("a process that ends in the middle of recovery is recovered in turn, and nothing has two ids")
    func endDuringRecovery() throws {
        let fixture = try JournalFixture()
        let scopes = ["a", "b"].map { fixture.events.beginScope(activity: $0) }
        fixture.store.read(Self.person, 1)
        fixture.advance(milliseconds: 100)
        let journals = fixture.journals
        let shared = InMemoryEventSink { events in
            // The process ends when the first scope was written to the sink, and before the journal knows.
            if events.first?.activity == "a" { journals.endProcess() }
        }
        let second = try withExtendedLifetime(scopes) { try fixture.crash(sink: shared) }
        #expect(second.stored == ["a Person:1 interrupted"])

        let third = try second.crash()

        #expect(third.stored == ["a Person:1 interrupted", "b Person:1 interrupted"])
        #expect(third.sink.events.first?.id == second.sink.events.first?.id)
        #expect(journals.count == 0)
    }

    @Test("a journal that cannot be written is reported once, costs nothing, and is tried again")
    func failingJournal() throws {
        let fixture = try JournalFixture()
        fixture.journals.fail(next: .begin, with: [DiskFull(), DiskFull()])
        let scope = fixture.events.beginScope(activity: "chart")
        fixture.store.read(Self.person, 1)
        fixture.advance(milliseconds: 100)
        fixture.advance(milliseconds: 1000)
        fixture.recorder.waitUntilIdle()
        #expect(fixture.log.messages(.error).count == 1)
        #expect(fixture.journals.callCount(.begin) == 2)
        #expect(fixture.journals.count == 0)

        fixture.advance(milliseconds: 1000)

        #expect(fixture.journals.count == 1)
        let next = try withExtendedLifetime(scope) { try fixture.crash() }
        #expect(next.stored == ["chart Person:1 interrupted"])
    }

    @Test("a damaged block costs what is in it and is reported")
    func damagedBlock() throws {
        let fixture = try JournalFixture()
        let scope = fixture.events.beginScope(activity: "chart")
        for key in 1...3 {
            fixture.store.read(Self.person, Int64(key))
            fixture.advance(milliseconds: 100)
        }
        let captures = fixture.journals.blocks(ofJournal: 0).indices
            .filter { index in
                fixture.journals.blocks(ofJournal: 0)[index]?.first == JournalBlockKind.captures.rawValue
            }
        fixture.journals.replaceBlock(captures[1], ofJournal: 0, by: [JournalBlockKind.captures.rawValue, 1, 2])

        let next = try withExtendedLifetime(scope) { try fixture.crash() }

        #expect(next.stored == ["chart Person:1 interrupted", "chart Person:3 interrupted"])
        #expect(next.log.messages(.error).count == 1)
        #expect(fixture.journals.count == 0)
    }

    @Test("a journal without a beginning is reported and left; one without anything is removed")
    func foreignJournals() throws {
        let journals = InMemoryScopeJournals()
        do {
            _ = try journals.begin().append([99])
            _ = try journals.begin()
        }

        let fixture = try JournalFixture(journals)

        #expect(journals.count == 1)
        #expect(fixture.log.messages(.error).count == 1)
    }

    @Test("the journal of another living recorder is not touched")
    func livingNeighbour() throws {
        let (fixture, scope) = try Self.journalledScope()

        let neighbour = try JournalFixture(fixture.journals)

        #expect(neighbour.stored == [])
        #expect(fixture.journals.count == 1)
        scope.cancel()
    }
}
