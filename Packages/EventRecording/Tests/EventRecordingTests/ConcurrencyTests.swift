import Dispatch
import EventModel
import EventModelTesting
import EventRecording
import EventRecordingTesting
import Synchronization
import Testing

@Suite("Recording from many threads")
struct ConcurrencyTests {
    private static let object = SampleClass("object")

    @Test(
        "eight threads that read under one scope lose nothing, with an instance each or all with one",
        arguments: [false, true]
    )
    func oneScope(haveInstances: Bool) async throws {
        let fixture = try RecordingFixture()
        let (shared, type) = (fixture.store, Self.object)

        let scope = fixture.events.beginScope(activity: "shared")
        DispatchQueue.concurrentPerform(iterations: 8) { thread in
            let store = haveInstances ? shared.instance() : shared
            // Neighbours of one thread differ, and so do threads: no read can be taken for a repeat.
            for index in 0..<Int64(1000) { store.read(type, Int64(thread) * 1000 + index) }
        }
        try await scope.commit()

        let keys = fixture.payloads.compactMap { Int($0.dropFirst("object:".count)) }
        #expect(keys.sorted() == Array(0..<8000))
        for thread in 0..<8 {
            let own = keys.filter { $0 / 1000 == thread }
            #expect(own == own.sorted())
        }
    }

    @Test("eight threads that begin, read, commit and cancel leave exact counts and a closed gate")
    func scopesOnEveryThread() async throws {
        let fixture = try RecordingFixture()
        let (shared, recorder, type) = (fixture.store, fixture.recorder, Self.object)
        let succeeded = Mutex(0)

        DispatchQueue.concurrentPerform(iterations: 8) { thread in
            let events = Events(recorder: recorder, owner: nil)
            // Half of the threads have an instance of their own.
            let store = thread.isMultiple(of: 2) ? shared.instance() : shared
            for index in 0..<200 {
                let scope = events.beginScope(activity: "thread \(thread)")
                for _ in 0..<5 { store.read(type, Int64(thread)) }
                if index.isMultiple(of: 4) {
                    scope.cancel()
                } else {
                    scope.commit { error in succeeded.withLock { $0 += error == nil ? 1 : 0 } }
                }
                events.recordEvent(activity: "custom")
            }
        }
        await fixture.events.flush()

        let statistics = fixture.events.statistics
        #expect(statistics.scopesBegun == 1600)
        #expect(statistics.scopesCancelled == 400)
        #expect(statistics.scopesCommitted == 1200)
        #expect(statistics.activeScopes == 0)
        #expect(statistics.eventsRecorded == UInt64(fixture.sink.events.count))
        #expect(statistics.eventsPersisted == statistics.eventsRecorded)
        #expect(succeeded.withLock { $0 } == 1200)
        #expect(!recorder.gate.isOpen)
        let own = Dictionary(grouping: fixture.sink.events, by: \.activity)
        #expect(own["custom"]?.count == 1600)
        for thread in 0..<8 {
            let payloads = own["thread \(thread)"]?.compactMap(\.dataText) ?? []
            #expect(payloads.count { $0 == "object:\(thread)" } >= 150)
        }
        #expect(fixture.sink.events.map(\.id) == fixture.sink.events.map(\.id).sorted())
    }

    @Test("reads of two threads that wait for each other are kept in turn, however many a thread makes at a time")
    func inTurn() async throws {
        let fixture = try RecordingFixture()
        let type = Self.object
        let instances = (0..<2).map { _ in fixture.store.instance() }
        let threads = (0..<2).map { DispatchQueue(label: "thread \($0)") }
        var generator = SeededGenerator(seed: 1)

        let scope = fixture.events.beginScope(activity: "turns")
        var key: Int64 = 0
        for turn in 0..<400 {
            let keys = key..<(key + Int64(1 + generator.below(turn.isMultiple(of: 40) ? 600 : 4)))
            threads[turn % 2].sync { for key in keys { instances[turn % 2].read(type, key) } }
            key = keys.upperBound
        }
        try await scope.commit()

        #expect(fixture.payloads == (0..<key).map { "object:\($0)" })
    }

    @Test("one scope that eight threads commit at once is committed once")
    func racingCommits() async throws {
        let fixture = try RecordingFixture()
        let refused = Mutex(0)
        let scope = UncheckedScope(value: fixture.events.beginScope(activity: "contested"))

        DispatchQueue.concurrentPerform(iterations: 8) { _ in
            scope.value.commit { error in refused.withLock { $0 += error == nil ? 0 : 1 } }
        }
        await fixture.events.flush()

        #expect(refused.withLock { $0 } == 7)
        #expect(fixture.events.statistics.scopesCommitted == 1)
    }
}

/// Carries a scope to other threads.
private struct UncheckedScope: @unchecked Sendable {
    // SAFETY: a scope has nothing that changes, and its recorder is Sendable; only the owner, which is nil, is not.
    let value: Events.Scope
}
