import BenchmarkHarness
import EventModel
import EventPartitions
import Foundation
import Synchronization

/// How long it takes to open a folder that earlier processes left, and how much memory waiting events need.
func recoveryBenchmarks(_ workload: Workload) -> [Benchmark] {
    let work = RecoveryWork(workload: workload)
    return [
        Benchmark(
            "opening a folder with 1,000 waiting partitions",
            unit: "ms",
            target: .atMost(50),
            ours: { try work.openWaiting(partitions: 1000) }
        ),
        Benchmark(
            "recovering \(work.recoveredMebibytes) MiB that a dead process left",
            unit: "s",
            target: .atMost(1),
            ours: { try work.recover() }
        ),
        Benchmark(
            "resident memory with \(work.waitingMillions) million waiting events",
            unit: "MB",
            target: .atMost(64),
            ours: { try work.residentMegabytes() }
        ),
    ]
}

/// The work behind the rows of recovery; what the rounds open is made once.
private final class RecoveryWork: Sendable {
    private struct Prepared {
        var waiting: EventFolder?
        var unsealed: EventFolder?
        var megabytes: Double?
    }

    /// No quota, and no sync for each append: what is measured comes afterwards.
    static let policy = StoragePolicy(quota: EventQuota(bytes: .max), durability: .system)

    private let workload: Workload
    private let prepared = Mutex(Prepared())

    init(workload: Workload) {
        self.workload = workload
    }

    var recoveredMebibytes: Int { workload.isQuick ? 32 : 256 }
    var waitingMillions: Int { workload.isQuick ? 1 : 10 }

    /// Opens a folder of sealed partitions that nobody has uploaded yet.
    func openWaiting(partitions count: Int) throws -> Double {
        let folder = try prepared.withLock { prepared in
            if let folder = prepared.waiting { return folder }
            let folder = try eventFolder("waiting")
            let files = try PartitionedEventFiles(folder, policy: Self.policy)
            for number in 0..<count {
                _ = try files.append([smallEvent(number)])
                try files.seal()
            }
            try files.close()
            prepared.waiting = folder
            return folder
        }
        var found = 0
        let time = try nanoseconds {
            let files = try PartitionedEventFiles(folder, policy: Self.policy)
            found = try files.partitions().count
        }
        guard found == count else { throw BenchError.noEventFile }
        return time / 1_000_000
    }

    /// Recovers a file without a seal; each round has a copy of the folder, which knows nothing of the rounds before.
    func recover() throws -> Double {
        let unsealed = try prepared.withLock { prepared in
            if let unsealed = prepared.unsealed { return unsealed }
            let folder = try eventFolder("unsealed")
            let limits = PartitionLimits(partitionBytes: 1 << 40)
            var files: PartitionedEventFiles? = try PartitionedEventFiles(folder, limits: limits, policy: Self.policy)
            var size: UInt64 = 0
            var number = 0
            while size < UInt64(recoveredMebibytes) << 20 {
                _ = try files?.append((number..<number + 20_000).map(smallEvent))
                number += 20_000
                guard let found = try PartitionFiles.find(below: folder.path).first else {
                    throw BenchError.noEventFile
                }
                size = try FileHandle(forReadingFrom: URL(filePath: found)).seekToEnd()
            }
            // The last reference goes without a seal, as with a dead process.
            files = nil
            prepared.unsealed = folder
            return folder
        }
        let folder = try eventFolder("recovered")
        // A folder of the round before goes; the first round finds what was just made, which is empty.
        // LIVE: the outermost layer.
        let disk = FileManager.default
        try disk.removeItem(atPath: folder.root)
        try disk.copyItem(atPath: unsealed.root, toPath: folder.root)
        return try nanoseconds { _ = try PartitionedEventFiles(folder, policy: Self.policy) } / 1_000_000_000
    }

    /// Lets a process of its own append, open and read the events, and asks for the most memory it ever had.
    func residentMegabytes() throws -> Double {
        if let known = prepared.withLock(\.megabytes) { return known }
        let folder = try workload.makeSharedFolder("memory")
        let output = Pipe()
        let process = Process()
        process.executableURL = URL(filePath: CommandLine.arguments[0])
        process.arguments = ["--measure-memory", folder.path, "\(waitingMillions * 1_000_000)"]
        process.standardOutput = output
        try process.run()
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        guard let bytes = Double(text.trimmingCharacters(in: .whitespacesAndNewlines)) else {
            throw BenchError.noMemoryFigure
        }
        // The files would only take room from the rows behind this one.
        // LIVE: the outermost layer.
        try FileManager.default.removeItem(at: folder)
        let megabytes = bytes / 1_000_000
        prepared.withLock { $0.megabytes = megabytes }
        return megabytes
    }

    private func eventFolder(_ name: String) throws -> EventFolder {
        let root = try workload.makeSharedFolder(name).path
        return try EventFolder(root: root, appID: "bench", userID: "bench", prefix: "bench")
    }
}

/// The process behind the row of memory: appends events, opens the folder again, and reads as an upload does.
///
/// - Returns: The largest resident size that the process has had, in bytes.
func peakMemory(root: String, events: Int) throws -> UInt64 {
    let folder = try EventFolder(root: root, appID: "bench", userID: "bench", prefix: "bench")
    var files: PartitionedEventFiles? = try PartitionedEventFiles(folder, policy: RecoveryWork.policy)
    for start in stride(from: 0, to: events, by: 5000) {
        _ = try files?.append((start..<start + 5000).map(smallEvent))
    }
    files = nil
    let reopened = try PartitionedEventFiles(folder, policy: RecoveryWork.policy)
    for summary in try reopened.partitions() {
        var next: UInt64 = 1
        for _ in 0..<20 where next <= summary.count {
            next = try reopened.read(summary.partition, from: next, maximumBytes: 1 << 20).lastSequence + 1
        }
    }
    _ = try reopened.append([smallEvent(0)])
    return try peakResidentBytes()
}

private func smallEvent(_ number: Int) -> AuditEvent {
    AuditEvent(
        id: ObjectId(high: 1, low: UInt32(truncatingIfNeeded: number)),
        clock: ClockReading(
            wall: EventInstant(microseconds: 1_700_000_000_000_000 + Int64(number)),
            monotonicNanoseconds: UInt64(number),
            boot: Boot(high: 1, low: 2)
        ),
        activity: "ward round",
        event: "read",
        data: Array("{\"type\":\"Person\",\"value\":{\"_id\":\(number)}}".utf8)
    )
}

private func peakResidentBytes() throws -> UInt64 {
    #if os(Linux)
    // getrusage also counts the process that started this one.
    return UInt64(try ProcessMemory.here.peakMebibytes() * 1_048_576)
    #else
    var usage = rusage()
    guard getrusage(RUSAGE_SELF, &usage) == 0 else { throw BenchError.noMemoryFigure }
    return UInt64(usage.ru_maxrss)
    #endif
}
