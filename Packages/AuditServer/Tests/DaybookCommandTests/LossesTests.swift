import AuditArchives
import AuditServerTesting
import EventModel
import EventModelTesting
import EventPartitions
import Foundation
import Testing

@testable import DaybookCommand

@Suite("Losses in the commands")
struct LossesTests {
    private let folder: TestFolder
    private let losses = [
        LossEntry(
            reason: .quota,
            count: 3,
            noticed: EventInstant(microseconds: 9_000_000),
            first: EventInstant(microseconds: 1_000_000),
            last: EventInstant(microseconds: 2_000_000),
            partition: PartitionID(prefix: "ward", id: ObjectId(high: 0, low: 7)),
            sequences: 1...3
        ),
        LossEntry(reason: .encodingFailed, count: 4, noticed: EventInstant(microseconds: 9_000_000)),
    ]

    init() throws {
        folder = try TestFolder.made()
        let files = try PartitionedEventFiles(
            EventFolder(root: folder.path, appID: "local", userID: "local", prefix: "ward")
        )
        files.note(losses)
        try files.close()
    }

    private func object(_ line: some Encodable) throws -> [String: Any] {
        let json = try JSONSerialization.jsonObject(with: JSONEncoder().encode(line))
        return try #require(json as? [String: Any])
    }

    @Test("partitions counts lost events, not payloads, and its JSON has each entry")
    func partitions() async throws {
        let found = try #require(try await FileEventArchive(folder.path, workingDirectory: "/").partitions().first)

        #expect(found.lost == 3)
        #expect(found.losses == losses)
        let entries = try #require(try object(found)["losses"] as? [[String: Any]])
        #expect(entries.map { $0["reason"] as? String } == ["quota", "encodingFailed"])
        #expect(entries[0]["partition"] as? String == "ward-000000000000000000000007")
        #expect(entries[0]["sequences"] as? [Int] == [1, 3])
    }

    @Test("verify shows each entry, and no loss makes a proof fail")
    func verify() async throws {
        var all: [VerifiedPartition] = []
        try await FileEventArchive(folder.path, workingDirectory: "/")
            .verify([]) { verified, _ in all.append(verified) }

        let verified = try #require(all.first)
        #expect(verified.verified)
        #expect(verified.losses == losses)
        #expect(try object(verified)["losses"] as? [[String: Any]] != nil)
    }
}
