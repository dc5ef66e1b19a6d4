import AuditArchives
import AuditServerTesting
import EventModel
import EventModelTesting
import EventPartitions
import EventProofs
import Foundation
import Testing

@testable import DaybookCommand

@Suite("Verification of files with the index of sealed partitions")
struct IndexVerificationTests {
    private let folder: TestFolder
    private let paths: [String]
    private let archive: FileEventArchive

    init() throws {
        folder = try TestFolder.made()
        let events = try EventFolder(root: folder.path, appID: "app", userID: "user", prefix: "ward")
        let files = try PartitionedEventFiles(events, timer: ManualTimer())
        let device = SampleDevice()
        for number in 0..<3 {
            _ = try files.append([device.event("activity \(number)")])
            try files.seal()
        }
        try files.close()
        paths = try PartitionFiles.find(below: folder.path)
        archive = try FileEventArchive(folder.path, workingDirectory: "/")
    }

    private func indexes(_ receipts: [StorageReceipt] = []) async throws -> [VerifiedIndex] {
        try await archive.verify(receipts) { _, _ in }
    }

    @Test("files that nobody touched are what the index says, also in a part of the folder")
    func intact() async throws {
        let index = try #require(try await indexes().first)
        #expect(index.verified)
        #expect(index.sealed == 3)
        #expect(index.index == "\(folder.path)/realm-audit/device.index")
        #expect(index.publicKey?.count == 64)

        for part in ["realm-audit", "realm-audit/app", "realm-audit/app/user", "realm-audit/app/user/ward"] {
            let archive = try FileEventArchive("\(folder.path)/\(part)", workingDirectory: "/")
            #expect(try await archive.verify([]) { _, _ in } == [index])
        }
    }

    @Test("a removed file is a problem that names it, and the command ends with 1")
    func removed() async throws {
        try #require(paths.count == 3)
        try FileManager.default.removeItem(atPath: paths[1])

        let index = try #require(try await indexes().first)

        #expect(!index.verified)
        #expect(index.problems.count == 1)
        #expect(index.problems.first?.contains("is gone from \(paths[1])") == true)
        let outcome = await CommandOutcome.of(["verify", "--files", folder.path])
        #expect(outcome.code == 1)
        #expect(outcome.output.hasSuffix("1 problem found\n"))
    }

    @Test("a file that was cut off so that all that is left holds is a problem")
    func cutOff() async throws {
        let size = try #require(FileManager.default.contents(atPath: paths[0])).count
        let file = try POSIXFileSystem().open(paths[0], .write)
        try file.truncate(to: UInt64(size - 36))
        var partitions: [VerifiedPartition] = []

        let indexes = try await archive.verify([]) { verified, _ in partitions.append(verified) }

        #expect(partitions.count == 3)
        #expect(indexes.flatMap(\.problems).count == 1)
    }

    @Test("a folder without its index is a problem; copies of single files are none")
    func withoutIndex() async throws {
        try FileManager.default.removeItem(atPath: "\(folder.path)/realm-audit/device.index")
        #expect(try await indexes().flatMap(\.problems).count == 1)

        let copies = try TestFolder.made()
        for path in paths {
            try FileManager.default.copyItem(
                atPath: path,
                toPath: "\(copies.path)/\(URL(fileURLWithPath: path).lastPathComponent)"
            )
        }
        let archive = try FileEventArchive(copies.path, workingDirectory: "/")
        #expect(try await archive.verify([]) { _, _ in } == [])
    }

    @Test("an earlier state of the whole device is told by a receipt for what it does not know")
    func rolledBack() async throws {
        let reader = try PartitionFiles.verify(#require(paths.last))
        func receipt(_ partition: PartitionID) -> StorageReceipt {
            StorageReceipt(
                app: "app",
                user: "user",
                partition: partition,
                durableThrough: 1,
                root: reader.root,
                isSealed: true,
                issued: EventInstant(microseconds: 1),
                publicKey: [],
                signature: []
            )
        }
        #expect(try await indexes([receipt(reader.partition)]).flatMap(\.problems) == [])

        let newer = PartitionID(prefix: "ward", id: reader.partition.id.following(1))
        let problems = try await indexes([receipt(newer)]).flatMap(\.problems)

        #expect(problems.count == 1)
        #expect(problems.first?.contains("an earlier state of the device was put back") == true)
    }

    @Test("each of 200 truncations, 6 older versions and 4 deletions of sealed files is found")
    func attacks() async throws {
        let device = try TestFolder.made()
        let events = try EventFolder(root: device.path, appID: "app", userID: "user", prefix: "ward")
        let files = try PartitionedEventFiles(events, timer: ManualTimer())
        let sample = SampleDevice()
        var older: [(path: String, bytes: Data)] = []
        for number in 0..<4 {
            for part in 0..<3 {
                _ = try files.append((0..<20).map { sample.event("activity \(number) \(part) \($0)") })
                let path = try #require(try PartitionFiles.find(below: device.path).last)
                // The file as it was before the last events, and before the first ones.
                if part < 2, older.count < 6 { older.append((path, try Data(contentsOf: URL(filePath: path)))) }
            }
            try files.seal()
        }
        try files.close()
        let paths = try PartitionFiles.find(below: device.path)
        try #require(paths.count == 4 && older.count == 6)
        let archive = try FileEventArchive(device.path, workingDirectory: "/")
        /// How many problems there are while a file has other bytes, or none.
        func problems(_ path: String, _ bytes: Data?) async throws -> Int {
            let url = URL(filePath: path)
            let whole = try Data(contentsOf: url)
            if let bytes { try bytes.write(to: url) } else { try FileManager.default.removeItem(at: url) }
            var count = 0
            let indexes = try await archive.verify([]) { verified, _ in count += verified.problems.count }
            try whole.write(to: url)
            return count + indexes.flatMap(\.problems).count
        }

        for number in 0..<200 {
            let path = paths[number % 4]
            let whole = try Data(contentsOf: URL(filePath: path))
            let size = whole.count * (number / 4) / 50
            #expect(try await problems(path, whole.prefix(size)) >= 1, "cut off at \(size) of \(whole.count)")
        }
        for (path, bytes) in older { #expect(try await problems(path, bytes) >= 1) }
        for path in paths { #expect(try await problems(path, nil) >= 1) }

        let partitions = try await archive.verify([]) { verified, _ in #expect(verified.problems == []) }
        #expect(partitions.allSatisfy { $0.verified })
    }
}
