import AuditServerTesting
import BenchmarkFloors
import BenchmarkHarness
import Foundation

/// One change and many readers that wait for it at the server.
func fanOutBenchmarks(_ workload: Workload) -> [Benchmark] {
    let work = FanOutWork(workload: workload)
    return [
        Benchmark(
            "fan-out of one change to \(work.readerCount) waiting readers (floor: writing the bytes)",
            unit: "ms",
            target: .timesFloor(2),
            floor: { try work.rawMilliseconds() },
            ours: { try await work.milliseconds(of: 1) }
        ),
        Benchmark(
            "fan-out of one change to \(work.readerCount) waiting readers, p99",
            unit: "ms",
            target: .atMost(200),
            ours: { try await work.milliseconds(of: 0.99) }
        ),
        Benchmark(
            "memory of the server for a waiting reader, \(work.readerCount) readers",
            unit: "KiB",
            target: .atMost(8),
            ours: { try await work.kibibytesOfReader() }
        ),
    ]
}

/// The work behind the rows; each turn has a server of its own.
private struct FanOutWork: Sendable {
    /// The bytes of an answer with one entry of one property, its head included.
    private static let answerBytes = 300

    let workload: Workload

    var readerCount: Int { workload.isQuick ? 200 : 1000 }

    /// How many changes are told in a turn, of which the first one does not count.
    private var changeCount: Int { workload.isQuick ? 4 : 5 }

    /// Milliseconds until so many of the readers have a change, 1 for all: the median of several changes.
    func milliseconds(of part: Double) async throws -> Double {
        try await workload.withFolder { folder in
            let readers = try WaitingReaders(readerCount, at: ServerProcess(in: folder))
            let times = try (0..<changeCount)
                .map { _ in
                    try readers.arrive()
                    return Self.milliseconds(of: part, try readers.tell().nanoseconds)
                }
            return median(Array(times.dropFirst()))
        }
    }

    /// Milliseconds in which a thread writes the bytes of the answer to as many sockets, and another one has read them.
    func rawMilliseconds() throws -> Double {
        let fanOut = try RawFanOut(readers: readerCount)
        let times = try (0..<changeCount)
            .map { _ in Self.milliseconds(of: 1, try fanOut.measure(answerBytes: Self.answerBytes)) }
        return median(Array(times.dropFirst()))
    }

    private static func milliseconds(of part: Double, _ times: [Double]) -> Double {
        times.sorted()[Int((Double(times.count - 1) * part).rounded(.down))] / 1_000_000
    }

    /// How much more memory the server has for each reader that waits, when every connection was used before.
    func kibibytesOfReader() async throws -> Double {
        try await workload.withFolder { folder in
            let server = try ServerProcess(in: folder)
            let readers = try WaitingReaders(readerCount, at: server)
            try readers.warmUp()
            guard let before = try server.residentKibibytes() else {
                throw SkippedBenchmark("Only Linux says how much memory another process has.")
            }
            try readers.arrive()
            let after = try server.residentKibibytes() ?? before
            // Nobody may have been told meanwhile, or fewer waited.
            blackHole(try readers.tell().answerBytes)
            return (after - before) / Double(readers.count)
        }
    }
}
