import BenchmarkFloors
import BenchmarkHarness
import Daybook

/// Changes of more and more objects, and lists of more and more elements: what one costs should stay what it is.
///
/// Only growth is looked at here; the goals stand at the rows of one size, and queries have both.
func growthBenchmarks(_ workload: Workload, _ files: FilledFiles) -> [Benchmark] {
    workload.counts.flatMap { objectRows(files, workload, count: $0) }
        + workload.listCounts.flatMap { listRows(ListWork(workload: workload), count: $0) }
}

private func objectRows(_ files: FilledFiles, _ workload: Workload, count: Int) -> [Benchmark] {
    func sized(
        _ series: String,
        floor: @escaping @Sendable (RawPeople) throws -> Void,
        ours: @escaping @Sendable (Realm) throws -> Void
    ) -> Benchmark {
        Benchmark(
            "\(series), \(count) objects",
            unit: "ns/object",
            step: GrowthStep(series, size: count),
            floor: {
                try await files.withRawCopy(.people, count: count) { people in try nanoseconds { try floor(people) } }
                    / Double(count)
            },
            ours: {
                try await files.withCopy(.people, count: count) { realm in try nanoseconds { try ours(realm) } }
                    / Double(count)
            }
        )
    }
    return [
        sized(
            "insert as many again in one transaction",
            floor: { try $0.insert((count..<(2 * count)).map { SamplePerson($0) }) },
            ours: { realm in
                try realm.write { for key in count..<(2 * count) { realm.add(Person(SamplePerson(key))) } }
            }
        ),
        sized(
            "update one property of every object",
            floor: { try $0.setScores(to: 1) },
            ours: { realm in try realm.write { for person in realm.objects(Person.self) { person.score = 1 } } }
        ),
        sized(
            "delete every object",
            floor: { try $0.deleteAll() },
            ours: { realm in try realm.write { realm.delete(realm.objects(Person.self)) } }
        ),
    ]
}

private func listRows(_ lists: ListWork, count: Int) -> [Benchmark] {
    func sized(
        _ series: String,
        unit: String,
        floor: Benchmark.Measure? = nil,
        ours: @escaping Benchmark.Measure
    ) -> Benchmark {
        Benchmark(
            "list of \(count): \(series)",
            unit: unit,
            step: GrowthStep("list: \(series)", size: count),
            floor: floor,
            ours: ours
        )
    }
    return [
        sized(
            "append a number",
            unit: "us each",
            floor: { try await lists.raw(count) { try $0.insert($1, at: (count + $1) * 1024) } },
            ours: { try await lists.ours(count, isRead: false) { $0.numbers.append($1) } }
        ),
        sized(
            "remove at the front",
            unit: "us each",
            floor: { try await lists.raw(count) { try $0.remove(at: $1 * 1024) } },
            ours: { try await lists.ours(count) { roster, _ in roster.numbers.remove(at: 0) } }
        ),
        sized(
            "load and iterate numbers",
            unit: "ns each",
            floor: { try await lists.rawScan(count) },
            ours: { try await lists.iterating(count) { $0.numbers.reduce(0, &+) } }
        ),
        sized(
            "read a number by index",
            unit: "ns",
            ours: {
                try await lists.iterating(count, isRead: true) { roster in
                    (0..<count).reduce(0) { $0 &+ roster.numbers[$1 &* 7919 % count] }
                }
            }
        ),
    ]
}
