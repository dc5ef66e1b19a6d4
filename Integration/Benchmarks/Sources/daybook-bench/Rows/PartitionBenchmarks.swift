import BenchmarkFloors
import BenchmarkHarness
import Daybook
import Foundation

/// The event files by themselves: how fast they are written, closed and checked, and how much they cost the disk.
func partitionBenchmarks(_ workload: Workload) -> [Benchmark] {
    let work = PartitionWork(workload: workload)
    return [
        Benchmark(
            "appending events, not synced, before compression",
            unit: "MB/s",
            target: .atLeast(400),
            ours: { try await work.appendSpeed(encryptionKey: nil) }
        ),
        Benchmark(
            "the same, encrypted",
            unit: "MB/s",
            target: .atLeast(400),
            ours: { try await work.appendSpeed(encryptionKey: .random()) }
        ),
        Benchmark(
            "bytes written for each byte of an event file",
            unit: "B",
            target: .atMost(1.2),
            ours: { try await work.bytesWrittenPerByte() }
        ),
        Benchmark(
            "closing a partition of \(work.count / 1000),000 events",
            unit: "s",
            target: .atMost(1),
            ours: { try await work.sealTime() }
        ),
        Benchmark(
            "verifying a file, leaves",
            unit: "leaves/s",
            target: .atLeast(500_000),
            ours: { try await work.verifySpeed() }
        ),
    ]
}

/// The work behind the rows; each turn has files of its own.
private struct PartitionWork: Sendable {
    let workload: Workload
    /// How many events a large partition has: a million, unless the run is quick.
    let count: Int
    /// The events of a call, small reads as a scope records them.
    private let reads: [AuditEvent]
    /// The events of a call, each a query of ten people.
    private let queries: [AuditEvent]

    init(workload: Workload) {
        self.workload = workload
        count = workload.people.count * 10
        let source = SampleEvents()
        reads = workload.people.prefix(10_000).map { source.event($0.key, about: [$0]) }
        queries = (0..<1000).map { source.event($0, about: Array(workload.people[$0 * 10..<$0 * 10 + 10])) }
    }

    /// Megabytes of encoded events a second that are given to the system.
    func appendSpeed(encryptionKey: EventEncryptionKey?) async throws -> Double {
        try await workload.withFolder { folder in
            let files = try open(folder, encryptionKey: encryptionKey)
            let bytes = queries.reduce(0) { $0 + $1.encodedByteCount }
            let calls = 50
            let time = try nanoseconds { for _ in 0..<calls { _ = try files.append(queries) } }
            return Double(bytes * calls) / time * 1000
        }
    }

    /// What is given to the file system for a thousand durable calls, a large one and the seal, by what is in the file then.
    func bytesWrittenPerByte() async throws -> Double {
        try await workload.withFolder { folder in
            let counting = CountingFileSystem()
            let files = try open(folder, durability: .eachCommit, fileSystem: counting)
            for event in reads.prefix(1000) { _ = try files.append([event]) }
            _ = try files.append(queries)
            try files.seal()
            return Double(counting.bytesWritten) / Double(try eventFileBytes(below: folder))
        }
    }

    /// Seconds to close a large partition.
    func sealTime() async throws -> Double {
        try await workload.withFolder { folder in
            let files = try fill(folder)
            return try nanoseconds { try files.seal() } / 1_000_000_000
        }
    }

    /// Leaves a second of a large partition that are read, unpacked, decoded and hashed, with the tree above them.
    func verifySpeed() async throws -> Double {
        try await workload.withFolder { folder in
            try fill(folder).close()
            guard let path = try PartitionFiles.find(below: folder.path).first else { throw BenchError.noEventFile }
            let time = try nanoseconds {
                guard try PartitionFiles.verify(path).problems.isEmpty else { throw BenchError.damagedFile }
            }
            return Double(count) / time * 1_000_000_000
        }
    }

    /// Writes a large partition.
    private func fill(_ folder: URL) throws -> PartitionedEventFiles {
        let files = try open(folder)
        for _ in 0..<(count / reads.count) { _ = try files.append(reads) }
        return files
    }

    private func open(
        _ folder: URL,
        encryptionKey: EventEncryptionKey? = nil,
        durability: EventDurability = .system,
        fileSystem: any FileSystem = POSIXFileSystem()
    ) throws -> PartitionedEventFiles {
        try PartitionedEventFiles(
            EventFolder(root: folder.path, appID: "local", userID: "local", prefix: "events"),
            limits: PartitionLimits(partitionBytes: 4 << 30),
            policy: StoragePolicy(quota: .unlimited, durability: durability),
            encryptionKey: encryptionKey,
            fileSystem: fileSystem
        )
    }
}
