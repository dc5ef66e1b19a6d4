import CZlib
import EventModel
import EventModelTesting
import EventPartitionsTesting
import EventProofs
import Foundation
import Testing

@testable import EventPartitions

@Suite("The files that the format document speaks of")
struct GoldenFileTests {
    /// Set to a folder, this environment variable makes one of the tests write the files there.
    private static let folder = ProcessInfo.processInfo.environment["DAYBOOK_WRITE_GOLDEN_FILES"]

    private func bytes(_ path: String) throws -> [UInt8] { Array(try Data(contentsOf: URL(fileURLWithPath: path))) }

    @Test("each is read as it was written", arguments: GoldenFile.allCases)
    func reading(golden: GoldenFile) throws {
        let path = try #require(golden.path)
        var reader = try PartitionFileReader(path, encryptionKey: golden.key)
        var events: [AuditEvent] = []
        while let stored = try reader.next() { events.append(stored.event) }
        #expect(events == golden.events)
        #expect(reader.partition == PartitionID(prefix: "golden", id: try ObjectId(string: golden.rawValue)))
        #expect(reader.created == EventInstant(microseconds: 1_764_000_000_000_000))

        let report = try PartitionFiles.verify(path, encryptionKey: golden.key)
        #expect(report.problems == [])
        #expect((report.tornTail != nil) == (golden == .torn))
        #expect((report.seal == nil) == (golden == .torn))
        #expect(report.losses.map(\.count) == (golden == .plain ? [2] : []))
    }

    @Test("what an earlier version sealed is read and verified", arguments: [GoldenFile.plain, .packed, .encrypted])
    func earlierSeals(golden: GoldenFile) throws {
        let path = try #require(golden.earlierPath)
        var reader = try PartitionFileReader(path, encryptionKey: golden.key)
        var events: [AuditEvent] = []
        while let stored = try reader.next() { events.append(stored.event) }
        #expect(events == golden.events)

        let report = try PartitionFiles.verify(path, encryptionKey: golden.key)
        #expect(report.problems == [])
        #expect(report.seal?.owner == nil)
        #expect(
            try PartitionFiles.verify(#require(golden.path), encryptionKey: golden.key).seal?.owner == GoldenFile.owner
        )
    }

    @Test("each is written again byte for byte", arguments: GoldenFile.allCases)
    func writing(golden: GoldenFile) throws {
        let folder = try TestFolder.made()
        let path = "\(folder.path)/\(golden.rawValue).events"
        try golden.write(to: path)
        let (new, old) = (try bytes(path), try bytes(#require(golden.path)))
        let isSameZlib = String(cString: zlibVersion()) == "1.2.13"
        #if canImport(Darwin)
        // The system signs the same seal with other bytes each time.
        let isSameSignature = golden == .torn
        #else
        let isSameSignature = true
        #endif
        if isSameSignature, isSameZlib || !golden.dependsOnZlib {
            #expect(new == old, "Is this meant? Then it is another version of the format.")
        } else {
            var reader = try PartitionFileReader(path, encryptionKey: golden.key)
            for event in golden.events { #expect(try reader.next()?.event == event) }
        }
    }

    @Test("their kinds are what their names say")
    func kinds() throws {
        func flags(_ golden: GoldenFile) throws -> [UInt8] {
            let path = try #require(golden.path)
            let file = try POSIXFileSystem().open(path, .read)
            let id = try ObjectId(string: golden.rawValue)
            var scanner = FrameScanner(file, partition: id, from: 24, to: try file.size())
            var flags: [UInt8] = []
            while case .frame(let frame) = try scanner.next() {
                if frame.header.kind == .events { flags.append(frame.header.flags.rawValue) }
            }
            return flags
        }
        #expect(try flags(.plain) == [0, 0, 0])
        #expect(try flags(.packed) == [0, 1, 0])
        #expect(try flags(.encrypted) == [2, 3])
        #expect(try flags(.torn) == [0, 0])
    }

    @Test(
        "they are written anew for another version of the format",
        .enabled(if: folder != nil, "DAYBOOK_WRITE_GOLDEN_FILES names no folder")
    )
    func anew() throws {
        for golden in GoldenFile.allCases {
            try golden.write(to: "\(#require(Self.folder))/\(golden.rawValue).events")
        }
    }
}
