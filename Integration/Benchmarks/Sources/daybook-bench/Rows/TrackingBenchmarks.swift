import BenchmarkHarness
import Daybook
import Observation

/// The rows about properties that Swift's Observation tracks; their floor is a class that the macro `@Observable` makes.
func trackingBenchmarks(_ workload: Workload) -> [Benchmark] {
    let count = workload.events * 10
    return [
        Benchmark(
            "read an Int of a tracked class, nobody tracks (floor: @Observable)",
            unit: "ns",
            floor: { reading(ObservableCounter(), count, \.number) },
            ours: { try await workload.withTracked { reading($0, count, \.number) } }
        ),
        Benchmark(
            "read an Int of a tracked class and track it (floor: @Observable)",
            unit: "ns",
            floor: { tracking(ObservableCounter(), count, \.number) },
            ours: { try await workload.withTracked { tracking($0, count, \.number) } }
        ),
    ]
}

@Observable
private final class ObservableCounter {
    var number = 1
}

private final class TrackedCounter: Object, Observable {
    @Persisted var number = 1
}

/// Nanoseconds for one read.
private func reading<Counter>(_ counter: Counter, _ count: Int, _ number: KeyPath<Counter, Int>) -> Double {
    nanoseconds {
        var sum = 0
        for _ in 0..<count { sum &+= counter[keyPath: number] }
        blackHole(sum)
    } / Double(count)
}

/// Nanoseconds for one read that is tracked, ten reads at a time as in the body of a view.
private func tracking<Counter>(_ counter: Counter, _ count: Int, _ number: KeyPath<Counter, Int>) -> Double {
    nanoseconds {
        var sum = 0
        for _ in 0..<count / 10 {
            withObservationTracking {
                for _ in 0..<10 { sum &+= counter[keyPath: number] }
            } onChange: {
            }
        }
        blackHole(sum)
    } / Double(count)
}

extension Workload {
    fileprivate func withTracked(_ work: (TrackedCounter) -> Double) async throws -> Double {
        try await withFolder { folder in
            let file = folder.appending(path: "tracked.realm")
            let realm = try Realm(
                configuration: Realm.Configuration(fileURL: file, objectTypes: [TrackedCounter.self])
            )
            return try work(realm.write { realm.create(TrackedCounter.self) })
        }
    }
}
