import ArgumentParser
import AuditArchives
import AuditModel
import AuditServerTesting
import EventModel
import EventModelTesting
import EventPartitions
import Foundation
import Testing

@testable import DaybookCommand

@Suite("Verification of damaged files")
struct DamagedFileVerificationTests {
    private let folder: TestFolder
    private let path: String
    private let intact: [UInt8]
    private let archive: FileEventArchive
    private static let count = 12

    init() throws {
        folder = try TestFolder.made()
        let files = try PartitionedEventFiles(
            EventFolder(root: folder.path, appID: "local", userID: "local", prefix: "ward")
        )
        // Frames of one and of several events, small and packed ones.
        let device = SampleDevice()
        for first in stride(from: 1, through: Self.count, by: 3) {
            let events = (first..<(first + 3))
                .map { number in
                    AuditEvent(
                        id: ObjectId(high: 1, low: UInt32(number)),
                        clock: device.event("a").clock,
                        activity: "activity \(number)",
                        event: "read",
                        data: Array(String(repeating: "x\(number) ", count: first == 1 ? 1 : 200).utf8)
                    )
                }
            _ = try files.append(events)
        }
        try files.close()
        path = try #require(try PartitionFiles.find(below: folder.path).first)
        intact = Array(try Data(contentsOf: URL(fileURLWithPath: path)))
        archive = try FileEventArchive(folder.path, workingDirectory: "/")
    }

    private func verified() async throws -> VerifiedPartition {
        var all: [VerifiedPartition] = []
        try await archive.verify([]) { verified, _ in all.append(verified) }
        return try #require(all.first)
    }

    @Test("whichever byte is flipped, the printed range has it, and the events that are gone are those that are named")
    func flips() async throws {
        #expect(try await verified().verified)
        for offset in stride(from: 0, to: intact.count, by: max(1, intact.count / 199)) {
            var bytes = intact
            bytes[offset] ^= 1 << UInt8(offset % 8)
            try Data(bytes).write(to: URL(fileURLWithPath: path))

            let verified = try await verified()

            #expect(!verified.verified, "byte \(offset)")
            // The bytes of the version name another version in place of a range.
            if verified.problems.contains(where: { $0.contains("has version") }) { continue }
            let damage = verified.damages.first { $0.from <= UInt64(offset) && UInt64(offset) < $0.from + $0.length }
            #expect(damage != nil, "byte \(offset) in \(verified.problems)")
            #expect(damage?.path == path)
            let listed = try await listed()
            let gone = Set(1...UInt64(Self.count)).subtracting(listed)
            let named = verified.damages.reduce(into: Set<UInt64>()) { named, damage in
                if let first = damage.firstEvent, let last = damage.lastEvent { named.formUnion(first...last) }
            }
            #expect(named == gone, "byte \(offset)")
            if let damage, let first = damage.firstEvent, let last = damage.lastEvent {
                let sentence = try #require(verified.problems.first { $0.contains("bytes \(damage.from) to") })
                #expect(sentence.contains(path))
                #expect(sentence.contains(first == last ? "Event \(first) " : "Events \(first) to \(last) "))
            }
        }
    }

    private func listed() async throws -> Set<UInt64> {
        var listed: Set<UInt64> = []
        do {
            try await archive.events(EventFilter()) { listed.insert($0.details.sequence) }
        } catch is PartitionError {
            // Thrown behind the events that could be read.
        }
        return listed
    }

    @Test("the command ends with 1 for a damaged file, and with 0 for an intact one")
    func exitCodes() async throws {
        func code() async throws -> Int32 {
            let command = try #require(
                try DaybookCommand.parseAsRoot(["verify", "--json", "--files", folder.path]) as? VerifyCommand
            )
            do {
                try await command.run()
                return 0
            } catch {
                return VerifyCommand.exitCode(for: error).rawValue
            }
        }
        #expect(try await code() == 0)
        var bytes = intact
        bytes[intact.count / 2] ^= 4
        try Data(bytes).write(to: URL(fileURLWithPath: path))
        #expect(try await code() == 1)
        try Data(intact.prefix(intact.count / 2)).write(to: URL(fileURLWithPath: path))
        let cut = try await verified()
        #expect(cut.problems != [] || cut.events < UInt64(Self.count))
        try Data(bytes + bytes).write(to: URL(fileURLWithPath: path))
        #expect(try await code() == 1)
    }
}
