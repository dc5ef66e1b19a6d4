import EventModel
import EventModelTesting
import EventPartitions
import EventPartitionsTesting
import EventProofs
import Foundation
import Testing

@Suite("Recovery of event files")
struct RecoveryTests {
    let fixture: FilesFixture

    init() throws {
        fixture = try FilesFixture()
    }

    /// Writes three frames of events, and returns the bytes of the file as a crash leaves them, with the frames' ends.
    private func crashedFile(sealed: Bool = false) throws -> (name: String, bytes: [UInt8], ends: [Int: Int]) {
        let files = try fixture.open()
        var ends: [Int: Int] = [:]
        for (start, end) in [(0, 2), (2, 3), (3, 6)] {
            _ = try files.append(AuditEvent.samples(start..<end))
            ends[try Int(#require(try files.partitions().first).byteCount)] = end
        }
        if sealed { try files.seal() }
        let path = try #require(try fixture.paths().first)
        let bytes = try Data(contentsOf: URL(fileURLWithPath: path))
        try FileManager.default.removeItem(atPath: path)
        return (URL(fileURLWithPath: path).lastPathComponent, Array(bytes), ends)
    }

    /// Puts a file into an empty event folder of its own, with the index that knows it.
    private func place(_ bytes: [UInt8], _ name: String) throws -> FilesFixture {
        let place = fixture
        let fixture = try FilesFixture()
        try FileManager.default.createDirectory(atPath: fixture.folder.path, withIntermediateDirectories: true)
        for path in ["realm-audit/device.index", "realm-audit/app/user/ward/.lock"] {
            let source = "\(place.temporary.path)/\(path)"
            try FileManager.default.copyItem(atPath: source, toPath: "\(fixture.temporary.path)/\(path)")
        }
        try Data(bytes).write(to: URL(fileURLWithPath: "\(fixture.folder.path)/\(name)"))
        return fixture
    }

    @Test("damage in a sealed file shows when it is read, and what is whole goes on in another partition")
    func damageInsideSealed() throws {
        let (name, bytes, ends) = try crashedFile(sealed: true)
        var changed = bytes
        let secondFrameEnd = try #require(ends.first { $0.value == 3 }?.key)
        changed[secondFrameEnd - 1] ^= 1
        let place = try place(changed, name)
        let files = try place.open()
        let partition = try #require(try files.partitions().first?.partition)

        #expect(throws: PartitionError.self) { try files.read(partition, from: 1, maximumBytes: .max) }
        try files.seal()

        let summaries = try files.partitions()
        #expect(summaries.map { $0.quarantineReason == nil } == [false, true])
        let salvaged = try #require(summaries.last)
        #expect(
            try files.upload(salvaged.partition) == AuditEvent.samples(0..<2) + AuditEvent.samples(3..<6)
        )
        let seal = try files.read(salvaged.partition, from: 6, maximumBytes: 1).seal
        #expect(seal?.losses.map(\.reason) == [.damaged])
        #expect(seal?.losses.map(\.count) == [1])
    }

    @Test("an event that holds a copy of a frame is never taken for that frame")
    func embeddedFrame() throws {
        let (_, bytes, ends) = try crashedFile()
        let firstEnd = try #require(ends.first { $0.value == 2 }?.key)
        let copied = Array(bytes[firstEnd...])
        let fixture = try FilesFixture()
        let files = try fixture.open()
        _ = try files.append([.sample(50, data: copied)])
        _ = try files.append([.sample(51)])
        let path = try #require(try fixture.paths().first)
        var changed = Array(try Data(contentsOf: URL(fileURLWithPath: path)))
        let start = try #require(changed.firstRange(of: copied)?.lowerBound)
        // The header of the frame that holds the copy is damaged, so the reader has to search for the next frame.
        for index in start - 60..<start - 30 { changed[index] ^= 0xFF }
        let place = try place(changed, URL(fileURLWithPath: path).lastPathComponent)

        #expect(try place.storedEvents() == [.sample(51)])
    }

    @Test("zeros behind the last frame are space that was never written")
    func zeroTail() throws {
        let (name, bytes, _) = try crashedFile()
        let place = try place(bytes + [UInt8](repeating: 0, count: 5000), name)

        let files = try place.open()

        #expect(try files.partitions().map(\.count) == [6])
        #expect(try files.partitions().map(\.quarantineReason) == [nil])
    }

    @Test("a file that cannot be recovered is named, blocks nothing, and is tried again")
    func unreadable() throws {
        let (name, bytes, _) = try crashedFile()
        let place = try place(bytes, name)
        place.faulty.fail(.read, at: 1, times: 1000, with: .error(EIO))

        let files = try place.open()
        let summary = try #require(try files.partitions().first)
        _ = try files.append([.sample(9)])

        #expect(summary.quarantineReason?.contains("could not be recovered yet") == true)
        place.faulty.heal()
        #expect(try files.partitions().map(\.count) == [6, 1])
        #expect(try files.partitions().map(\.quarantineReason) == [nil, nil])
    }

    @Test("a symbolic link in the place of a folder or file is refused")
    func symbolicLinks() throws {
        let elsewhere = try TestFolder.made()
        try FileManager.default.createSymbolicLink(
            atPath: "\(fixture.temporary.path)/realm-audit",
            withDestinationPath: elsewhere.path
        )
        #expect(throws: PartitionError.self) { try fixture.open() }

        let (name, bytes, _) = try RecoveryTests().crashedFile()
        let target = "\(elsewhere.path)/\(name)"
        try Data(bytes).write(to: URL(fileURLWithPath: target))
        let place = try FilesFixture()
        let files = try place.open()
        try FileManager.default.createSymbolicLink(
            atPath: "\(place.folder.path)/\(name)",
            withDestinationPath: target
        )

        #expect(try files.partitions().map(\.count) == [0])
        #expect(try files.partitions().allSatisfy { $0.quarantineReason != nil })
        #expect(try Data(contentsOf: URL(fileURLWithPath: target)) == Data(bytes))
    }

    @Test("a folder name that leads elsewhere is refused", arguments: ["", ".", "..", "a/b", "a\0b"])
    func unsafeNames(name: String) {
        #expect(throws: PartitionError.self) {
            try EventFolder(root: "/data", appID: "app", userID: name, prefix: "ward")
        }
        #expect(throws: PartitionError.self) {
            try EventFolder(root: "/data/../\(name)", appID: "app", userID: "user", prefix: "ward")
        }
        #expect(throws: PartitionError.self) {
            try EventFolder(root: "data\(name)", appID: "app", userID: "user", prefix: "ward")
        }
    }
}
