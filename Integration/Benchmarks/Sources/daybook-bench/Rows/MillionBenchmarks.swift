import BenchmarkFloors
import BenchmarkHarness
import Daybook
import Foundation
import Synchronization

/// A realm of one million objects, however much else is measured.
func millionBenchmarks(_ workload: Workload) -> [Benchmark] {
    let work = MillionWork(workload: workload)
    var rows = [
        Benchmark("one million objects: open", unit: "ms", target: .atMost(20), ours: { try work.opening() }),
        Benchmark(
            "one million objects: delete half, longest pause of a reader",
            unit: "ms",
            target: .atMost(50),
            ours: { try await work.pauseWhileDeleting() }
        ),
    ]
    #if os(Linux)
    rows.append(
        Benchmark(
            "one million objects: iterate, growth of memory",
            unit: "MB",
            target: .atMost(4),
            ours: { try work.growthWhileIterating() }
        )
    )
    rows.append(
        Benchmark(
            "one million objects: read in one scope and stored, growth of memory",
            unit: "MB",
            target: .atMost(64),
            ours: { try await work.growthInScope() }
        )
    )
    #endif
    return rows
}

/// The work behind the rows of the million; the file is filled once.
private final class MillionWork: Sendable {
    private static let count = 1_000_000
    private let workload: Workload
    private let filled = Mutex<URL?>(nil)

    init(workload: Workload) { self.workload = workload }

    /// The folder of the filled realm, which nobody has open.
    private func folder() throws -> URL {
        try filled.withLock { filled in
            if let filled { return filled }
            let folder = try workload.makeSharedFolder("million")
            let realm = try openRealm(in: folder)
            for start in stride(from: 0, to: Self.count, by: 50_000) {
                try realm.write {
                    for key in start..<(start + 50_000) { realm.add(Person(SamplePerson(key))) }
                }
            }
            filled = folder
            return folder
        }
    }

    /// Milliseconds until the first object can be read.
    func opening() throws -> Double {
        let folder = try folder()
        return try nanoseconds {
            let realm = try openRealm(in: folder)
            blackHole(realm.object(ofType: Person.self, forPrimaryKey: 500_000)?.score)
        } / 1_000_000
    }

    #if os(Linux)
    /// Megabytes by which the memory of the process grows at most while every object is read.
    ///
    /// The first thousands of objects do not count: until then SQLite fills its cache, which is limited.
    func growthWhileIterating() throws -> Double {
        let realm = try openRealm(in: folder())
        var sum = 0.0
        var number = 0
        var least = Double.infinity
        var growth = 0.0
        for person in realm.objects(Person.self) {
            sum += person.score
            number += 1
            guard number.isMultiple(of: 10_000), number >= Self.count / 2 else { continue }
            let now = try ProcessMemory.here.mebibytes() * 1.048576
            least = min(least, now)
            growth = max(growth, now - least)
        }
        blackHole(sum)
        return growth
    }

    /// Megabytes by which the memory of the process grows at most while every object is read and its event is stored.
    func growthInScope() async throws -> Double {
        let original = try folder().appending(path: "people.realm")
        return try await workload.withFolder { folder in
            // LIVE: the outermost layer.
            try FileManager.default.copyItem(at: original, to: folder.appending(path: "people.realm"))
            let realm = try openRealm(in: folder, records: true)
            for person in realm.objects(Person.self).prefix(100_000) { blackHole(person.score) }
            let before = try ProcessMemory.here.beginPeak()
            let scopes = try beginScopes(1, of: realm)
            for person in realm.objects(Person.self) { blackHole(person.score) }
            try commitAndWait(scopes)
            return (try ProcessMemory.here.peakMebibytes() - before) * 1.048576
        }
    }
    #endif

    /// Milliseconds of the longest look-up and refresh on one thread while another one deletes half of the objects.
    func pauseWhileDeleting() async throws -> Double {
        let original = try folder().appending(path: "people.realm")
        return try await workload.withFolder { folder in
            // LIVE: the outermost layer.
            try FileManager.default.copyItem(at: original, to: folder.appending(path: "people.realm"))
            let reader = PausedReader(folder: folder, keys: Self.count)
            reader.start()
            let deletion = Result {
                let realm = try openRealm(in: folder)
                try realm.write { realm.delete(realm.objects(Person.self).where { $0.active == true }) }
            }
            let pause = try reader.stop()
            try deletion.get()
            return pause
        }
    }
}
