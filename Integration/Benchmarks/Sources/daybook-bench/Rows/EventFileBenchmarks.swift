import BenchmarkHarness
import Daybook
import Foundation

/// How much recording writes, and how fast it keeps up.
func eventFileBenchmarks(_ workload: Workload) -> [Benchmark] {
    let work = EventFileWork(workload: workload)
    return [
        Benchmark(
            "alternating single reads, begin to durable",
            unit: "events/s",
            target: .atLeast(1_000_000),
            ours: { try await work.alternatingReads().eventsPerSecond }
        ),
        Benchmark(
            "bytes on disk of a small read event",
            unit: "B",
            target: .atMost(45),
            ours: { try await work.alternatingReads().bytesPerEvent }
        ),
        Benchmark(
            "bytes on disk of an object in a query event",
            unit: "B",
            target: .atMost(11),
            ours: { try await work.bytesPerQueriedObject() }
        ),
    ]
}

/// The work behind the rows of event files; each turn has files of its own.
private struct EventFileWork: Sendable {
    let workload: Workload

    /// Reads objects of two classes in turn, so that no two reads become one event, and commits.
    func alternatingReads() async throws -> (eventsPerSecond: Double, bytesPerEvent: Double) {
        try await workload.withFolder { folder in
            let realm = try openRealm(in: folder, records: true)
            let half = workload.events / 2
            try fill(realm, with: workload.people.prefix(half))
            try realm.write {
                for key in 0..<half { realm.create(Room.self, value: ["_id": key, "name": "Room \(key)"]) }
            }
            let time = try nanoseconds {
                let scopes = try beginScopes(1, of: realm)
                for key in 0..<half {
                    blackHole(realm.object(ofType: Person.self, forPrimaryKey: key)?.score)
                    blackHole(realm.object(ofType: Room.self, forPrimaryKey: key)?.name)
                }
                try commitAndWait(scopes)
            }
            let count = Double(half * 2)
            return (count / time * 1_000_000_000, Double(try eventFileBytes(below: folder)) / count)
        }
    }

    /// The size of an event file with one query of 10,000 objects, divided by their count.
    func bytesPerQueriedObject() async throws -> Double {
        try await workload.withFolder { folder in
            let realm = try openRealm(in: folder, records: true)
            try fill(realm, with: workload.people.prefix(10_000))
            let scopes = try beginScopes(1, of: realm)
            for person in realm.objects(Person.self).where({ $0.score >= 0 }) { blackHole(person.score) }
            try commitAndWait(scopes)
            return Double(try eventFileBytes(below: folder)) / 10_000
        }
    }
}

/// The size of all event files below a folder.
func eventFileBytes(below folder: URL) throws -> Int {
    // LIVE: the outermost layer.
    let files = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)?.allObjects ?? []
    let sizes = try files.compactMap { $0 as? URL }.filter { $0.pathExtension == "events" }
        .map { try Data(contentsOf: $0).count }
    guard !sizes.isEmpty else { throw BenchError.noEventFile }
    return sizes.reduce(0, +)
}
