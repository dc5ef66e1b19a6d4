import EventModel
import EventModelTesting
import EventPartitions
import EventPartitionsTesting
import EventProofs
import Foundation
import Testing

/// Needs processes that a test may copy and kill, which the systems of phones do not have.
#if os(Linux) || os(macOS)
@Suite("Killed and concurrent processes")
struct KillLoopTests {
    @Test("of 200 processes killed at random moments none loses a promised event, stores one twice or breaks a proof")
    func kills() async throws {
        let temporary = try TestFolder.made()
        let root = temporary.path
        // A kill that finds an error says so with its seed, which repeats the numbers that were drawn.
        let seed = UInt64.random(in: 0...UInt64(UInt32.max))

        await #expect(processExitsWith: .success, "The seed was \(seed).") {
            [root = root as String, seed = seed as UInt64] in
            try noting(in: root) {
                var loop = try KillLoop(root: "\(root)/files", seed: seed)
                let summary = try loop.run(count: 200)
                guard summary.killedProcesses >= 200, summary.promisedEvents > 500, summary.verifiedPartitions > 50
                else {
                    throw KillLoopError(description: "Too little was done: \(summary)")
                }
            }
        }

        #expect(failure(in: root) == nil, "The seed was \(seed).")
    }

    @Test("two processes append 3,000 events each to one folder at the same time, and none is lost or stored twice")
    func twoProcesses() async throws {
        let temporary = try TestFolder.made()
        let root = temporary.path

        await #expect(processExitsWith: .success) { [root = root as String] in
            try noting(in: root) {
                let copies = try (0..<2)
                    .map { number in
                        try ProcessCopy { report in
                            let files = try openFiles(root)
                            for start in stride(from: 0, to: 3000, by: 10) {
                                let first = number * 10_000 + start
                                _ = try files.append(AuditEvent.samples(first..<first + 10))
                                // Looking for leftovers must not touch what the other process writes.
                                if start % 500 == 0 { _ = try files.partitions() }
                            }
                            report(1)
                        }
                    }
                guard copies.map({ $0.finish().reports }) == [[1], [1]] else {
                    throw KillLoopError(description: "A process failed; its error is above.")
                }
            }
        }

        #expect(failure(in: root) == nil)
        let files = try openFiles(root)
        let reports = try files.partitions()
            .map { try PartitionFiles.verify("\(files.folder.path)/\($0.partition.id).events") }
        #expect(reports.flatMap(\.problems) == [])
        #expect(reports.allSatisfy { $0.seal != nil })
        let stored = try files.partitions()
            .flatMap { try files.read($0.partition, from: 1, maximumBytes: .max).events.decoded() }
        #expect(stored.count == 6000)
        #expect(Set(stored) == Set(AuditEvent.samples(0..<3000) + AuditEvent.samples(10_000..<13_000)))
    }

    @Test("of several processes one owns what a dead one left, and the next one does when that one dies")
    func claims() async throws {
        let temporary = try TestFolder.made()
        let root = temporary.path

        await #expect(processExitsWith: .success) { [root = root as String] in
            try noting(in: root) {
                let dead = try ProcessCopy { report in
                    let files = try openFiles(root)
                    _ = try files.append(AuditEvent.samples(0..<5))
                    report(1)
                    while true { pause() }
                }
                guard dead.next() == 1 else { throw KillLoopError(description: "The first process failed.") }
                _ = dead.kill()
                /// Says how many events are its own to upload, and lives until it is killed.
                let owners = try (0..<3)
                    .map { _ in
                        try ProcessCopy { report in
                            let files = try openFiles(root)
                            report(UInt32(try files.partitions().reduce(0) { $0 + $1.count }))
                            while true { pause() }
                        }
                    }
                let counts = owners.map { $0.next() ?? 99 }
                guard counts.sorted() == [0, 0, 5] else {
                    throw KillLoopError(description: "The partitions of the dead process are seen by \(counts).")
                }
                let files = try openFiles(root)
                guard try files.partitions().isEmpty else { throw KillLoopError(description: "They have two owners.") }
                for owner in owners { _ = owner.kill() }
                guard try files.partitions().map(\.count) == [5] else {
                    throw KillLoopError(description: "Nobody owns them after their owner's death.")
                }
            }
        }

        #expect(failure(in: root) == nil)
    }

    @Test("a thousand sealed partitions take no descriptor each, and are all listed")
    func descriptors() async throws {
        let fixture = try DiskFixture()
        let template = try SampleFile(sealed: false)
        let files = try fixture.open(limits: PartitionLimits(partitionBytes: 1), ids: SequentialIds(first: 100))
        #expect(template.events.count > 2)
        for number in 0..<40 { _ = try files.append([.sample(number)]) }
        try files.seal()
        let before = fixture.faulty.count(.lock)

        #expect(try files.partitions().count == 40)
        for summary in try files.partitions() { #expect(try files.upload(summary.partition).count == 1) }

        // A file whose lock is held is open: the claims, and the room for losses. The folder's own lock is taken and given back.
        #expect(fixture.faulty.openFileCount <= 2)
        #expect(fixture.faulty.count(.lock) - before < 200)
    }
}

/// Opens the files of a test as a process of its own.
private func openFiles(_ root: String) throws -> PartitionedEventFiles {
    try PartitionedEventFiles(
        EventFolder(root: "\(root)/files", appID: "app", userID: "user", prefix: "ward"),
        limits: PartitionLimits(partitionBytes: 20_000),
        key: DeviceKey(rawRepresentation: [UInt8](repeating: 7, count: 32)),
        fileSystem: FaultInjectingFileSystem(POSIXFileSystem()),
        ids: ObjectIdGenerator(clock: SystemClock(), seed: .random(in: 0 ... .max))
    )
}

/// Runs the work of a process and leaves its error where the test finds it.
private func noting(in root: String, _ work: () throws -> Void) throws {
    do {
        try work()
    } catch {
        try Data("\(error)".utf8).write(to: URL(fileURLWithPath: "\(root)/failure"))
        throw error
    }
}

private func failure(in root: String) -> String? {
    FileManager.default.contents(atPath: "\(root)/failure").map { String(decoding: $0, as: UTF8.self) }
}
#endif
