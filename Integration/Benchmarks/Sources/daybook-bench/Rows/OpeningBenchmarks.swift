import BenchmarkHarness
import Daybook

/// How long it takes until a file can be used.
func openingBenchmarks(_ workload: Workload) -> [Benchmark] {
    [
        Benchmark("open a new file, 13 classes of 54 collections", unit: "ms", target: .atMost(100)) {
            try await workload.withFolder { folder in
                try nanoseconds { blackHole(try openGatherings(in: folder).isEmpty) } / 1_000_000
            }
        },
        Benchmark("open a file again, 13 classes of 54 collections", unit: "ms") {
            try await workload.withFolder { folder in
                blackHole(try openGatherings(in: folder).isEmpty)
                return try nanoseconds { blackHole(try openGatherings(in: folder).isEmpty) } / 1_000_000
            }
        },
        Benchmark("open a new file, 100 classes of 30 properties", unit: "ms", target: .atMost(200)) {
            try await workload.withFolder { folder in
                try nanoseconds { blackHole(try openWide(in: folder).isEmpty) } / 1_000_000
            }
        },
    ]
}
