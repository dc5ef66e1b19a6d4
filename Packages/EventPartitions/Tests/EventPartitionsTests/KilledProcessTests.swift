import EventModel
import EventModelTesting
import EventPartitions
import EventPartitionsTesting
import EventProofs
import Foundation
import Testing

/// Needs processes that a test may start and kill, which the systems of phones do not have.
#if os(Linux) || os(macOS)
@Suite("A killed process")
struct KilledProcessTests {
    @Test("every event whose append had returned is there afterwards, and uploads", arguments: [1, 2, 7, 30, 90])
    func kill(afterAppends: Int) async throws {
        let fixture = try FilesFixture()
        let root = fixture.temporary.path

        await #expect(processExitsWith: .signal(SIGKILL)) {
            [root = root as String, afterAppends = afterAppends as Int] in
            try await recordUntilKilled(root: root, afterAppends: afterAppends)
        }

        let journal = try String(contentsOfFile: "\(root)/journal", encoding: .utf8)
        let durable = Set(journal.split(separator: "\n").dropLast(journal.hasSuffix("\n") ? 0 : 1).map(String.init))
        #expect(durable.count >= afterAppends)
        let files = try PartitionedEventFiles(fixture.folder, timer: ManualTimer())
        let summaries = try files.partitions()
        #expect(summaries.allSatisfy { $0.isSealed && $0.quarantineReason == nil })
        var uploaded: Set<String> = []
        for summary in summaries {
            #expect(try PartitionFiles.verify(fixture.path(of: summary.partition)).problems == [])
            for event in try files.upload(summary.partition, maximumBytes: .max) {
                uploaded.insert(event.id.stringValue)
            }
            try files.delete(summary.partition)
        }
        #expect(uploaded.isSuperset(of: durable))
    }
}

/// Appends from three threads, notes each event whose append has returned, and ends in the middle of it.
private func recordUntilKilled(root: String, afterAppends: Int) async throws {
    let folder = try EventFolder(root: root, appID: "app", userID: "user", prefix: "ward")
    let files = try PartitionedEventFiles(folder, limits: PartitionLimits(partitionBytes: 2000))
    let descriptor = open("\(root)/journal", O_WRONLY | O_CREAT | O_APPEND, 0o600)
    try await withThrowingTaskGroup(of: Void.self) { group in
        for thread in 0..<3 {
            group.addTask {
                try await onThread {
                    for number in 0..<10_000 {
                        let event = AuditEvent.sample(thread * 10_000 + number)
                        _ = try files.append([event])
                        let line = Array("\(event.id)\n".utf8)
                        guard write(descriptor, line, line.count) == line.count else { return }
                        // The other threads are in the middle of a write or sync when this one ends the process.
                        if thread == 0, number + 1 == afterAppends { raise(SIGKILL) }
                    }
                }
            }
        }
        try await group.waitForAll()
    }
}
#endif
