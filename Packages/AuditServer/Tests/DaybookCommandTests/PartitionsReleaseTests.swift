import AuditArchives
import AuditServerTesting
import EventModel
import EventModelTesting
import EventPartitions
import Testing

@testable import DaybookCommand

@Suite("daybook partitions release")
struct PartitionsReleaseTests {
    private struct Line: Decodable {
        let partition: String
        let path: String
        let reason: String?
        let released: Bool
    }

    private let folder: TestFolder
    private let files: PartitionedEventFiles

    init() throws {
        folder = try TestFolder.made()
        files = try PartitionedEventFiles(
            EventFolder(root: folder.path, appID: "local", userID: "local", prefix: "ward")
        )
    }

    /// Has a server refuse a new partition.
    private func refuse(_ activity: String) throws -> PartitionID {
        _ = try files.append([SampleDevice().event(activity)])
        try files.seal()
        let partition = try #require(try files.partitions().last { $0.quarantineReason == nil }?.partition)
        try files.quarantine(partition, reason: "The server refuses it. Its code is rejected.")
        return partition
    }

    private func run(_ arguments: [String]) async -> CommandOutcome {
        await .of(["partitions", "release", "--files", folder.path] + arguments)
    }

    @Test("all that a server refused is offered again while the app runs, and the list is told of it before")
    func all() async throws {
        let empty = await run([])
        #expect((empty.output, empty.code) == ("No partition is kept aside.\n", 0))
        let partition = try refuse("Rounds")
        let archive = try FileEventArchive(folder.path, workingDirectory: "/")
        let told = try #require(try await archive.strays().first)
        #expect(told.contains("The server refuses it.") && told.contains("daybook partitions release"))

        let released = await run([])

        #expect(released.output == "\(partition) is uploaded again as soon as its app looks at its files.\n")
        #expect(try files.partitions().map(\.quarantineReason) == [nil])
        #expect(try await archive.strays() == [])
    }

    @Test("one of them is released by its name, others stay, and a name that is not kept aside is refused")
    func named() async throws {
        let first = try refuse("Rounds")
        let second = try refuse("Visit")

        let outcome = await run(["--json", second.value])

        let lines = try outcome.lines(Line.self)
        #expect(lines.map(\.partition) == [second.value])
        #expect(lines.map(\.released) == [true])
        #expect(lines.map(\.reason) == ["The server refuses it. Its code is rejected."])
        #expect(try files.partitions().filter { $0.quarantineReason != nil }.map(\.partition) == [first])
        let other = await run(["ward-5f1c7a3e9b2d4c6f8a0b1c2d"])
        #expect(other.code == 1)
        #expect(other.message.contains("'ward-5f1c7a3e9b2d4c6f8a0b1c2d' is not kept aside below this folder"))
        #expect(await run(["ward"]).code == 1)
        #expect(await CommandOutcome.of(["partitions", "release"]).code == 64)
    }
}
