import EventModel
import EventRecordingTesting
import Synchronization
import Testing

@Suite("FakeStore")
struct FakeStoreTests {
    private static let object = SampleClass("object", linkingTo: "target")
    private static let target = SampleClass("target")

    private func everything(on store: FakeStore) {
        store.read(Self.object, 1)
        store.query(Self.object, [1, 2])
        store.follow(Self.object, 1, to: Self.target, 4)
        store.write(Self.object, inserting: [3])
        store.write(Self.object)
    }

    @Test("it notifies an observer of nothing while the gate is closed")
    func closedGate() {
        let spy = ObserverSpy()

        everything(on: FakeStore(observer: spy))

        #expect(spy.calls == [])
    }

    @Test("it notifies an observer of everything while the gate is open")
    func openGate() {
        let spy = ObserverSpy()
        spy.gate.open()

        everything(on: FakeStore(observer: spy))

        #expect(spy.calls == ["read 1", "query object 2", "follow object 1 slot 1 to 4", "commit 1", "commit 0"])
    }

    @Test("the snapshots of a class are whole and named by their key")
    func snapshots() {
        let snapshot = Self.object.snapshot(7, version: 3)

        #expect(snapshot.isWhole)
        #expect(snapshot.version == 3)
        #expect(snapshot.primaryKey == .int(7))
    }
}

/// Notes what it is notified of.
private final class ObserverSpy: RealmObserver {
    let gate = ObservationGate()
    private let notes = Mutex<[String]>([])

    var calls: [String] { notes.withLock { $0 } }

    func didRead(_ object: ObjectSnapshot) {
        note("read \(object.key)")
    }

    func didEvaluateQuery(
        on shape: ClassShape,
        version: UInt64,
        matches: [ObjectSnapshot],
        terms: () -> SearchTerms
    ) {
        note("query \(shape.name) \(matches.count)")
    }

    func didFollow(_ link: FollowedLink) {
        note("follow \(link.parentShape.name) \(link.parentKey) slot \(link.slot) to \(link.target.key)")
    }

    func note(for changes: CommitChanges) -> (any CommitNote)? { nil }

    func didCommit(_ changes: CommitChanges, note: CommittedNote?) {
        self.note("commit \(changes.classes.count)")
    }

    private func note(_ text: String) {
        notes.withLock { $0.append(text) }
    }
}
