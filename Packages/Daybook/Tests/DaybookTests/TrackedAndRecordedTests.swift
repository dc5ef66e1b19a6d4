import Daybook
import EventModelTesting
import ObjectStoreTesting
import Observation
import Synchronization
import Testing

/// The two that want to know what a program reads: Swift's Observation, and the recorder.
@MainActor
@Suite("Properties that are tracked and recorded")
struct TrackedAndRecordedTests {
    private let place: TemporaryRealm
    private let realm: Realm

    init() throws {
        place = try TemporaryRealm([WatchedBed.self]) { $0.eventConfiguration = EventConfiguration() }
        realm = try place.open()
        try realm.write { for id in 0..<10 { realm.create(WatchedBed.self, value: ["id": id, "label": "\(id)"]) } }
    }

    @Test(
        "a scope records each object that is read, tracked or not, and trackers are told of what changed alone",
        arguments: 0..<10 as Range<UInt64>
    )
    func random(seed: UInt64) async throws {
        var random = SeededGenerator(seed: seed)
        let beds = Array(realm.objects(WatchedBed.self))
        for round in 0..<10 {
            let earlier = try place.storedEvents().count
            let scope = try #require(realm.events).beginScope(activity: "round")
            var trackers: [(id: Int, told: Told)] = []
            var read: Set<Int> = []
            for _ in 0..<Int.random(in: 1...6, using: &random) {
                let id = Int.random(in: beds.indices, using: &random)
                read.insert(id)
                // Some are read without being tracked.
                guard random.next() % 3 > 0 else {
                    #expect(!beds[id].label.isEmpty)
                    continue
                }
                let told = Told()
                withObservationTracking {
                    #expect(!beds[id].label.isEmpty)
                } onChange: {
                    told.note()
                }
                trackers.append((id, told))
            }
            try await scope.commit()

            let recorded = try place.storedEvents().dropFirst(earlier).compactMap(\.dataText)
            for id in beds.indices {
                let isRecorded = recorded.contains { $0.contains(#""id":\#(id),"#) }
                #expect(isRecorded == read.contains(id), "seed \(seed), round \(round), bed \(id)")
            }
            let changed = Int.random(in: beds.indices, using: &random)
            try realm.write { beds[changed].label = "\(round) \(changed)" }
            for tracker in trackers {
                #expect(
                    tracker.told.count == (tracker.id == changed ? 1 : 0),
                    "seed \(seed), round \(round), \(tracker.id)"
                )
            }
        }
    }

    @Test("a sequence of observations gives what every commit leaves")
    func sequence() async throws {
        let bed = try #require(realm.object(ofType: WatchedBed.self, forPrimaryKey: 3))
        var seen: [String] = []
        for await label in Observations({ bed.label }) {
            seen.append(label)
            if seen.count == 4 { break }
            try realm.write { bed.label = "\(seen.count)" }
        }
        #expect(seen == ["3", "1", "2", "3"])
    }

    private final class Told: Sendable {
        private let times = Atomic<Int>(0)

        var count: Int { times.load(ordering: .relaxed) }

        func note() { times.wrappingAdd(1, ordering: .relaxed) }
    }
}

final class WatchedBed: Object, Observable {
    @Persisted(primaryKey: true) var id: Int
    @Persisted var label: String
}
