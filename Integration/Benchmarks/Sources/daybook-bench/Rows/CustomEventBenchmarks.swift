import BenchmarkFloors
import BenchmarkHarness
import Daybook
import Dispatch
import Foundation

/// Events of the program's own, from the call to the disk.
func customEventBenchmarks(_ workload: Workload) -> [Benchmark] {
    let work = CustomEventWork(workload: workload)
    return [
        Benchmark(
            "custom event, durable, one caller",
            unit: "us",
            target: .timesFloor(1.3),
            floor: { try await work.rawAppendTime(events: 1) },
            ours: { try await work.durableTime() }
        ),
        Benchmark(
            "custom events, durable, 64 in flight",
            unit: "events/s",
            target: .atLeast(50_000),
            floor: { 64 / (try await work.rawAppendTime(events: 64)) * 1_000_000 },
            ours: { try await work.throughput(inFlight: 64) }
        ),
        Benchmark(
            "custom event, the call itself, p50",
            unit: "us",
            target: .atMost(2),
            ours: { try await work.callTime(percentile: 50) }
        ),
        Benchmark(
            "custom event, the call itself, p99",
            unit: "us",
            target: .atMost(50),
            ours: { try await work.callTime(percentile: 99) }
        ),
    ]
}

/// The work behind the rows of custom events; each turn has files of its own.
private struct CustomEventWork: Sendable {
    let workload: Workload

    /// Microseconds to append as many bytes as so many small events have, and sync once.
    func rawAppendTime(events count: Int) async throws -> Double {
        try await workload.withFolder { folder in
            let log = try RawLog(path: folder.appending(path: "log").path)
            let bytes = [UInt8](repeating: 0x61, count: 115 * count)
            return try medianNanoseconds(ofSteps: workload.commits) { _ in try log.append(bytes) } / 1000
        }
    }

    /// Microseconds from a call to its completion, one after the other.
    func durableTime() async throws -> Double {
        try await withEvents { events in
            var times: [Double] = []
            for _ in 0..<workload.commits {
                times.append(
                    try await asyncNanoseconds { try await events.persistEvent(activity: "press", eventType: "button") }
                )
            }
            return median(times) / 1000
        }
    }

    /// Completions a second when so many calls wait for theirs at any time.
    func throughput(inFlight count: Int) async throws -> Double {
        try await withEvents { events in
            let permits = DispatchSemaphore(value: count)
            let time = nanoseconds {
                for _ in 0..<workload.events {
                    permits.wait()
                    events.recordEvent(activity: "press", eventType: "button") { _ in permits.signal() }
                }
                for _ in 0..<count { permits.wait() }
            }
            for _ in 0..<count { permits.signal() }
            return Double(workload.events) / time * 1_000_000_000
        }
    }

    /// Microseconds that a percentile of the calls stays below.
    func callTime(percentile: Int) async throws -> Double {
        try await withEvents { events in
            let times = (0..<workload.events)
                .map { _ in
                    nanoseconds { events.recordEvent(activity: "press", eventType: "button") }
                }
            await events.flush()
            return times.sorted()[times.count * percentile / 100] / 1000
        }
    }

    private func withEvents(_ work: (Events) async throws -> Double) async throws -> Double {
        try await workload.withFolder { folder in
            guard let events = try openRealm(in: folder, records: true).events else { throw BenchError.noEvents }
            return try await work(events)
        }
    }
}
