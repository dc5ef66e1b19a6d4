import Daybook
import EventModelTesting
import ObjectStoreTesting
import Testing

@Suite("Scenarios: scopes")
struct ScopeScenarioTests {
    private let recorded: RecordedRealm

    private var realm: Realm { recorded.realm }
    private var events: Events { recorded.events }

    init() throws {
        recorded = try RecordedRealm(holding: (1...4).map(Target.init))
    }

    private func look(_ id: Int) { _ = realm.object(ofType: Target.self, forPrimaryKey: id) }

    /// The activity and key of each stored event.
    private func stored() throws -> [String] {
        try recorded.stored()
            .map { event in
                let digits = event.dataText?.drop { !$0.isNumber }.prefix { $0.isNumber } ?? "nil"
                return "\(event.activity) \(digits)"
            }
    }

    @Test("Scenario 43: each event carries the name of its scope", .tags(.scenario43))
    func names() throws {
        try recorded.record("first") { look(1) }
        try recorded.record("second") { look(2) }

        #expect(try stored() == ["first 1", "second 2"])
    }

    @Test(
        "Scenario 44: a nested scope stores its one event first, the outer one all three in order",
        .tags(.scenario44)
    )
    func nested() throws {
        let outer = events.beginScope(activity: "outer")
        look(1)
        try recorded.record("inner") { look(2) }
        look(3)
        try recorded.commit(outer)

        #expect(try stored() == ["inner 2", "outer 1", "outer 2", "outer 3"])
        let timestamps = try recorded.stored().map(\.timestamp)
        #expect(timestamps[0] == timestamps[2])
    }

    @Test(
        "Scenario 45: overlapping scopes have the events of their own time, the shared one in both",
        .tags(.scenario45)
    )
    func overlapping() throws {
        let first = events.beginScope(activity: "first")
        look(1)
        let second = events.beginScope(activity: "second")
        look(2)
        try recorded.commit(first)
        look(3)
        try recorded.commit(second)

        #expect(try stored() == ["first 1", "first 2", "second 2", "second 3"])
    }

    @Test(
        "Scenario 46: of two active scopes of which one is cancelled only the other has the event",
        .tags(.scenario46)
    )
    func cancelled() throws {
        let kept = events.beginScope(activity: "kept")
        let cancelled = events.beginScope(activity: "cancelled")
        look(1)
        cancelled.cancel()
        try recorded.commit(kept)

        #expect(try stored() == ["kept 1"])
    }

    @Test(
        "Scenario 47: ending a scope that has ended is no crash but an error that names it, and changes nothing",
        .tags(.scenario47)
    )
    func endedTwice() throws {
        let committed = events.beginScope(activity: "committed")
        let cancelled = events.beginScope(activity: "cancelled")
        #expect(committed.isActive && cancelled.isActive)
        look(1)
        try recorded.commit(committed)
        cancelled.cancel()
        #expect(!committed.isActive && !cancelled.isActive)

        #expect(throws: RecordingError.scopeNotActive(id: 1)) { try recorded.commit(committed) }
        #expect(throws: RecordingError.scopeNotActive(id: 2)) { try recorded.commit(cancelled) }
        committed.cancel()
        cancelled.cancel()

        #expect(RecordingError.scopeNotActive(id: 1).description.contains("scope 1 is not in progress"))
        #expect(try stored() == ["committed 1"])
    }

    @Test("Scenario 48: ten objects that are each read twice have the times of their first reads", .tags(.scenario48))
    func timestamps() throws {
        let clock = ManualClock(start: EventInstant(microseconds: 0), step: 1)
        let recorded = try RecordedRealm(recording: InjectedRecording(clock: clock))
        try recorded.realm.write { recorded.realm.add((1...10).map(Target.init)) }

        try recorded.record {
            for id in 1...10 {
                _ = recorded.realm.object(ofType: Target.self, forPrimaryKey: id)
                _ = recorded.realm.object(ofType: Target.self, forPrimaryKey: id)
            }
        }

        let times = try recorded.stored().map(\.timestamp.microseconds)
        #expect(times.count == 10)
        #expect(zip(times, times.dropFirst()).allSatisfy { $1 - $0 == 2 })
    }

    @Test(
        "Scenario 94: of a cancelled, a dropped and a committed scope only the committed one is stored",
        .tags(.scenario94)
    )
    func lifetimes() throws {
        let cancelled = events.beginScope(activity: "cancelled")
        look(1)
        cancelled.cancel()
        var dropped: Events.Scope? = events.beginScope(activity: "dropped")
        look(2)
        #expect(dropped?.isActive == true)
        dropped = nil
        let committed = events.beginScope(activity: "committed")
        #expect(committed.isActive)
        look(3)
        try recorded.commit(committed)

        #expect(!committed.isActive && !cancelled.isActive)
        #expect(try stored() == ["committed 3"])
    }

    @Test("Scenario 94: a scope outlives the realm's variable and commits", .tags(.scenario94))
    func outlives() throws {
        var recorded: RecordedRealm? = try RecordedRealm(holding: [Target(1)])
        let (file, recorder) = (try #require(recorded).file, try #require(recorded).recorder)
        var scope: Events.Scope? = recorded?.events.beginScope(activity: "late")
        _ = recorded?.realm.objects(Target.self).first
        recorded = nil

        let outcome = Outcome()
        scope?.commit { outcome.set($0) }
        recorder.waitUntilIdle()
        scope = nil

        try outcome.get()
        #expect(try RecordedFiles(below: file.folder.path).lines == [read("Target", Target.json(1))])
    }

    @Test("a scope that recorded nothing succeeds and makes no file")
    func empty() throws {
        try recorded.record {}

        #expect(try recorded.fileCount() == 0)
    }

    @Test("every event keeps the instant its scope was committed and the monotonic clock of its boot")
    func evidence() throws {
        let clock = ManualClock(start: EventInstant(microseconds: 1_000_000), boot: Boot(high: 7, low: 8))
        let recorded = try RecordedRealm(recording: InjectedRecording(clock: clock))

        let scope = recorded.events.beginScope(activity: "set back")
        try recorded.realm.write { recorded.realm.add(Target(1)) }
        clock.advance(microseconds: 5)
        clock.setWall(EventInstant(microseconds: 0))
        _ = recorded.realm.objects(Target.self).first
        try recorded.commit(scope)

        let stored = try recorded.stored()
        #expect(stored.map(\.timestamp.microseconds) == [1_000_000, 0])
        #expect(stored.map(\.clock.monotonicNanoseconds) == [0, 5000])
        #expect(stored.allSatisfy { $0.clock.boot == Boot(high: 7, low: 8) })
        #expect(stored.allSatisfy { $0.scopeCommitted == EventInstant(microseconds: 0) })
    }
}
