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
            floor: { reading(ObservableCounter(), count) { $0.number } },
            ours: { try await workload.withTracked { reading($0, count) { $0.number } } }
        ),
        Benchmark(
            "read an Int of a tracked class and track it (floor: @Observable)",
            unit: "ns",
            floor: { tracking(ObservableCounter(), count) { $0.number } },
            ours: { try await workload.withTracked { tracking($0, count) { $0.number } } }
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
@inline(__always)
private func reading<Counter>(_ counter: Counter, _ count: Int, _ number: (Counter) -> Int) -> Double {
    nanoseconds {
        var sum = 0
        for _ in 0..<count { sum &+= number(counter) }
        blackHole(sum)
    } / Double(count)
}

/// Nanoseconds for one read that is tracked, ten reads at a time as in the body of a view.
@inline(__always)
private func tracking<Counter>(_ counter: Counter, _ count: Int, _ number: (Counter) -> Int) -> Double {
    nanoseconds {
        var sum = 0
        for _ in 0..<count / 10 {
            withObservationTracking {
                for _ in 0..<10 { sum &+= number(counter) }
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
